// Shows notifications while the page is closed, and opens the page where one leads. It keeps nothing and
// answers no requests: the page itself always comes from the house.

/** A notification that is so young is the page's own word of the same thing: its place is taken without a sound. */
const SAME_MOMENT = 60_000;

self.addEventListener('install', () => void self.skipWaiting());
self.addEventListener('push', (event) => event.waitUntil(show(event.data)));
self.addEventListener('notificationclose', (event) => event.waitUntil(count()));
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(Promise.all([goTo(event.notification.data?.path), count()]));
});
self.addEventListener('pushsubscriptionchange', (event) => {
  event.waitUntil(subscribeAgain(event.newSubscription));
});

/** A message has come: it is shown, in the place of an older one about the same table. */
async function show(data) {
  const { title, body, path, tag, language } = read(data);
  const shown = await self.registration.getNotifications({ tag });
  const isSame = shown.some((each) => Date.now() - each.timestamp < SAME_MOMENT);
  await self.registration.showNotification(title, {
    body,
    tag,
    lang: language,
    icon: '/icon-192.png',
    badge: '/badge-96.png',
    data: { path },
    renotify: !isSame,
  });
  await count();
}

/** A browser wants something shown for each message, also for one that cannot be read. */
function read(data) {
  try {
    return { tag: '/', path: '/', ...data.json() };
  } catch {
    return { title: self.location.hostname, body: '', path: '/', tag: '/', language: 'fr' };
  }
}

/** So many notifications wait: the icon of the installed page says so, where there is one. */
async function count() {
  if (!('setAppBadge' in navigator)) return;
  const waiting = (await self.registration.getNotifications()).length;
  await (waiting ? navigator.setAppBadge(waiting) : navigator.clearAppBadge()).catch(() => {});
}

/** Go to a place of the house: in the page that shows it, else in one that nobody plays in, else in a new one. */
async function goTo(path) {
  const to = new URL(typeof path === 'string' ? path : '/', self.location.origin);
  if (to.origin !== self.location.origin) return;
  const where = to.pathname + to.search + to.hash;
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const at = (page) => new URL(page.url).pathname;
  const isFree = (page) => page.visibilityState === 'hidden' || !at(page).startsWith('/tables/');
  const page = pages.find((each) => at(each) === to.pathname) ?? pages.find(isFree);
  if (!page) {
    await self.clients.openWindow(where);
    return;
  }
  await page.focus();
  page.postMessage({ go: where });
}

/** The push service has given this browser another address: the house is told, or would be silent from now on. */
async function subscribeAgain(given) {
  const { key } = await (await ask('GET', '/push')).json();
  const text = atob(key.replaceAll('-', '+').replaceAll('_', '/'));
  const applicationServerKey = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  const made = given ?? (await self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey }));
  const { endpoint, keys } = made.toJSON();
  await ask('POST', '/push/devices', { endpoint, p256dh: keys.p256dh, auth: keys.auth });
}

/** Ask the house; a token that has run out is renewed, as the page does it, and never beside it. */
async function ask(method, where, body) {
  let answer = await once(method, where, body);
  if (answer.status === 401) {
    await navigator.locks.request('tablee-session', () => once('POST', '/session/refresh'));
    answer = await once(method, where, body);
  }
  if (!answer.ok) throw new Error(`${method} ${where}: ${answer.status}`);
  return answer;
}

function once(method, where, body) {
  return fetch(`/api/v1${where}`, {
    method,
    headers: { 'X-Tablee': 'page', ...(body && { 'Content-Type': 'application/json' }) },
    body: body && JSON.stringify(body),
    credentials: 'same-origin',
  });
}
