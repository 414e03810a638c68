/** Requests to the house: JSON both ways, cookies for who one is, a dead token renewed once and unseen. */

import type { ErrorAnswer, ErrorDetail } from './types';
import { language } from '../words/catalogue.svelte';

const PREFIX = '/api/v1';
/** How long an access cookie lasts, by our own clock: the house's may differ. */
export const COOKIE_LASTS = 15 * 60_000;

/** A refusal of the house, with its code and its sentence in the language of the page. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly detail: ErrorDetail,
  ) {
    super(detail.message);
  }

  get code(): string {
    return this.detail.code;
  }
}

/** The house could not be asked: no network, or nobody there. */
export class OutOfReach extends Error {}

type Query = Record<string, string | number | boolean | null | undefined>;

export function path(template: string, query: Query = {}): string {
  const said = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const search = new URLSearchParams(said.map(([name, value]) => [name, String(value)]));
  return said.length ? `${template}?${search}` : template;
}

export const get = <T>(where: string, query?: Query) => request<T>('GET', path(where, query));
/** A file, as text. */
export const getText = async (where: string, query?: Query) => (await asked('GET', path(where, query))).text();
export const post = <T = void>(where: string, body?: object) => request<T>('POST', where, body);
export const put = <T = void>(where: string, body?: object) => request<T>('PUT', where, body);
export const patch = <T = void>(where: string, body?: object) => request<T>('PATCH', where, body);
export const remove = <T = void>(where: string) => request<T>('DELETE', where);

/** How the tokens of this page stand: until when the cookie is good, and the token of whom one acts for. */
const tokens = { until: Infinity, acting: null as string | null };

/** The house has set a new cookie, good until then; Infinity where there is nobody to renew for. */
export function goodUntil(instant: number): void {
  tokens.until = instant;
}

/** From now on (until null is given) every request is made with this token instead of the cookie. */
export function actWith(token: string | null): void {
  tokens.acting = token;
}

export function actingToken(): string | null {
  return tokens.acting;
}

/** Before something that cannot be asked twice: renew a cookie that is about to go. */
export async function fresh(): Promise<void> {
  if (!tokens.acting && Date.now() > tokens.until - 30_000) await renew();
}

async function request<T>(method: string, where: string, body?: object): Promise<T> {
  const answer = await asked(method, where, body);
  return answer.status === 204 || answer.status === 202 ? (undefined as T) : ((await answer.json()) as T);
}

/** What was asked and is not answered yet. */
const unanswered = new Set<Promise<unknown>>();

/** When all that was asked so far is answered, however: what ends a session comes after it. */
export async function quiet(): Promise<void> {
  await Promise.allSettled(unanswered);
}

function asked(method: string, where: string, body?: object): Promise<Response> {
  const answer = ask(method, where, body);
  unanswered.add(answer);
  const done = () => void unanswered.delete(answer);
  answer.then(done, done);
  return answer;
}

async function ask(method: string, where: string, body?: object): Promise<Response> {
  // A request beside a renewal would come with the token that it makes void.
  if (!where.startsWith('/session')) await (renewing?.catch(() => {}) ?? fresh());
  let answer = await once(method, where, body);
  if (answer.status === 401 && (await said(answer.clone())).code === 'token_expired') {
    // Where there is nothing to renew the house has taken the dead cookie back: one asks again as nobody.
    await renew();
    answer = await once(method, where, body);
  }
  if (!answer.ok) throw new Refusal(answer.status, await said(answer));
  return answer;
}

async function once(method: string, where: string, body?: object): Promise<Response> {
  const headers: Record<string, string> = { 'X-Tablee': 'page', 'Accept-Language': language() };
  if (tokens.acting) headers.Authorization = `Bearer ${tokens.acting}`;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  try {
    return await fetch(PREFIX + where, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      credentials: 'same-origin',
    });
  } catch {
    throw new OutOfReach();
  }
}

async function said(answer: Response): Promise<ErrorDetail> {
  try {
    return ((await answer.json()) as ErrorAnswer).error;
  } catch {
    return { code: 'unreadable', message: `${answer.status} ${answer.statusText}`, parts: {} };
  }
}

let renewing: Promise<boolean> | undefined;

/** A new pair of tokens for the one in the cookie. Two askers share one request; false if there is no session. */
export function renew(): Promise<boolean> {
  renewing ??= alone(renewOnce).finally(() => (renewing = undefined));
  return renewing;
}

async function renewOnce(): Promise<boolean> {
  const answer = await once('POST', '/session/refresh');
  if (answer.ok) goodUntil(Date.now() + COOKIE_LASTS);
  return answer.ok;
}

/** Tabs renew one after the other where the browser can lock; the house forgives the rest within seconds. */
async function alone(work: () => Promise<boolean>): Promise<boolean> {
  return navigator.locks ? await navigator.locks.request('tablee-session', work) : await work();
}
