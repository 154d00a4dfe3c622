import { ERROR_KINDS, type GatewayError } from '../core/errors.ts';
import { joinLosses } from '../core/losses.ts';
import { dollars, type NanoDollars } from '../core/money.ts';
import { type Edit, splice } from '../json/edits.ts';
import { parseJson } from '../json/parse.ts';
import { JsonError, scanObject } from '../json/scan.ts';
import { memberRange } from '../json/tape.ts';
import type { PlannedCall } from './account.ts';
import type { StreamConverter } from './translation/converter.ts';

/** What a caller is shown of a call beside the answer itself: who served it, and what it costs. */
export class AnswerMetadata {
  /** The header that asks for the cost was sent. */
  readonly cost: boolean;
  /** The route that answers in the place of whoever serves; `null` where that may be told. */
  readonly #inTheNameOf: string | null;
  /** How the caller's format says what was left out; `null` where it has no place for it. */
  readonly #leftOut: ((name: string) => object) | null;

  constructor({ request, plan, settings }: PlannedCall) {
    this.cost = request.sent.header(`${settings.headerPrefix}-include-cost`) === 'true';
    this.#leftOut = request.answered.inbound.leftOut ?? null;
    const { route } = plan;
    this.#inTheNameOf = route === null || route.disclose || request.caller.key.admin ? null : route.id;
  }

  /** Whether the caller may know who serves. */
  get target(): boolean {
    return this.#inTheNameOf === null;
  }

  /** An error as the caller reads it: words may be a vendor's, or name one. */
  error(error: GatewayError): GatewayError {
    return this.#inTheNameOf === null ? error : error.with({ message: ERROR_KINDS[error.kind].meaning });
  }

  /** @param dropped what was left out of the call */
  stream(converter: StreamConverter, dropped: readonly string[]): StreamConverter {
    const told =
      this.#leftOut === null || dropped.length === 0 ? converter : telling(converter, dropped, this.#leftOut);
    return this.#inTheNameOf === null ? told : named(told, this.#inTheNameOf, this);
  }

