import type { Call } from '../core/call.ts';
import { GatewayError } from '../core/errors.ts';
import { SEAL_MARK } from '../core/seal.ts';
import { type Edit, omissions, splice } from '../json/edits.ts';
import { caseless } from '../json/names.ts';
import { JsonNode } from '../json/node.ts';
import { type JsonParse, parseJson } from '../json/parse.ts';
import { indexObject, type JsonBounds, JsonError } from '../json/scan.ts';
import { endOfString } from '../json/string-ends.ts';
import { type ByteRange, hasMember, type JsonIndex, memberAt, memberRange, TAPE_STEP } from '../json/tape.ts';
import type { Dialect, Envelope, PassOptions } from './dialect.ts';
import { NOTICED, SEAL_NAMES } from './noticed-names.ts';

/** A scanned, unparsed request body, as the envelope keeps it. */
export type RequestBody = Pick<Envelope, 'body' | 'index'>;

/**
 * Scans a body. A body that two readers may read differently (a repeated or escaped outermost name) is
 * parsed and rewritten, so that the vendor reads what the gateway read.
 */
export function readRequestBody(body: Buffer, maxJsonDepth: number, bounds?: JsonBounds): RequestBody {
  const read = scan(body, maxJsonDepth, bounds);
  const request = read.index.odd ? rewritten(body, maxJsonDepth) : read;
  refuseOtherCases(request);
  return request;
}

function rewritten(body: Buffer, maxJsonDepth: number): RequestBody {
  const parsed = parseBodyJson(body.toString('utf8'));
  const read = scan(Buffer.from(JSON.stringify(parsed)), maxJsonDepth);
  built.set(read.index, parsed);
  return read;
}

/** The root of the scanned body. */
export function rootOf({ body, index }: RequestBody): JsonNode {
  return new JsonNode({ body, tape: index.tape });
}

/** Whether a seal that the gateway packed may be in the body. Bodies with no name that may hold one are not searched. */
export function mayHoldSeals({ body, index }: RequestBody): boolean {
  return (index.noticed & SEAL_NAMES) !== 0 && body.includes(SEAL_MARK);
}

/** Parsed bodies. They must not be changed. */
const built = new WeakMap<JsonIndex, unknown>();

/** The parsed body, parsed only once. Throws `GatewayError` (400) if it is not valid JSON, or as `parse` does. */
export function parsedBody({ body, index }: RequestBody, parse: JsonParse = parseBodyJson): unknown {
  const known = built.get(index);
  if (known !== undefined) return known;
  const parsed = parse(body.toString('utf8'), !index.escapedNames);
  built.set(index, parsed);
  return parsed;
}

/** Calls that were read, so that a call tried at several targets is read only once. */
const calls = new WeakMap<Envelope, Call>();

/** The whole call, independent of dialects; throws as its reader does. */
export function callOf({ translation }: Dialect, envelope: Envelope): Call {
  const known = calls.get(envelope);
  if (known !== undefined) return known;
  const call = translation!.readCall(envelope);
  calls.set(envelope, call);
  return call;
}

/** Refuses `Model` and the like: some vendors read it as `model`, so they would use an unchecked value. */
function refuseOtherCases({ body, index: { tape } }: RequestBody): void {
  const end = tape[3]!;
  for (let at = TAPE_STEP; at < end; at = tape[at + 3]!) {
    const first = Math.abs(tape[at]!) + 1;
    const other = firstOfOtherCase(body, first);
    if (other < 0) continue;
    const param = body.toString('utf8', first, endOfString(body, other));
    const name = caseless(param);
    if (!OUTERMOST_READ.has(name)) continue;
    const message = `\`${param}\` is not \`${name}\`: names are written in lower case.`;
    throw new GatewayError('invalid_request', message, { param, code: 'unknown_parameter' });
  }
}

/** The index of a name's first character that is not lower-case ASCII or may not be; negative if there is none. */
function firstOfOtherCase(body: Buffer, start: number): number {
  for (let at = start; ; at += 1) {
    const code = body[at]!;
    if (code === 0x22) return -1;
    if (code >= 0x80 || (code >= 0x41 && code <= 0x5a)) return at;
  }
}

/** The parsed value of an outermost member; `undefined` if it is missing. */
export function member({ body, index }: RequestBody, name: string): unknown {
  const at = memberAt(body, index, name);
  if (at < 0) return undefined;
  return parseBodyJson(body.toString('utf8', index.tape[at + 1]!, index.tape[at + 2]!), !index.escapedNames);
}

/** Parses JSON that was already scanned. May still throw: the scan does not check the inside of strings and numbers. */
export function parseBodyJson(text: string, isPlain?: boolean): unknown {
  try {
    return parseJson(text, isPlain);
  } catch (cause) {
    throw invalidJson(cause);
  }
}

/** The error for a body that is not valid JSON. */
export function invalidJson(cause: unknown): GatewayError {
  return new GatewayError('invalid_json', 'The body is not valid JSON.', { cause });
}

