import type { TooLong } from '../core/errors.ts';
import { parseJson } from '../json/parse.ts';
import { RECOGNIZERS } from './too-long-messages.ts';
import { readTooLongSentence } from './too-long-sentence.ts';

/** The code that agents and routes react to, in OpenAI's words. */
export const TOO_LONG_CODE = 'context_length_exceeded';

/**
 * Types and codes for a prompt that is too long, whatever the message says: of OpenAI, llama.cpp, Copilot, Volcano
 * Engine, Baidu, GitHub Models and other gateways. 1261 is Z.ai's (https://docs.z.ai/api-reference/api-code), 336103
 * Baidu's.
 */
const SAYS_SO =
  /^(?:(?:model_?)?context_?(?:length|window|limit|size)?_?exceeded(?:_?error)?|exceed_context_size_error|model_max_prompt_tokens_exceeded|(?:prompt|input|tokens|context)_?too_?long(?:_?error)?|out_?of_?context(?:_?error)?|tokens_limit_reached|1261|336103)$/i;

/** Codes and types that say no more than the status. Any other code is the vendor's own reason and is kept. */
const VAGUE =
  /^(?:\d*|(?:bad|invalid)[-_ ]?(?:request|parameters?|argument|prompt|params|value|input|message)(?:[-_ ]?(?:argument|entity|body|prompt|error))?|failed_precondition|client specified an invalid argument|(?:internal_)?(?:server|api|upstream|provider|model)_?error|internal_?error|internalerror\.algo\.invalidparameter|validation(?:_?(?:error|exception))?|error|unknown(?:_error)?)$/i;

/** Messages about a rate limit, which may also mention too many tokens. */
const THROTTLED =
  /\b(?:rate[- ]?limit\w*|too many requests|per[- ]?(?:sec(?:ond)?|min(?:ute)?|hour|day|month)|[rt]p[dhms]|throttl\w+|please wait|quota|slow down)\b|频率|频繁|限流|配额|每分钟|每天/i;

/**
 * What may stand before a vendor's sentence: a status, names of errors and of gateways, each before a colon, a dash or in
 * brackets. A name of a field is none, nor are words about the prompt: the rest may be its text.
 */
