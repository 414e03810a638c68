/** Where to go after signing in: a path of this page and nothing else. */

export function nextPath(query: URLSearchParams): string {
  const wanted = query.get('next') ?? '';
  if (!wanted.startsWith('/')) return '/';
  try {
    const url = new URL(wanted, location.origin);
    if (url.origin !== location.origin || url.pathname.startsWith('/api/')) return '/';
    return url.pathname.startsWith('/account/') ? '/' : url.pathname + url.search + url.hash;
  } catch {
    return '/';
  }
}

/** The same wish, carried along to another screen of the account. */
export function carried(query: URLSearchParams): string {
  const next = query.get('next');
  return next ? `?next=${encodeURIComponent(next)}` : '';
}