/** Reads the required `model`. */
export function readModel(request: RequestBody): string {
  const model = member(request, 'model');
  if (model === undefined) throw missing('model', 'You must name a model.');
  if (typeof model !== 'string' || model === '') throw wrongType('model', 'a string that names a model');
  return model;
}

/** The error for a missing required field. */
export function missing(param: string, message: string): GatewayError {
  return new GatewayError('invalid_request', message, { param, code: 'missing_required_parameter' });
}

/** The error for a field of the wrong type. */
export function wrongType(param: string, wanted: string): GatewayError {
  return new GatewayError('invalid_request', `\`${param}\` must be ${wanted}.`, { param, code: 'invalid_type' });
}

/** The error for a value out of range. The codes are OpenAI's. */
export function outOfRange(param: string, code: string, message: string): GatewayError {
  return new GatewayError('invalid_request', message, { param, code });
}

/** Reads `stream`, by default false. */
export function readStream(request: RequestBody): boolean {
  const stream = member(request, 'stream') ?? false;
  if (typeof stream !== 'boolean') throw wrongType('stream', 'a boolean');
  return stream;
}

/** Refuses a call without messages, without parsing them. */
export function checkMessages(request: RequestBody): void {
  const messages = rootOf(request).get('messages');
  if (messages === null) throw missing('messages', 'You must send `messages`, a list of at least one message.');
  if (!messages.isList) throw wrongType('messages', 'an array');
  if (messages.isEmptyList) {
    throw outOfRange('messages', 'empty_array', '`messages` must hold at least one message.');
  }
}

/** Names that one vendor or another accepts for the output limit. The highest value counts. */
const OUTPUT_LIMITS = ['max_tokens', 'max_completion_tokens', 'max_output_tokens', 'max_new_tokens', 'n_predict'];
/** The same inside other members; and minimum output or thinking, which may exceed the limit. */
const INNER_LIMITS = [['options', 'num_predict']] as const;
const LEAST_OUTPUT = ['min_tokens', 'min_new_tokens'];
const INNER_BUDGETS = [
  ['thinking', 'budget_tokens'],
  ['reasoning', 'max_tokens'],
] as const;
/** Thinking tokens in addition to the limit. */
const THINKING_BUDGET = 'thinking_budget';

/** Outermost members that affect who serves a call, how, and what is reserved for it. */
const OUTERMOST_READ: ReadonlySet<string> = new Set([
  ...['model', 'models', 'provider', 'stream', 'stream_options', 'n', 'best_of', 'background', 'store', 'include'],
  ...[
    'messages',
    'input',
    'prompt',
    'preset',
    'conversation',
    'temperature',
    'reasoning_effort',
    THINKING_BUDGET,
    ...OUTPUT_LIMITS,
    ...LEAST_OUTPUT,
  ],
  ...[...INNER_LIMITS, ...INNER_BUDGETS].map(([outer]) => outer),
]);

/** The caller's output limits, as members of an envelope. */
export type OutputLimits = Pick<Envelope, 'maxOutputTokens' | 'leastOutputTokens' | 'bestOf' | 'thinkingTokens'>;

/**
 * The highest output limit that the call states, because a vendor may use any of the names. `own` is the limit by the
 * dialect's own names. Without it `maxOutputTokens` is `null`, because a vendor may ignore the other names. It is also
 * `null` if a limit is below 1, which means unlimited (LM Studio and llama.cpp accept -1).
 */
export function outputLimits(request: RequestBody, own: number | null): OutputLimits {
  let most = own ?? 0;
  let isOpen = own === null;
  const limited = (limit: number | null): void => {
    if (limit === null) return;
    if (limit < 1) isOpen = true;
    most = Math.max(most, limit);
  };
  for (const name of OUTPUT_LIMITS) limited(integer(request, name));
  for (const [outer, name] of INNER_LIMITS) limited(innerInteger(request, outer, name));
  let least = 0;
  for (const name of LEAST_OUTPUT) least = Math.max(least, integer(request, name) ?? 0);
  for (const [outer, name] of INNER_BUDGETS) least = Math.max(least, innerInteger(request, outer, name) ?? 0);
  const bestOf = integer(request, 'best_of') ?? 0;
  const thinkingTokens = integer(request, THINKING_BUDGET) ?? 0;
  const limits: OutputLimits = { maxOutputTokens: isOpen ? null : most };
  if (least > 0) limits.leastOutputTokens = least;
  if (bestOf > 1) limits.bestOf = bestOf;
  if (thinkingTokens > 0) limits.thinkingTokens = thinkingTokens;
  return limits;
}

function innerInteger(request: RequestBody, outer: string, name: string): number | null {
  if (!hasMember(request.body, request.index, outer)) return null;
  const value = (member(request, outer) as Readonly<Record<string, unknown>> | null)?.[name] ?? null;
  if (value !== null && !Number.isSafeInteger(value)) throw wrongType(`${outer}.${name}`, 'an integer');
  return value as number | null;
}

