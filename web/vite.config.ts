import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

// The house serves what stands here; the package's build hook (hatch_build.py) says where it goes and which build it is.
export default defineConfig({
  plugins: [svelte()],
  define: { __BUILD__: JSON.stringify(process.env.TABLEE_BUILD ?? 'dev') },
  build: {
    outDir: process.env.TABLEE_PAGE ?? 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // Everything is a file of its own: the Content-Security-Policy allows nothing inline, data: fonts neither.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // One style sheet, what every screen shares in one script, and the pictures of the games, which are seen
    // together, in another: a first visit asks for half as many files.
    cssCodeSplit: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'shared', test: /\/(node_modules\/svelte|src\/(house|shell|words))\//, priority: 1 },
            { name: 'pictures', test: /\/src\/games\/\w+\/(Picture|Sketch)\.svelte/ },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': { target: 'http://127.0.0.1:8000', ws: true } } },
});
