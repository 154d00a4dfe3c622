/** What an organization or a product may have for its id. */
export const OWNER_NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** Printable ASCII without spaces: what a model, an alias or a route may be called. */
export const MODEL_NAME = /^[!-~]{1,256}$/;

/** Letters and digits, with marks within; a mark may stand at the beginning where a vendor's names have one (`@cf/…`). */
const PART = '[@~]?[A-Za-z0-9](?:[A-Za-z0-9._:@+=,~-]*[A-Za-z0-9])?';
/**
 * What a vendor may call a model that is in no list. A name with empty parts, or with marks that end a path (`?`, `#`, `%`),
 * would reach the vendor as another one.
 */
export const VENDOR_NAME = new RegExp(`^${PART}(?:/${PART})*$`);

/** What vendors put behind a model's name to tell its versions apart: a day in one of three forms, or `-latest`. */
const VERSION = /(?:-\d{4}-\d{2}-\d{2}|[-@]\d{8}|-latest)$/;

/** The name that a dated one is a version of; `null` where a name is not dated. */
export function undatedName(name: string): string | null {
  const base = name.replace(VERSION, '');
  return base === name || base === '' ? null : base;
}
