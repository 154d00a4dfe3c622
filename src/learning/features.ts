import type { CallSummary } from '../core/route.ts';
import { ByteReader, ByteWriter } from './bytes.ts';
import { NAMES, namedFeatures } from './named.ts';
import { joined, scanWords, spread } from './words.ts';

/** The input of a prediction: only the call itself. `turns` and `tools` are counts. */
export type SmartText = {
  lastUser: string;
  system: string;
  turns: number;
  tools: number;
  images: boolean;
  structured: boolean;
  promptTokens: number;
};

/**
 * A call as a sparse vector, sorted by index. Below `NAMED` stand features with a name and values from 0 to 1; from there
 * on n-grams of words, each with how often it stands there (1 to 255): those of the last user turn, and, from `SYSTEM` on,
 * those of the system prompt.
 */
export type Features = { indices: Uint32Array; values: Float32Array };

export const SPACE = 2 ** 18;
export const NAMED = 256;
export const SYSTEM = SPACE - 2 ** 16;

/** Must change when a text gets other features, so that stored features are refused instead of misread. */
export const STORED_VERSION = 1;

/** Characters that are read from the beginning and the end, and the largest number of n-grams. */
const USER_HEAD = 2560;
const USER_TAIL = 1024;
const SYSTEM_HEAD = 1024;
const MAX_USER_GRAMS = 2048;
const MAX_SYSTEM_GRAMS = 512;

const ONE_WORD = 0x9e3779b9;
const TWO_WORDS = 0x7f4a7c15;
const MAX_COUNT = 255;

/**
 * The features of a call. Deterministic and bounded: only the beginning and the end of a long text are read.
 *
 * /!\ Hot path: counted in one table that is cleared after each call, and sorted as packed integers.
 */
export function featuresOf(call: SmartText): Features {
  const text = bounded(call.lastUser);
  const lower = text.toLowerCase();
  const named = namedFeatures(call, text, lower);
  const grams = new Grams();
  grams.add(lower, NAMED, SYSTEM, MAX_USER_GRAMS);
  grams.add(call.system.slice(0, SYSTEM_HEAD).toLowerCase(), SYSTEM, SPACE, MAX_SYSTEM_GRAMS);
  const packed = grams.take();

  const used = named.reduce((count, value) => (quantised(value) === 0 ? count : count + 1), 0);
  const features = emptyFeatures(used + packed.length);
  let at = 0;
  named.forEach((value, index) => {
    const level = quantised(value);
    if (level === 0) return;
    features.indices[at] = index;
    features.values[at] = level / MAX_COUNT;
    at += 1;
  });
  for (const each of packed) {
    features.indices[at] = each >>> 8;
    features.values[at] = each & 0xff;
    at += 1;
  }
  return features;
}

/** The input of a prediction, taken from a call. */
export function smartTextOf(summary: CallSummary, promptTokens: number): SmartText {
  const { lastUser, system, turns, tools, images, structuredOutput: structured } = summary;
  return { lastUser, system, turns, tools, images, structured, promptTokens };
}

/** The n-grams of each index in lower case, to explain decisions to people. */
export function gramsOf(call: SmartText): Map<number, string[]> {
  const grams = new Map<number, string[]>();
  const note = (lower: string, from: number, to: number) =>
    eachGram(lower, from, to, (index, start, end) => {
      const words = lower.slice(start, end).replace(/\s+/g, ' ');
      const known = grams.get(index) ?? [];
      if (!known.includes(words)) grams.set(index, [...known, words]);
      return true;
    });
  note(bounded(call.lastUser).toLowerCase(), NAMED, SYSTEM);
  note(call.system.slice(0, SYSTEM_HEAD).toLowerCase(), SYSTEM, SPACE);
  return grams;
}

/** Base64, of about three bytes for each feature. `readFeatures` gives the same features back, exactly. */
export function writeFeatures({ indices, values }: Features): string {
  const writer = new ByteWriter();
  writer.byte(STORED_VERSION);
  writer.varint(indices.length);
  let previous = 0;
  indices.forEach((index, at) => {
    writer.varint(index - previous);
    writer.byte(index < NAMED ? quantised(values[at]!) : values[at]!);
    previous = index;
  });
  return Buffer.from(writer.take()).toString('base64');
}

/** Throws `RangeError` for text that `writeFeatures` did not write, or wrote in another version. */
export function readFeatures(text: string): Features {
  const reader = new ByteReader(Buffer.from(text, 'base64'));
  const version = reader.byte();
  if (version !== STORED_VERSION) throw new RangeError(`Features of version ${version} cannot be read.`);
  const count = reader.varint();
  if (count * 2 > reader.left) throw new RangeError('The features end too early.');
  const features = emptyFeatures(count);
  let index = 0;
  for (let at = 0; at < count; at += 1) {
    const step = reader.varint();
    const level = reader.byte();
    index += step;
    if (index >= SPACE || (step === 0 && at > 0) || level === 0)
      throw new RangeError(`Feature ${index} is not written so.`);
    features.indices[at] = index;
    features.values[at] = index < NAMED ? level / MAX_COUNT : level;
  }
  return features;
}

/** The name of a feature; `null` for an n-gram, whose words are not stored. */
export function nameOf(index: number): string | null {
  return NAMES[index] ?? null;
}

function emptyFeatures(count: number): Features {
  return { indices: new Uint32Array(count), values: new Float32Array(count) };
}

function quantised(value: number): number {
  return Math.round(value * MAX_COUNT);
}

function bounded(text: string): string {
  return text.length <= USER_HEAD + USER_TAIL ? text : `${text.slice(0, USER_HEAD)} ${text.slice(-USER_TAIL)}`;
}

/** Visits words and pairs of words, each with its index in `[from, to)`, until `onGram` returns false. */
function eachGram(
  lower: string,
  from: number,
  to: number,
  onGram: (index: number, start: number, end: number) => boolean,
): void {
  let going = true;
  let previous = 0;
  let previousStart = -1;
  scanWords(lower, ({ hash, start, end }) => {
    if (!going) return;
    going = onGram(from + (spread(hash, ONE_WORD) % (to - from)), start, end);
    if (going && previousStart !== -1) {
      going = onGram(from + (spread(joined(previous, hash), TWO_WORDS) % (to - from)), previousStart, end);
    }
    previous = hash;
    previousStart = start;
  });
}

/** The position of each index among the counted ones, plus one; all 0 between two calls. */
const PLACES = new Uint32Array(SPACE);

/** Counts n-grams. */
class Grams {
  readonly #indices: number[] = [];
  readonly #counts: number[] = [];

  add(lower: string, from: number, to: number, max: number): void {
    const end = this.#indices.length + max;
    eachGram(lower, from, to, (index) => {
      const place = PLACES[index]!;
      if (place !== 0) {
        if (this.#counts[place - 1]! < MAX_COUNT) this.#counts[place - 1]! += 1;
        return true;
      }
      if (this.#indices.length === end) return false;
      this.#indices.push(index);
      this.#counts.push(1);
      PLACES[index] = this.#indices.length;
      return true;
    });
  }

  /** Index and count, packed as `index << 8 | count` and sorted. */
  take(): Uint32Array {
    const packed = Uint32Array.from(this.#indices, (index, at) => {
      PLACES[index] = 0;
      return index * 256 + this.#counts[at]!;
    });
    return packed.sort();
  }
}
