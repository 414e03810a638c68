/// <reference types="svelte" />
/// <reference types="vite/client" />

/** Which build of the page this is; the house says which one it serves. */
declare const __BUILD__: string;