const WRAPPERS: readonly RegExp[] = [
  /^(?:<\d{3}>|\[\d{3}\]|\(\d{3}\)|(?:error code|status(?: code)?|http(?: error)?|upstream status):? ?\d{3}|\d{4,5}(?=:)|\d{3})\s*(?:bad request\b)?\s*[:,;–-]*\s*/i,
  /^(?:[\w.]{0,60}(?:error|exception|invalidparameter)\b|invalid (?:request|params?|parameters?|argument|input)\b|input validation error|bad request|provider returned error|upstream (?:error|request failed)|the model returned the following errors?|(?:api )?request failed)\s*[:,;–-]*\s*/i,
  /^(?:\[[\w .-]{1,60}\]|<[\w .-]{1,60}>)\s*[:–-]*\s*/,
  /^an? (?:unexpected |internal )?error (?:has )?occurred[^.:]{0,60}[.:]\s+/i,
  /^(?!.{0,60}\b(?:prompt|content|policy|flagged|blocked|field|value|property|message|text|user said)\b[^:]*:)(?:[A-Z][A-Z_]+|(?:[\w-]+ ){0,6}[\w-]*[A-Za-z]|[\w -]{1,60}for model ['"`][^'"`]{1,80}['"`]): +/i,
];
const MOST_WRAPPERS = 6;

/** Members that hold another vendor's error, or more text besides `message`. */
const NESTED = [
  'message',
  'msg',
  'detail',
  'status_msg',
  'error_msg',
  'error',
  'raw',
  'metadata',
  'innererror',
  'details',
  'errors',
  'base_resp',
  'original_error',
  'provider_error',
] as const;
const MOST_DEPTH = 16;
const MOST_TEXTS = 24;
const MOST_CHARACTERS = 4000;
const MOST_JSON = 64 * 1024;

export type TooLongFound = { message: string; tokens: TooLong | null };

/**
 * Whether an error means that the prompt is too long: `null` if not, else the vendor's sentence with its numbers.
 * @param status of the answer, or of an error inside one; with a 429 only a sentence that speaks of no rate means it
 * @param error the vendor's body, parsed, or the error inside an answer
 */
export function findTooLong(status: number, error: unknown): TooLongFound | null {
  if (!MAY_MEAN_IT.has(status) && status < 500) return null;
  const found: Seen = { texts: [], names: [], numbers: {} };
  gather(error, found, 0);
  const [first = ''] = found.texts;
  if (found.texts.some((text) => THROTTLED.test(text))) return null;
  const said = found.texts.flatMap((text) => recognize(text) ?? [])[0];
  const named = found.names.some((name) => SAYS_SO.test(name));
  if (said === undefined && !named) return null;
  if (!named && found.names.some((name) => !VAGUE.test(name))) return null;
  return { message: said?.message ?? first, tokens: said?.tokens ?? tokensOf(found.numbers) };
}

const MAY_MEAN_IT: ReadonlySet<number> = new Set([400, 413, 422, 429]);

type Seen = { texts: string[]; names: string[]; numbers: Record<string, unknown> };

function gather(value: unknown, seen: Seen, depth: number): void {
  if (depth > MOST_DEPTH || seen.texts.length >= MOST_TEXTS) return;
  if (typeof value === 'string') return gatherText(value, seen, depth);
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value.slice(0, 8)) gather(item, seen, depth + 1);
    return;
  }
  const members = value as Record<string, unknown>;
  for (const name of [members.code, members.error_code]) {
    if (typeof name === 'string' || typeof name === 'number') seen.names.push(String(name));
  }
  if (typeof members.type === 'string' && SAYS_SO.test(members.type)) seen.names.push(members.type);
  if (members.n_ctx !== undefined) seen.numbers = members;
  for (const name of NESTED) if (members[name] !== undefined) gather(members[name], seen, depth + 1);
}

/** A text may be an error as JSON, or end with one. */
function gatherText(text: string, seen: Seen, depth: number): void {
  seen.texts.push(text.slice(0, MOST_CHARACTERS));
  const start = text.search(/[{[]/);
  if (start < 0 || text.length > MOST_JSON) return;
  try {
    gather(parseJson(text.slice(start)), seen, depth + 1);
  } catch {
    // A Python gateway writes the error it got as Python does: with single quotes, or its bytes with escapes.
    const written = text.slice(start).replace(/\\+(["'n])/g, (_, char: string) => (char === 'n' ? '\n' : char));
    const message = PYTHON.exec(written)
      ?.slice(1)
      .find((words) => words !== undefined);
    if (message !== undefined) gatherText(message, seen, depth + 1);
  }
}

/** The message of an error as Python or half-escaped JSON writes it. It may be JSON itself. */
const PYTHON =
  /["'](?:message|error)["']: ?(?:'((?:\{.{1,4000}?\})|[^']{1,4000})'|"((?:\{.{1,4000}?\})|[^"]{1,4000})")/s;

function recognize(text: string): TooLongFound | null {
  let rest = text.trimStart();
  for (let wrappers = 0; wrappers <= MOST_WRAPPERS; wrappers += 1) {
    for (const { words } of RECOGNIZERS) {
      const match = words.exec(rest);
      if (match === null) continue;
      return isOutputs(match.groups) ? null : { message: text, tokens: tokensIn(match.groups ?? {}) };
    }
    const sentence = readTooLongSentence(rest);
    if (sentence !== null) {
      return { message: text, tokens: tokensOf({ n_prompt_tokens: sentence.asked, n_ctx: sentence.most }) };
    }
    const wrapper = WRAPPERS.find((each) => each.test(rest));
    if (wrapper === undefined) return null;
    const inner = rest.replace(wrapper, '');
    if (inner === rest) return null;
    rest = inner;
  }
  return null;
}

/** Whether a limit on output that takes more than half of the window is what is too high. */
function isOutputs({ output, most }: Record<string, string | undefined> = {}): boolean {
  return output !== undefined && numberIn(output)! * 2 > (numberIn(most) ?? 0);
}

function tokensIn({ asked, most }: Record<string, string | undefined>): TooLong | null {
  return tokensOf({ n_prompt_tokens: numberIn(asked), n_ctx: numberIn(most) });
}

function numberIn(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text.replaceAll(',', ''));
}

/** llama.cpp's members for both numbers. */
function tokensOf({ n_prompt_tokens: asked, n_ctx: most }: Record<string, unknown>): TooLong | null {
  if (!Number.isSafeInteger(asked) || !Number.isSafeInteger(most)) return null;
  // Of numbers that do not say that it is too long one counts something else.
  return (asked as number) > (most as number) ? { asked: asked as number, most: most as number } : null;
}
