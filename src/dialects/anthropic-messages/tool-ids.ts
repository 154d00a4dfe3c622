import { createHash } from 'node:crypto';

const LEGAL_ID = /^[a-zA-Z0-9_-]{1,64}$/;
/** What ids begin with that are written in another way: one that begins so by itself is written so too. */
const WRITTEN = 'hg_';
const HASHED = 'hgh_';

/** The ids of tool calls, in the letters that Anthropic allows, no two alike in a conversation. */
export class ToolIds {
  readonly #used = new Set<string>();
  readonly #written = new Map<string, string>();
  /** How often each id was written: a search from the beginning would cost a conversation of one id its square. */
  readonly #times = new Map<string, number>();

  /** The id of a call that begins. */
  add(id: string): string {
    const legal = legalId(id);
    let unique = legal;
    let times = this.#times.get(id) ?? 1;
    // Some vendors count from 0 in each turn.
    while (this.#used.has(unique)) {
      times += 1;
      unique = legalId(`${id}#${times}`);
    }
    this.#times.set(id, times);
    this.#used.add(unique);
    this.#written.set(id, unique);
    return unique;
  }

  /** The id of the last call that was named so. */
  of(id: string): string {
    return this.#written.get(id) ?? legalId(id);
  }
}

/** The same id always gives the same, and another another. */
export function legalId(id: string): string {
  if (LEGAL_ID.test(id) && !id.startsWith(WRITTEN) && !id.startsWith(HASHED)) return id;
  const written = WRITTEN + Buffer.from(id).toString('base64url');
  if (written.length <= 64) return written;
  return HASHED + createHash('sha256').update(id).digest('base64url');
}
