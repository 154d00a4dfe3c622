import { GatewayError } from '../core/errors.ts';
import { type JsonBounds, JsonError, type Members, scanObject, utf8Of } from '../core/json.ts';
import type { Envelope, PassOptions } from './dialect.ts';

/** A request body of the OpenAI family, looked at but not built. `text` is the body read as latin1. */
export type RequestBody = { body: Buffer; text: string; members: Members };

/**
 * Reads the outermost members. A body that two readers may read differently (a repeated or escaped name) is written
 * anew from its full parse, so that the vendor sees what the gateway saw.
 */
export function readRequestBody(body: Buffer, maxJsonDepth: number, bounds?: JsonBounds): RequestBody {
  let read = scan(body, maxJsonDepth, bounds);
  if (read.members.odd) read = scan(Buffer.from(JSON.stringify(parseJson(body.toString('utf8')))), maxJsonDepth);
  refuseOtherCases(read);
  return read;
}

/** Refuses `Model` and the like: some vendors take it for `model`, so that they would do what was not looked at here. */
function refuseOtherCases({ members: { spans } }: RequestBody): void {
  for (const written of spans.keys()) {
    if (!OTHER_CASE.test(written)) continue;
    const param = utf8Of(written);
    const name = caseless(param);
    if (!OUTERMOST_READ.has(name)) continue;
    const message = `\`${param}\` is not \`${name}\`: names are written in lower case.`;
    throw new GatewayError('invalid_request', message, { param, code: 'unknown_parameter' });
  }
}

/** A name, read as latin1, may have letters of another case. */
const OTHER_CASE = /[A-Z\x80-\xff]/;

/** A name as readers see it that take one case for the other: also where a letter of Unicode has an ASCII one for its other case. */
export function caseless(name: string): string {
  return name.toUpperCase().toLowerCase();
}

/** One member's value, parsed; `undefined` where there is none. */
export function member(request: RequestBody, name: string): unknown {
  const span = request.members.spans.get(name);
  return span === undefined ? undefined : parseJson(utf8Of(request.text.slice(span.start, span.end)));
}

/** Parses JSON that the structural scan let pass: what stands inside its strings and numbers may still be wrong. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new GatewayError('invalid_json', 'The body is not valid JSON.', { cause });
  }
}

/** `model`, which every call must name. */
export function readModel(request: RequestBody): string {
  const model = member(request, 'model');
  if (model === undefined) throw missing('model', 'You must name a model.');
  if (typeof model !== 'string' || model === '') throw wrongType('model', 'a string that names a model');
  return model;
}

/** The refusal of a body that lacks a required field. */
export function missing(param: string, message: string): GatewayError {
  return new GatewayError('invalid_request', message, { param, code: 'missing_required_parameter' });
}

/** The refusal of a field whose value is of the wrong type. */
export function wrongType(param: string, wanted: string): GatewayError {
  return new GatewayError('invalid_request', `\`${param}\` must be ${wanted}.`, { param, code: 'invalid_type' });
}

/** The refusal of a field whose value is beyond its bounds. The codes are those that OpenAI's clients know. */
export function outOfRange(param: string, code: string, message: string): GatewayError {
  return new GatewayError('invalid_request', message, { param, code });
}

/** `stream`, by default false. */
export function readStream(request: RequestBody): boolean {
  const stream = member(request, 'stream') ?? false;
  if (typeof stream !== 'boolean') throw wrongType('stream', 'a boolean');
  return stream;
}

/** Refuses a call without messages. They are not parsed for it. */
export function checkMessages(request: RequestBody): void {
  const span = request.members.spans.get('messages');
  if (span === undefined) throw missing('messages', 'You must send `messages`, a list of at least one message.');
  if (request.text[span.start] !== '[') throw wrongType('messages', 'an array');
  if (request.text.slice(span.start + 1, span.end).search(/\S/) === span.end - span.start - 2) {
    throw outOfRange('messages', 'empty_array', '`messages` must hold at least one message.');
  }
}

/** Names under which some vendor or other takes a limit on output: they count where they are higher than the dialect's own. */
const OUTPUT_LIMITS = ['max_tokens', 'max_completion_tokens', 'max_output_tokens', 'max_new_tokens', 'n_predict'];
/** The same inside of another member, and what is written at least or thought, which may be more than the limit says. */
const INNER_LIMITS = [['options', 'num_predict']] as const;
const LEAST_OUTPUT = ['min_tokens', 'min_new_tokens'];
const INNER_BUDGETS = [
  ['thinking', 'budget_tokens'],
  ['reasoning', 'max_tokens'],
] as const;
/** What is thought beside the limit. */
const THINKING_BUDGET = 'thinking_budget';

/** Outermost members that decide who serves a call, how, and what is held for it. */
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

/** What a caller says of the largest output, as members of an envelope. */
export type OutputLimits = Pick<Envelope, 'maxOutputTokens' | 'leastOutputTokens' | 'bestOf' | 'thinkingTokens'>;

/**
 * The largest of all that is said of the output: a vendor may go by any of them. `own` is what the dialect's own name,
 * or names, say: without one of them no other lowers what is held, since it may be passed over. One below 1 is no limit
 * (LM Studio and llama.cpp take -1 so): then, as where nothing is said, `maxOutputTokens` is `null`.
 */
export function outputLimits(request: RequestBody, own: number | null): OutputLimits {
  const limits = [...OUTPUT_LIMITS.map((name) => integer(request, name)), ...innerIntegers(request, INNER_LIMITS)];
  const least = highest([
    ...LEAST_OUTPUT.map((name) => integer(request, name)),
    ...innerIntegers(request, INNER_BUDGETS),
  ]);
  const isOpen = own === null || limits.some((limit) => limit !== null && limit < 1);
  const bestOf = integer(request, 'best_of');
  const thinkingTokens = integer(request, THINKING_BUDGET);
  return {
    maxOutputTokens: isOpen ? null : Math.max(own, highest(limits)),
    ...(least > 0 && { leastOutputTokens: least }),
    ...(bestOf !== null && bestOf > 1 && { bestOf }),
    ...(thinkingTokens !== null && thinkingTokens > 0 && { thinkingTokens }),
  };
}

