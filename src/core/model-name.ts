/** What an organization or a product may have for its id. */
export const OWNER_NAME = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Printable ASCII without spaces and `*`: what a model, an alias or a route may be called. Names are compared as they are; with a `*`
 * one would look like a pattern, and fit nothing.
 */
export const MODEL_NAME = /^[!-)+-~]{1,256}$/;

/** `provider/model`, in the same characters. */
export const QUALIFIED_NAME = /^[!-)+-.0-~]+\/[!-)+-~]{1,256}$/;

/** Why a list of models cannot hold a name, without a subject and a full stop; `null` if it can. */
export function listedNameFault(name: string): string | null {
  return name.includes('*') ? 'must name one model: * stands for no others here' : null;
}

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
