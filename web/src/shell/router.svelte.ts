/** Where one is in the page: plain paths, the browser's own history, a screen loaded when it is first asked for. */

import type { Component } from 'svelte';
import { screens } from '../screens';

export interface Place {
  path: string;
  query: URLSearchParams;
}

/** What a screen is given: the parts of its path, by name, and the query. */
export interface ScreenProps {
  params: Record<string, string>;
  query: URLSearchParams;
}

export type Screen = Component<any>;

class Router {
  place = $state.raw<Place>(here());
  /** The screen that is shown, with what it was opened with; a new object for every move to another place. */
  shown = $state.raw<{ screen: Screen; props: ScreenProps; name: string } | null>(null);
  /** A part of the page could not be loaded: the house may have a new one. */
  isBroken = $state(false);

  #visits = 0;

  start(): void {
    addEventListener('popstate', () => this.#arrive());
    document.addEventListener('click', (event) => this.#clicked(event));
    // A notification was clicked: whoever shows them says where it leads.
    navigator.serviceWorker?.addEventListener('message', ({ data }) => {
      if (typeof data?.go === 'string' && data.go !== location.pathname + location.search + location.hash) this.go(data.go);
    });
    this.#arrive();
  }

  go(path: string, { replace = false } = {}): void {
    if (replace) history.replaceState(null, '', path);
    else history.pushState(null, '', path);
    this.#arrive();
    if (!replace) scrollTo(0, 0);
  }

  /** Change the query of the place one is at, without a step in the history. */
  setQuery(changes: Record<string, string | null>): void {
    const query = new URLSearchParams(location.search);
    for (const [name, value] of Object.entries(changes)) {
      if (value === null || value === '') query.delete(name);
      else query.set(name, value);
    }
    const search = query.toString();
    history.replaceState(null, '', location.pathname + (search ? `?${search}` : '') + location.hash);
    this.place = here();
  }

  #clicked(event: MouseEvent): void {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const link = (event.target as Element).closest?.('a[href]');
    if (!(link instanceof HTMLAnchorElement) || link.target || link.hasAttribute('download')) return;
    if (link.origin !== location.origin || link.pathname.startsWith('/api/')) return;
    if (link.pathname === location.pathname && link.search === location.search && link.hash) return;
    event.preventDefault();
    this.go(link.pathname + link.search + link.hash);
  }

  #arrive(): void {
    this.place = here();
    const visit = ++this.#visits;
    const { name, load, params } = found(this.place.path);
    load().then(
      (module) => {
        if (visit !== this.#visits) return;
        this.isBroken = false;
        this.shown = { screen: module.default, props: { params, query: here().query }, name };
      },
      () => {
        if (visit === this.#visits) this.isBroken = true;
      },
    );
  }
}

function here(): Place {
  return { path: location.pathname, query: new URLSearchParams(location.search) };
}

function found(path: string) {
  for (const { name, pattern, load } of screens) {
    const params = matched(pattern, path);
    if (params) return { name, load, params };
  }
  const lost = screens.find((screen) => screen.name === 'lost')!;
  return { name: lost.name, load: lost.load, params: {} };
}

/** `/tables/:id` fits `/tables/12` with id 12. */
function matched(pattern: string, path: string): Record<string, string> | null {
  const wanted = pattern.split('/').filter(Boolean);
  const given = path.split('/').filter(Boolean);
  if (wanted.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [i, part] of wanted.entries()) {
    const value = given[i]!;
    if (part.startsWith(':')) params[part.slice(1)] = decoded(value);
    else if (part !== value) return null;
  }
  return params;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export const router = new Router();
