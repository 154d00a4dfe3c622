/** The page that links lead to; behind `#` stands their secret, which browsers send to no server. */
const PAGE = '/welcome';

/**
 * The secret of the link that the console was opened with; empty: it was none. It leaves the address bar before anything else
 * is done: no screenshot, history or extension keeps it.
 */
export const LINK_SECRET = takeSecret();

function takeSecret(): string {
  const { pathname, search, hash } = window.location;
  if (pathname !== PAGE) return '';
  // Another link in the same tab changes the part behind `#` alone.
  window.addEventListener('hashchange', () => window.location.reload());
  if (hash !== '') window.history.replaceState(null, '', pathname + search);
  return hash.slice(1);
}
