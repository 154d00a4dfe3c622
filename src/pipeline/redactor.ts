import type { Provider } from '../core/provider.ts';

/** The shortest part of a secret that is hidden, in characters; shorter ones may be ordinary words. */
export const LEAST_PART = 8;
/** The base64 length of `LEAST_PART` bytes. */
const LEAST_BASE64_PART = 11;
/** Shorter secrets are not searched for, because they would match by accident. */
const LEAST_SECRET = 6;
/** The most characters of a secret that are searched for: as many as a provider's key may have in the settings. */
const MOST_OF_SECRET = 8192;

/**
 * The public prefix of a vendor's keys (`sk-proj-`, `sk-ant-api03-`, `gsk_`): up to three short words. Alone, it is not
 * hidden.
 */
const PUBLIC_PREFIX = /^(?:[a-z]{1,6}\d{0,2}[-_]){1,3}/i;

/** Names of headers that operators set to authorize at vendors. */
const SECRET_HEADER = /auth|key|token|secret|cookie/;
const SCHEME = /^(?:bearer|basic|token) +/i;

const HIDDEN = '***';

const HASHES = 65_536;

/**
 * One encoding of a secret, in lower case. Parts of at least `least` characters from index `from` on identify it;
 * adjacent matching text is hidden too.
 */
type Form = { text: string; from: number; least: number };

/** All parts of one length, with form and index. `starts`: a bit for each hash of a part's first characters. */
type Parts = { least: number; at: Map<string, { form: Form; index: number }>; starts: Uint32Array };

/**
 * Removes a provider's secrets from a vendor's text: whole, in parts, in any case, URL-encoded, in hex and in base64
 * (both alphabets, alone or after a user name). Takes linear time.
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

  /** The text with each secret, or part of one, replaced by `***`. */
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

  /** The spans to hide, in order and separate from each other. */
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

/** The secrets that the gateway sends to a provider: its credential, and those in headers that the operator set. */
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

/** The hex form. Each byte makes two characters, so the same number of bytes is needed. */
function hexOf(secret: string, from: number): Form {
  const text = Buffer.from(secret).toString('hex');
  return { text, from: 2 * Buffer.byteLength(secret.slice(0, from)), least: 2 * LEAST_PART };
}

/** The base64 forms of a secret after `shift` other bytes (a user name), from the first character that no other byte affects. */
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

/** A cheap test that is usually false: every vendor request id is checked, and rarely contains a secret. */
function mayStart(starts: Uint32Array, text: string, at: number): boolean {
  const hash = hashOfStart(text, at);
  return (starts[hash >>> 5]! & (1 << (hash & 31))) !== 0;
}

/** A hash of the four characters at `at`. No part is shorter. */
function hashOfStart(text: string, at: number): number {
  const half = text.charCodeAt(at) * 31 + text.charCodeAt(at + 1);
  return ((half * 31 + text.charCodeAt(at + 2)) * 31 + text.charCodeAt(at + 3)) % HASHES;
}

/**
 * The span of a match, extended while its surroundings also match the secret; to the left at most to `from`, so that
 * nothing is read twice.
 */
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

/** Lowers only ASCII letters, because others may change the text's length. */
function lower(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
