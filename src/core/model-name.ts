/** The pattern of ids of organizations and products. */
export const OWNER_NAME = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * The names of models, aliases and routes: printable ASCII without spaces and `*`. Names are compared literally, so a name
 * with `*` would look like a pattern and match nothing.
 */
export const MODEL_NAME = /^[!-)+-~]{1,256}$/;

/** `provider/model`, in the same characters. */
export const QUALIFIED_NAME = /^[!-)+-.0-~]+\/[!-)+-~]{1,256}$/;

/** The fault of a name in a list of models, as a predicate; `null` if it is valid. */
export function listedNameFault(name: string): string | null {
  return name.includes('*') ? 'must name one model: * is not a wildcard here' : null;
}

/** Letters and digits, with marks in between; some vendors' names begin with a mark (`@cf/…`). */
const PART = '[@~]?[A-Za-z0-9](?:[A-Za-z0-9._:@+=~-]*[A-Za-z0-9])?';
/**
 * The pattern of a vendor's name of a model that is in no list. A name with empty parts, or with characters that end a path
 * (`?`, `#`, `%`), would reach the vendor as another name; a `,` separates several models at some vendors.
 */
export const VENDOR_NAME = new RegExp(`^${PART}(?:/${PART})*$`);

/** Version suffixes of vendors: a date in one of three formats, or `-latest`. */
const VERSION = /(?:-\d{4}-\d{2}-\d{2}|[-@]\d{8}|-latest)$/;

/** The undated name; `null` if the name is not dated. */
export function undatedName(name: string): string | null {
  const base = name.replace(VERSION, '');
  return base === name || base === '' ? null : base;
}
