/** A scheme and the rest of the URL, up to a space, quote or bracket. */
const ADDRESS = /\b([a-z][a-z0-9+.-]*:\/\/)([^\s"'<>“”`]*)/gi;
const HIDDEN = '***';

/**
 * Redacts all addresses in a text: `***` replaces user name, password and the values of the query. Names of parameters
 * stay, but any value may be a key, a token or a signature.
 */
export function redactAddresses(text: string): string {
  return text.replace(ADDRESS, (_, scheme: string, rest: string) => {
    const end = rest.search(/[/?#]/);
    const authority = end === -1 ? rest : rest.slice(0, end);
    const behind = end === -1 ? '' : rest.slice(end);
    const at = authority.lastIndexOf('@');
    return `${scheme}${at === -1 ? authority : `${HIDDEN}${authority.slice(at)}`}${shownTail(behind)}`;
  });
}

/** Redacts what follows the path. A fragment that names a place in a document stays. */
function shownTail(tail: string): string {
  const start = tail.search(/[?#]/);
  if (start === -1) return tail;
  const more = tail
    .slice(start)
    .replace(/([?&;#])([^?&;#=]*)(=[^?&;#]*)?/g, (all, sign: string, name: string, value) => {
      if (value !== undefined) return `${sign}${name}=${HIDDEN}`;
      return sign === '#' || name === '' ? all : `${sign}${HIDDEN}`;
    });
  return tail.slice(0, start) + more;
}

/** Redacts every text in a value from JSON or YAML. */
export function redactAddressesIn(value: unknown): unknown {
  if (typeof value === 'string') return redactAddresses(value);
  if (Array.isArray(value)) return value.map(redactAddressesIn);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, redactAddressesIn(each)]));
}
