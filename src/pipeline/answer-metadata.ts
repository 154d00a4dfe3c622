import { ERROR_KINDS, type GatewayError } from '../core/errors.ts';
import { joinLosses } from '../core/losses.ts';
import { dollars, type NanoDollars } from '../core/money.ts';
import { type Edit, splice } from '../json/edits.ts';
import { parseJson } from '../json/parse.ts';
import { JsonError, scanObject } from '../json/scan.ts';
import { memberRange } from '../json/tape.ts';
import type { PlannedCall } from './account.ts';
import type { StreamConverter } from './translation/converter.ts';

/** What a caller is shown of a call besides the answer: who served it, what it costs, and what was omitted. */
export class AnswerMetadata {
  /** The header that asks for the cost was sent. */
  readonly cost: boolean;
  /** The route whose name replaces the target's; `null` if the target may be shown. */
  readonly #inTheNameOf: string | null;
  /** How the caller's format reports what was omitted; `null` if it has no member for it. */
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

  /**
   * An error for the caller. Without disclosure its message is the gateway's, because a vendor's may name the vendor.
   */
  error(error: GatewayError): GatewayError {
    return this.#inTheNameOf === null ? error : error.with({ message: ERROR_KINDS[error.kind].meaning });
  }

  /** @param dropped what was omitted from the call */
  stream(converter: StreamConverter, dropped: readonly string[]): StreamConverter {
    const told =
      this.#leftOut === null || dropped.length === 0 ? converter : telling(converter, dropped, this.#leftOut);
    return this.#inTheNameOf === null ? told : named(told, this.#inTheNameOf, this);
  }

  /**
   * The body of a whole answer. `cost` is `null` if no price is known; `dropped` is what was omitted from call and
   * answer.
   */
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

/** The longest end of a stream that is searched, in characters, because the search is not divided into turns. */
const MOST = 1024 * 1024;
/** No vendor nests an answer deeper; one that does was refused before. */
const MAX_DEPTH = 512;

/**
 * The last frames of a stream with `cost` (dollars; `null` if no price is known) in their last usage. Frames without a
 * usage stay as they are.
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

/** Replaces the value of a member, given its text; `null` keeps it. */
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

/** Whether the gateway omitted it. What the vendor omitted is already in the member. */
function isOurs(name: string): boolean {
  return name !== PLACE;
}

/** The JSON with the entries added to the vendor's, or in a new list after the usage, which every such object has. */
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

/** A line of an event stream with its data edited; `null` if nothing changes. */
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

/** Members of an event that may hold the vendor's answer. */
const HOLDERS = ['response', 'message'];

/**
 * The JSON object with its own members edited, or those of the answer that it holds. The same bytes if nothing changes,
 * or it is no object.
 */
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

/** A stream that reports omissions in its caller's format, wherever it has a usage. */
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

/** A stream that names the route in place of the model. */
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
    shownCalls: () => from.shownCalls(),
    output: () => from.output(),
    error: () => from.error(),
    writeFailure: (error) => write(from.writeFailure(toCaller(error))).toString(),
    get dropped() {
      return from.dropped;
    },
    items: () => from.items(),
  };
}
