import type { Provider } from '../core/provider.ts';

/** So many characters of a secret in a row, from its beginning, its end or anywhere, are hidden; fewer may be a word. */
export const LEAST_PART = 8;
/** As many of a secret make so many in base64. */
const LEAST_BASE64_PART = 11;
/** Secrets shorter than this are not looked for: they would match by accident. */
const LEAST_SECRET = 6;
/** Characters of a secret that are looked at. No vendor's key is nearly as long. */
const MOST_OF_SECRET = 4096;

/**
 * What vendors write before the secret part of all of their keys (`sk-proj-`, `sk-ant-api03-`, `gsk_`): up to three short words. It is
 * public, and alone no part of a key.
 */
const PUBLIC_PREFIX = /^(?:[a-z]{1,6}\d{0,2}[-_]){1,3}/i;

/** Headers that an operator sets to authorize by, where the vendor's row does not know how. */
const SECRET_HEADER = /auth|key|token|secret|cookie/;
const SCHEME = /^(?:bearer|basic|token) +/i;

const HIDDEN = '***';

const HASHES = 65_536;

/** One way to write a secret, in lower case. Parts of `least` characters from `from` on tell it; what stands around them in it is hidden with them. */
type Form = { text: string; from: number; least: number };

/** Where the parts of a form begin in it, by the parts. Those of one length stand together. `starts`: a bit for each hash of a part's first letters. */
type Parts = { least: number; at: Map<string, { form: Form; index: number }>; starts: Uint32Array };

/**
 * Takes a provider's secrets out of a vendor's words: whole, in parts, in whatever case, URL-encoded, in hex and in base64
 * (both alphabets, alone or behind a user's name). The work is linear in the words.
 */
export class Redactor {
  readonly #parts: readonly Parts[];
  readonly #whole: readonly string[];

  constructor(secrets: readonly string[]) {
    const long = secrets
      .filter(({ length }) => length >= LEAST_SECRET)
      .map((secret) => secret.slice(0, MOST_OF_SECRET));
    const forms = long.flatMap(formsOf);
    this.#whole = [...new Set(long.flatMap((secret) => [secret, encodeURIComponent(secret)]).map(lower))];
    this.#parts = [LEAST_PART, LEAST_BASE64_PART, 2 * LEAST_PART].map((least) => partsOf(forms, least));
  }

  /** The same text with `***` where a secret, or a part of one, stood. */
  redact(text: string): string {
    const found = this.#find(lower(text));
    if (found.length === 0) return text;
    let rest = '';
    let from = 0;
    for (const [start, end] of found) {
      rest += text.slice(from, start) + HIDDEN;
      from = end;
    }
    return rest + text.slice(from);
  }

  /** Spans that are to be hidden, in order; none touches the next. */
  #find(text: string): [start: number, end: number][] {
    const spans: [number, number][] = [];
    for (const word of this.#whole) {
      for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
        spans.push([at, at + word.length]);
      }
    }
    for (const { least, at: known, starts } of this.#parts) {
      if (known.size === 0) continue;
      let from = 0;
      for (let at = 0; at + least <= text.length; at += 1) {
        if (!mayStart(starts, text, at)) continue;
        const part = known.get(text.slice(at, at + least));
        if (part === undefined) continue;
        const span = stretched(text, at, part, from);
        spans.push(span);
        from = span[1];
        at = Math.max(at, from - least);
      }
    }
    return joined(spans);
  }
}

/** The secrets by which a gateway authorizes at a provider: its credential, and what the operator's own headers carry. */
export function secretsOf({ credential, headers }: Pick<Provider, 'credential' | 'headers'>): string[] {
  const said = Object.entries(headers).filter(([name]) => SECRET_HEADER.test(name));
  const own = said.map(([, value]) => value.replace(SCHEME, ''));
  return credential === null ? own : [credential.reveal(), ...own];
}

function formsOf(secret: string): Form[] {
  const from = PUBLIC_PREFIX.exec(secret)?.[0].length ?? 0;
  const encoded = encodeURIComponent(secret);
  const plain = [
    { text: lower(secret), from, least: LEAST_PART },
    { text: lower(encoded), from: encodeURIComponent(secret.slice(0, from)).length, least: LEAST_PART },
  ];
  return [
    ...(encoded === secret ? plain.slice(0, 1) : plain),
    hexOf(secret, from),
    ...[0, 1, 2].flatMap((shift) => base64Of(secret, from, shift)),
  ];
}

/** As many characters of a secret as of the others, of which each makes two. */
function hexOf(secret: string, from: number): Form {
  const text = Buffer.from(secret).toString('hex');
  return { text, from: 2 * Buffer.byteLength(secret.slice(0, from)), least: 2 * LEAST_PART };
}

/** What a secret reads in base64 behind so many bytes of something else (a user's name), from where its own bytes decide. */
function base64Of(secret: string, from: number, shift: number): Form[] {
  const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(secret)]);
  const first = Math.ceil((shift * 8) / 6);
  const secretFrom = Math.ceil(((shift + from) * 8) / 6) - first;
  const written = [bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')];
  const texts = written.map((text) => lower(text.slice(first)));
  return [...new Set(texts)].map((text) => ({ text, from: secretFrom, least: LEAST_BASE64_PART }));
}

function partsOf(forms: readonly Form[], least: number): Parts {
  const at = new Map<string, { form: Form; index: number }>();
  const starts = new Uint32Array(HASHES / 32);
  for (const form of forms) {
    if (form.least !== least) continue;
    for (let index = form.from; index + least <= form.text.length; index += 1) {
      const part = form.text.slice(index, index + least);
      if (at.has(part)) continue;
      at.set(part, { form, index });
      const hash = hashOfStart(part, 0);
      starts[hash >>> 5]! |= 1 << (hash & 31);
    }
  }
  return { least, at, starts };
}

/** Cheap, and mostly no: every vendor’s name for a request is looked through, and seldom has anything of a secret. */
function mayStart(starts: Uint32Array, text: string, at: number): boolean {
  const hash = hashOfStart(text, at);
  return (starts[hash >>> 5]! & (1 << (hash & 31))) !== 0;
}

/** Of the four letters from there on: no part has fewer. */
function hashOfStart(text: string, at: number): number {
  const half = text.charCodeAt(at) * 31 + text.charCodeAt(at + 1);
  return ((half * 31 + text.charCodeAt(at + 2)) * 31 + text.charCodeAt(at + 3)) % HASHES;
}

/** As much around a part as is in the secret, too; to the left no further than `from`, so that nothing is looked at twice. */
function stretched(
  text: string,
  at: number,
  { form, index }: { form: Form; index: number },
  from: number,
): [number, number] {
  let before = 0;
  while (at - before > from && index > before && text[at - before - 1] === form.text[index - before - 1]) before += 1;
  let length = form.least;
  while (index + length < form.text.length && text[at + length] === form.text[index + length]) length += 1;
  return [at - before, at + length];
}

function joined(spans: [number, number][]): [number, number][] {
  const whole: [number, number][] = [];
  for (const [start, end] of spans.sort(([one], [other]) => one - other)) {
    const last = whole.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else whole.push([start, end]);
  }
  return whole;
}

/** Without a change of length, as there would be in other alphabets. */
function lower(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
