import { createHash } from 'node:crypto';

const LEGAL_ID = /^[a-zA-Z0-9_-]{1,64}$/;
/** Prefixes of rewritten ids. An id that already has such a prefix is rewritten too, so that ids stay distinct. */
const WRITTEN = 'hg_';
const HASHED = 'hgh_';

/** Rewrites the ids of tool calls to the characters that Anthropic allows, unique in a conversation. */
export class ToolIds {
  readonly #used = new Set<string>();
  readonly #written = new Map<string, string>();
  /** How often each id occurred. Searching from 1 each time would take quadratic time if all ids are the same. */
  readonly #times = new Map<string, number>();

  /** Registers a tool call. @returns its id for Anthropic */
  add(id: string): string {
    const legal = legalId(id);
    let unique = legal;
    let times = this.#times.get(id) ?? 1;
    // Some vendors number calls from 0 in each turn, so ids repeat.
    while (this.#used.has(unique)) {
      times += 1;
      unique = legalId(`${id}#${times}`);
    }
    this.#times.set(id, times);
    this.#used.add(unique);
    this.#written.set(id, unique);
    return unique;
  }

  /** The id for Anthropic of the last call with this id. */
  of(id: string): string {
    return this.#written.get(id) ?? legalId(id);
  }
}

/** A legal id. The same id always gives the same result, and different ids different ones. */
export function legalId(id: string): string {
  if (LEGAL_ID.test(id) && !id.startsWith(WRITTEN) && !id.startsWith(HASHED)) return id;
  const written = WRITTEN + Buffer.from(id).toString('base64url');
  if (written.length <= 64) return written;
  return HASHED + createHash('sha256').update(id).digest('base64url');
}

/**
 * The id of a call for a caller of this format, who may send it back to a vendor that refuses other characters. One that
 * could not be read back stays as it is: some vendors keep something of their own in it.
 */
export function callerId(id: string): string {
  const legal = legalId(id);
  return legal.startsWith(HASHED) ? id : legal;
}

/** The id that a caller's was made from: the vendor that made it gets it back. */
export function givenId(id: string): string {
  if (!id.startsWith(WRITTEN)) return id;
  const given = Buffer.from(id.slice(WRITTEN.length), 'base64url').toString();
  return legalId(given) === id ? given : id;
}
