/** The games that this page has a board for: one folder each, found by its manifest. Every other has the plain board. */

import { plainPage } from '../plain/page';
import type { GamePage, Route } from './page';

export type { BeforeProps, BoardProps, GamePage, OptionsProps, Preset, Route } from './page';

const manifests = import.meta.glob<GamePage>('./*/manifest.ts', { eager: true, import: 'manifest' });
// The colours of a game are known wherever it is shown: on its board, in a picture, in the settings.
import.meta.glob('./*/tokens.css', { eager: true });

const pages = new Map(Object.entries(manifests).map(([path, page]) => [path.split('/')[1]!, page]));

/** What a game brings to the page; of a game that brings nothing, what is made from its words and its rules' answers. */
export function gamePage(game: string): GamePage {
  let page = pages.get(game);
  if (!page) pages.set(game, (page = plainPage(game)));
  return page;
}

/** The screens that games bring with them. */
export const routes: Route[] = Object.values(manifests).flatMap((page) => page.routes ?? []);