function highest(numbers: readonly (number | null)[]): number {
  return numbers.reduce<number>((most, number) => Math.max(most, number ?? 0), 0);
}

/** How hard to think, as a member of an envelope. */
export function effortOf(word: unknown): { effort?: string } {
  return typeof word === 'string' ? { effort: word } : {};
}

function innerIntegers(request: RequestBody, places: readonly (readonly [string, string])[]): (number | null)[] {
  return places.map(([outer, name]) => {
    if (!request.members.spans.has(outer)) return null;
    const value = (member(request, outer) as Readonly<Record<string, unknown>> | null)?.[name] ?? null;
    if (value !== null && !Number.isSafeInteger(value)) throw wrongType(`${outer}.${name}`, 'an integer');
    return value as number | null;
  });
}

/** A count that must be at least 1; `null` where the caller gave none. */
export function wholeNumber(request: RequestBody, param: string, most = Number.MAX_SAFE_INTEGER): number | null {
  const value = integer(request, param);
  return value === null ? null : within(param, value, most);
}

/** An integer of any size; `null` where the caller gave none. */
export function integer(request: RequestBody, param: string): number | null {
  const value = member(request, param);
  if (value === undefined || value === null) return null;
  if (typeof value !== 'number' || !Number.isInteger(value)) throw wrongType(param, 'an integer');
  if (value > Number.MAX_SAFE_INTEGER) return within(param, value, Number.MAX_SAFE_INTEGER);
  return value;
}

/** The value, which must be from 1 to `most`. */
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

/** Inline files are not words: a string this shape is left out. */
const DATA_URL = /^data:[^,]{0,200};base64,/;

/** Words deeper than this are not looked for: with `limits.max_json_depth` set high, the stack would not hold out. */
const MAX_WORD_DEPTH = 512;

/** Gathers every text in a value but those under the names to be skipped. */
export function gatherWords(value: unknown, words: string[], skipped: ReadonlySet<string>, depth = 0): void {
  if (typeof value === 'string') {
    if (!DATA_URL.test(value)) words.push(value);
    return;
  }
  if (typeof value !== 'object' || value === null || depth === MAX_WORD_DEPTH) return;
  if (Array.isArray(value)) {
    for (const item of value) gatherWords(item, words, skipped, depth + 1);
    return;
  }
  const members = value as Readonly<Record<string, unknown>>;
  for (const name of Object.keys(members)) {
    if (!skipped.has(name)) gatherWords(members[name], words, skipped, depth + 1);
  }
}

/** A change to the body's bytes: what stands in `[start, end)` becomes `text`. */
export type Edit = { start: number; end: number; text: string };

/** Applies edits, given in the order of their places. Without edits the same bytes come back. */
export function splice(body: Buffer, edits: readonly Edit[]): Buffer {
  if (edits.length === 0) return body;
  const pieces: Buffer[] = [];
  let from = 0;
  for (const edit of edits) {
    pieces.push(body.subarray(from, edit.start), Buffer.from(edit.text));
    from = edit.end;
  }
  pieces.push(body.subarray(from));
  return Buffer.concat(pieces);
}

/** The edits that leave out these outermost members, and with each one of the commas beside it. Others must be left. */
export function omissions({ text, members }: RequestBody, names: readonly string[]): Edit[] {
  const spans = names.flatMap((name) => {
    const span = members.spans.get(name);
    // A name that is read has no escapes, so that it stands there as it is.
    return span === undefined ? [] : [{ start: text.lastIndexOf(`"${name}"`, span.start - 1), end: span.end }];
  });
  spans.sort((one, other) => one.start - other.start);
  /** Everything up to here is left out, so that there is no comma any more before what follows. */
  let front = text.indexOf('{') + 1;
  return spans.map(({ start, end }) => {
    const before = text.slice(0, start).trimEnd().length;
    if (before > front) return { start: before - 1, end, text: '' };
    front = text.indexOf(',', end) + 1;
    return { start, end: front, text: '' };
  });
}

/** The same of a body that is written anew. */
export function fieldsWithout(
  fields: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

/** The caller's bytes with the vendor's model name, and without what is for the gateway alone. */
export function passBody({ model, body }: Envelope, { upstreamModel, drop }: PassOptions): Buffer {
  if (model === upstreamModel && drop === undefined) return body;
  const request = readRequestBody(body, Number.MAX_SAFE_INTEGER);
  const edits = omissions(request, drop ?? []);
  if (model !== upstreamModel)
    edits.push({ ...request.members.spans.get('model')!, text: JSON.stringify(upstreamModel) });
  edits.sort((one, other) => one.start - other.start);
  return splice(request.body, edits);
}

/**
 * The words that `read` finds in a body. One that passes the structural scan may still not parse, where a vendor that is
 * as liberal answers it: its raw text is then counted, without inline files.
 */
export function wordsOrRaw(body: Buffer, read: () => string): string {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return body.toString('utf8').replace(/;base64,[^"]*/g, '');
  }
}

function scan(body: Buffer, maxJsonDepth: number, bounds?: JsonBounds): RequestBody {
  const text = body.toString('latin1');
  try {
    return { body, text, members: scanObject(text, maxJsonDepth, bounds) };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new GatewayError(
      'invalid_json',
      `The body could not be read as a JSON object: ${error.message} (byte ${error.offset}).`,
    );
  }
}
