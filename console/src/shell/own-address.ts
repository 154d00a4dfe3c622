/** Backslashes, and what is not seen or moves text: browsers leave some of it out, and read another address than was looked at. */
const UNSAFE = /[\\\s\p{Control}\p{Format}]/u;
/** A path that is another site's address once it is decoded, or that begins with an empty name. */
const HOST_FIRST = /^\/(?:\/|%2f|%5c|%[01][0-9a-f]|%20|%7f)/i;

/**
 * Where to go on to: an address that stood in a link, which anybody may have written. Only a path of this gateway is followed.
 *
 * @param wanted - a path with what may stand behind it: `/logs?status=error`
 * @param origin - this gateway's
 * @returns the whole address, whose origin is always this one; the first page for whatever is not such a path
 */
export function ownAddress(wanted: string | undefined, origin: string): string {
  const first = `${origin}/`;
  if (wanted === undefined || !wanted.startsWith('/') || UNSAFE.test(wanted)) return first;
  const url = URL.parse(wanted, origin);
  if (url === null || url.origin !== origin || url.username !== '' || url.password !== '') return first;
  // Looked at as it was written, and once the dots in it are gone: `/.//host` leaves `//host`.
  return [wanted, url.pathname].some((path) => HOST_FIRST.test(path)) ? first : url.href;
}