/** An integer of at least 1; `null` if the caller gave none. */
export function wholeNumber(request: RequestBody, param: string, most = Number.MAX_SAFE_INTEGER): number | null {
  const value = integer(request, param);
  return value === null ? null : within(param, value, most);
}

/** An integer; `null` if the caller gave none. Throws if it is not a safe one. */
export function integer(request: RequestBody, param: string): number | null {
  const range = memberRange(request.body, request.index, param);
  if (range === undefined) return null;
  const plain = plainInteger(request.body, range);
  if (plain >= 0) return plain;
  const value = member(request, param);
  if (value === null) return null;
  if (typeof value !== 'number' || !Number.isInteger(value)) throw wrongType(param, 'an integer');
  if (value > Number.MAX_SAFE_INTEGER) return within(param, value, Number.MAX_SAFE_INTEGER);
  return value;
}

const ZERO = 0x30;
/** Digits of a number that is exact, whatever they are. */
const EXACT_DIGITS = 15;

/** The integer that is written in digits alone, as nearly all are; negative for any other value, which must be parsed. */
function plainInteger(body: Buffer, { start, end }: ByteRange): number {
  if (end - start > EXACT_DIGITS) return -1;
  let value = 0;
  for (let at = start; at < end; at += 1) {
    const digit = body[at]! - ZERO;
    if (digit < 0 || digit > 9) return -1;
    value = 10 * value + digit;
  }
  return value;
}

/** The value, checked to be from 1 to `most`. */
export function within(param: string, value: number, most: number): number {
  if (value < 1)
    throw outOfRange(param, 'integer_below_min_value', `\`${param}\` must be at least 1; ${value} is not.`);
  if (value <= most) return value;
  throw outOfRange(param, 'integer_above_max_value', `\`${param}\` must be at most ${most}; ${value} is not.`);
}

const MAX_TEMPERATURE = 2;

export function checkTemperature(request: RequestBody): void {
  const value = member(request, 'temperature');
  if (value === undefined || value === null) return;
  if (typeof value !== 'number') throw wrongType('temperature', 'a number');
  if (value >= 0 && value <= MAX_TEMPERATURE) return;
  const code = value < 0 ? 'decimal_below_min_value' : 'decimal_above_max_value';
  throw outOfRange('temperature', code, `\`temperature\` must be from 0 to ${MAX_TEMPERATURE}; ${value} is not.`);
}

/** An inline file, which does not count as text. */
const DATA_URL = /^data:[^,]{0,200};base64,/;

/** Collects every text in a value, except under the names in `skipped`. */
export function gatherWords(value: JsonNode | null, words: string[], skipped: ReadonlySet<string>): void {
  const take = (found: JsonNode): void => {
    const text = found.text ?? '';
    if (found.isText && !DATA_URL.test(text)) words.push(text);
  };
  if (value?.isText) return take(value);
  value?.walk((inner) => {
    if (skipped.has(inner.name ?? '')) return false;
    take(inner);
    return true;
  });
}

/** A parsed body without these members. */
export function fieldsWithout(
  fields: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

/** The caller's body with the vendor's model name, without members that only the gateway reads. */
export function passBody(
  { model, body, index }: Envelope,
  { upstreamModel, drop }: PassOptions,
  more: readonly Edit[] = [],
): Buffer {
  if (model === upstreamModel && drop === undefined && more.length === 0) return body;
  const edits: Edit[] = [...omissions(body, index, drop ?? []), ...more];
  if (model !== upstreamModel)
    edits.push({ ...memberRange(body, index, 'model')!, text: JSON.stringify(upstreamModel) });
  edits.sort((one, other) => one.start - other.start);
  return splice(body, edits);
}

/**
 * The text that `read` finds in a body. A body that passed the scan may still contain invalid strings, and a lenient
 * vendor may answer it; then its raw text counts, without inline files.
 */
export function wordsOrRaw(call: RequestBody, read: (body: JsonNode, words: string[]) => void): string {
  try {
    const words: string[] = [];
    read(rootOf(call), words);
    return words.join('\n');
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return call.body.toString('utf8').replace(/;base64,[^"]*/g, '');
  }
}

/** Adds members that count as text in their JSON form, such as tools. */
export function gatherJson(body: JsonNode, names: readonly string[], words: string[]): void {
  for (const name of names) {
    const value = body.get(name);
    if (value !== null) words.push(JSON.stringify(value.parsed()));
  }
}

function scan(body: Buffer, maxJsonDepth: number, bounds?: JsonBounds): RequestBody {
  try {
    return { body, index: indexObject(body, maxJsonDepth, NOTICED, bounds) };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new GatewayError(
      'invalid_json',
      `The body could not be read as a JSON object: ${error.message} (byte ${error.offset}).`,
    );
  }
}
