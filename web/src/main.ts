import '@fontsource-variable/atkinson-hyperlegible-next/wght.css';
import './style/tokens.css';
import './style/page.css';
import './style/seats.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { house } from './house/house.svelte';
import { session } from './house/session.svelte';
import { installing } from './shell/installing.svelte';
import { preferences } from './shell/preferences.svelte';
import { router } from './shell/router.svelte';

preferences.start();
router.start();
installing.start();
mount(App, { target: document.getElementById('page')! });
void session.open();
void house.load().catch(() => {});
