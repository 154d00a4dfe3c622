import { createHash } from 'node:crypto';

/** OpenAI's longest id. */
const MAX_LENGTH = 40;
const NINE = /^[A-Za-z0-9]{9}$/;
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/**
 * Rewrites ids of tool calls to what a vendor accepts. The same id always gives the same result while the conversation
 * only grows, and different ids give different ones.
 */
export class CallIds {
  readonly #nine: boolean;
  readonly #made = new Map<string, string>();
  readonly #taken = new Set<string>();

  constructor(nine: boolean) {
    this.#nine = nine;
  }

  of(id: string): string {
    const known = this.#made.get(id);
    if (known !== undefined) return known;
    let made = this.#isLegal(id) ? id : this.#make(id);
    for (let round = 1; this.#taken.has(made); round += 1) made = this.#make(`${round} ${id}`);
    this.#made.set(id, made);
    this.#taken.add(made);
    return made;
  }

  #isLegal(id: string): boolean {
    return this.#nine ? NINE.test(id) : id !== '' && id.length <= MAX_LENGTH;
  }

  #make(from: string): string {
    const hash = createHash('sha256').update(from).digest();
    if (!this.#nine) return `call_${hash.toString('hex').slice(0, 24)}`;
    return [...hash.subarray(0, 9)].map((byte) => LETTERS[byte % LETTERS.length]).join('');
  }
}
