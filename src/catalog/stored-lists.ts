import { readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { MODEL_NAME } from '../core/model-name.ts';
import { writeFileAtomically } from './atomic-write.ts';
import { objectAt } from './catalog-file.ts';
import { parseStoredFacts, type VendorFacts } from './vendor-facts.ts';
import { EMPTY_VENDOR_LIST, type VendorList } from './vendor-list.ts';

/** A vendor's list at an address, and when it was last received (Unix ms). */
export type StoredList = VendorList & { heardAt: number };

/** The most lists in the file (the latest ones stay), and the largest file that is read. */
const MAX_LISTS = 100;
const MAX_BYTES = 64 * 1024 * 1024;

const ABOUT = 'What vendors last said of the models they have, by provider and address. Headgate asks again by itself.';

/** Stores vendors' lists in a file, by provider and address, so that a start does not need the network. */
export class StoredLists {
  readonly #path: string;
  readonly #onError: (error: unknown) => void;
  readonly #isReadOnly: boolean;
  /** Serializes the writes of this process. */
  #writing: Promise<void> = Promise.resolve();
  /** Lists that are not in the file yet. */
  readonly #unwritten = new Map<string, StoredList>();

  /**
   * @param onError - called if the file cannot be read or written; lists are then lost with the process
   * @param isReadOnly - true if nothing is ever written
   */
  constructor(path: string, onError: (error: unknown) => void, isReadOnly = false) {
    this.#path = path;
    this.#onError = onError;
    this.#isReadOnly = isReadOnly;
  }

  /** A value that differs after each change of the file; `null` if there is no readable file. */
  version(): string | null {
    try {
      const { ino, size, mtimeMs } = statSync(this.#path);
      return `${ino} ${size} ${mtimeMs}`;
    } catch {
      // Reads and writes report the reason.
      return null;
    }
  }

  /** All stored lists; empty without a readable file. */
  read(): Map<string, StoredList> {
    try {
      if (statSync(this.#path, { throwIfNoEntry: false }) === undefined) return new Map();
      if (statSync(this.#path).size > MAX_BYTES) throw new Error(`${this.#path} is larger than ${MAX_BYTES} bytes.`);
      return parse(readFileSync(this.#path, 'utf8'));
    } catch (error) {
      this.#onError(error);
      return new Map();
    }
  }

  /** Adds these lists to the file. A list that another process has received later stays. */
  write(lists: ReadonlyMap<string, StoredList>): Promise<void> {
    for (const [place, list] of lists) this.#unwritten.set(place, list);
    return this.writeAgain();
  }

  /** Writes the lists whose write has failed, if any. */
  writeAgain(): Promise<void> {
    if (this.#isReadOnly || this.#unwritten.size === 0) return this.#writing;
    this.#writing = this.#writing.then(() => this.#write()).catch(this.#onError);
    return this.#writing;
  }

  /** Resolves when no write is in progress. */
  settled(): Promise<void> {
    return this.#writing;
  }

  /** The content of the file. Throws if it cannot be read. An invalid file is reported, and is overwritten later. */
  async #present(): Promise<Map<string, StoredList>> {
    const text = await readFile(this.#path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    if (text === null) return new Map();
    try {
      return parse(text);
    } catch (cause) {
      this.#onError(new Error(`${this.#path} is broken, and is written anew.`, { cause }));
      return new Map();
    }
  }

  async #write(): Promise<void> {
    const lists = [...this.#unwritten];
    if (lists.length === 0) return;
    const all = await this.#present();
    for (const [place, list] of lists) if (list.heardAt >= (all.get(place)?.heardAt ?? 0)) all.set(place, list);
    const newest = [...all].sort(([, one], [, other]) => other.heardAt - one.heardAt).slice(0, MAX_LISTS);
    const kept = newest.map(([place, { heardAt, models, gone, facts }]) => [
      place,
      {
        heard_at: new Date(heardAt).toISOString(),
        models,
        gone: Object.fromEntries(gone),
        ...(facts.size > 0 && { facts: Object.fromEntries(facts) }),
      },
    ]);
    await writeFileAtomically(this.#path, `${JSON.stringify({ about: ABOUT, lists: Object.fromEntries(kept) })}\n`);
    for (const [place, list] of lists) if (this.#unwritten.get(place) === list) this.#unwritten.delete(place);
  }
}

/** Omits what this program would not write. */
function parse(text: string): Map<string, StoredList> {
  const lists = new Map<string, StoredList>();
  for (const [place, value] of Object.entries(objectAt(objectAt(JSON.parse(text))?.lists) ?? {})) {
    const { models, gone, facts, heard_at: heardAt } = objectAt(value) ?? {};
    if (!Array.isArray(models) || typeof heardAt !== 'string') continue;
    lists.set(place, {
      ...EMPTY_VENDOR_LIST,
      models: models.filter(isName),
      gone: new Map(Object.entries(objectAt(gone) ?? {}).filter(isGone)),
      facts: new Map(Object.entries(objectAt(facts) ?? {}).flatMap(factsEntry)),
      heardAt: Date.parse(heardAt) || 0,
    });
  }
  return lists;
}

function factsEntry([name, value]: [string, unknown]): [string, VendorFacts][] {
  const facts = isName(name) ? parseStoredFacts(value) : null;
  return facts === null ? [] : [[name, facts]];
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && MODEL_NAME.test(value);
}

function isGone(entry: [string, unknown]): entry is [string, string] {
  return isName(entry[0]) && typeof entry[1] === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(entry[1]);
}