  /** The body of a whole answer; `cost` is `null` where no price is known; `dropped`: what call and answer have lost. */
  whole(body: Buffer | string, cost: NanoDollars | null, dropped: readonly string[]): Buffer | string {
    if (!this.cost && this.#inTheNameOf === null && dropped.length === 0) return body;
    const ours = dropped.filter(isOurs);
    const tells = this.#leftOut !== null && ours.length > 0;
    const shown = edited(body, [
      ...(this.#inTheNameOf === null ? [] : [modelEdit(this.#inTheNameOf)]),
      ...(this.cost ? [costEdit(cost)] : []),
    ]);
    return tells ? withLeftOut(shown, ours.map(this.#leftOut!)) : shown;
  }
}

/** The longest end of a stream that is looked through, in characters: what it takes is not divided. */
const MOST = 1024 * 1024;
/** No vendor nests an answer deeper; one that does was refused before. */
const MAX_DEPTH = 512;

/**
 * The last frames of a stream with `cost` (dollars, `null` where no price is known) in the last usage that they tell, which is
 * parsed and written anew. Without one they stay as they are.
 */
export function withCost(frames: Buffer | string, cost: NanoDollars | null): Buffer | string {
  if (frames.length > MOST) return frames;
  const lines = frames.toString().split('\n');
  for (let index = lines.length - 1; index >= 0; index -= 1) {
    const written = dataLine(lines[index]!, '"usage"', [costEdit(cost)]);
    if (written !== null) return lines.with(index, written).join('\n');
  }
  return frames;
}

/** What replaces a member's value, given its text; `null` leaves it. It may stand in an outermost object. */
type BodyEdit = { name: string; replaced(value: string): string | null };

function costEdit(cost: NanoDollars | null): BodyEdit {
  return {
    name: 'usage',
    replaced(value) {
      const usage = parseJson(value) as object | null;
      return typeof usage === 'object' && usage !== null
        ? JSON.stringify({ ...usage, cost: cost === null ? null : dollars(cost) })
        : null;
    },
  };
}

function modelEdit(route: string): BodyEdit {
  return { name: 'model', replaced: (value) => (value.startsWith('"') ? JSON.stringify(route) : null) };
}

const PLACE = 'input_transformations';

/** What the vendor has left out stands there already. */
function isOurs(name: string): boolean {
  return name !== PLACE;
}

/** The JSON with entries beside those that the vendor has, or in a list behind the usage, which every such object has. */
function withLeftOut(json: Buffer | string, entries: readonly object[]): Buffer | string {
  const beside: BodyEdit = {
    name: PLACE,
    replaced(value) {
      const list = parseJson(value);
      return JSON.stringify([...(Array.isArray(list) ? list : []), ...entries]);
    },
  };
  const placed = json.includes(`"${PLACE}"`) ? edited(json, [beside]) : json;
  if (placed !== json) return placed;
  return edited(json, [{ name: 'usage', replaced: (value) => `${value},"${PLACE}":${JSON.stringify(entries)}` }]);
}

/** A line of an event stream with its data edited; `null` where nothing of it was. */
function dataLine(line: string, needed: string, edits: readonly BodyEdit[]): string | null {
  return dataLineWith(line, needed, (data) => edited(data, edits));
}

function dataLineWith(line: string, needed: string, edit: (data: string) => Buffer | string): string | null {
  if (!line.startsWith('data:') || !line.includes(needed)) return null;
  const end = line.endsWith('\r') ? '\r' : '';
  const data = line.slice('data:'.length, line.length - end.length).trimStart();
  const written = edit(data);
  return written === data ? null : `data: ${written}${end}`;
}

/** Members within which a vendor's own object may stand, in an event. */
const HOLDERS = ['response', 'message'];

/** The JSON object with members edited, its own or those of an object that it holds; the same where there is none, or no object. */
function edited(json: Buffer | string, edits: readonly BodyEdit[]): Buffer | string {
  const body = typeof json === 'string' ? Buffer.from(json) : json;
  const found = editsOf(body, edits, 0);
  if (found.length === 0) return json;
  const written = splice(
    body,
    found.toSorted((one, other) => one.start - other.start),
  );
  return typeof json === 'string' ? written.toString() : written;
}

function editsOf(body: Buffer, edits: readonly BodyEdit[], from: number): Edit[] {
  let index: ReturnType<typeof scanObject>;
  try {
    index = scanObject(body, MAX_DEPTH);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return [];
  }
  const own = edits.flatMap(({ name, replaced }) => {
    const range = memberRange(body, index, name);
    if (range === undefined) return [];
    const text = replaced(body.toString('utf8', range.start, range.end));
    return text === null ? [] : [{ start: from + range.start, end: from + range.end, text }];
  });
  if (own.length > 0 || from > 0) return own;
  return HOLDERS.flatMap((holder) => {
    const range = memberRange(body, index, holder);
    return range === undefined ? [] : editsOf(body.subarray(range.start, range.end), edits, range.start);
  });
}

/** A stream that says in its caller's own format what was left out, wherever it tells a whole answer or its usage. */
function telling(from: StreamConverter, ofCall: readonly string[], leftOut: (name: string) => object): StreamConverter {
  const told = (frames: Buffer | string): Buffer | string => {
    const text = frames.toString();
    if (!text.includes('"usage"')) return frames;
    const entries = joinLosses(ofCall, from.dropped).filter(isOurs).map(leftOut);
    if (entries.length === 0) return frames;
    return text
      .split('\n')
      .map((line) => dataLineWith(line, '"usage"', (data) => withLeftOut(data, entries)) ?? line)
      .join('\n');
  };
  return rewritten(from, told, (error) => error);
}

/** A stream in which the route answers: its frames are written anew, without comments. */
function named(from: StreamConverter, route: string, metadata: AnswerMetadata): StreamConverter {
  const edits = [modelEdit(route)];
  const inItsName = (frames: Buffer | string): Buffer | string => {
    const text = frames.toString();
    if (!text.includes('"model"')) return frames;
    return text
      .split('\n')
      .map((line) => dataLine(line, '"model"', edits) ?? line)
      .join('\n');
  };
  return rewritten(from, inItsName, (error) => metadata.error(error));
}

/** A stream whose frames are written anew, without comments. */
function rewritten(
  from: StreamConverter,
  write: (frames: Buffer | string) => Buffer | string,
  toCaller: (error: GatewayError) => GatewayError,
): StreamConverter {
  return {
    passes: false,
    keepAlive: from.keepAlive,
    convert(frame, event) {
      const { role, bytes } = from.convert(frame, event);
      return { role, bytes: write(bytes) };
    },
    close: () => from.close(),
    complete: () => from.complete(),
    terminal: () => write(from.terminal()).toString(),
    answered: () => from.answered(),
    usage: () => from.usage(),
    promptUsage: () => from.promptUsage(),
    output: () => from.output(),
    error: () => from.error(),
    writeFailure: (error) => write(from.writeFailure(toCaller(error))).toString(),
    get dropped() {
      return from.dropped;
    },
    items: () => from.items(),
  };
}
