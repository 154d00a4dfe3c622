import { type GatewayInfo, readHeaders } from './headers.ts';

/** What is kept of an answer until somebody asks. */
type Noted = {
  headers: Headers;
  /** As the last usage of a stream says it. */
  costUsd?: number | null;
};

/** By answer, and by the signals of its request: helpers that make several answers into one are found by theirs. */
const noted = new WeakMap<object, Noted>();

/**
 * Who served an answer, and what it cost.
 *
 * It takes what any call of a `Headgate` client came to: a whole answer, a parsed one, a stream or its helper (from before
 * its first chunk on), a page of a list, an error. It also takes what other clients have of the headers: a `Response`, what
 * `withResponse()` gives, an error, a `MessageStream` of Anthropic's client.
 *
 * Throws a `TypeError` where nothing is known of the object.
 */
export function gateway(answer: object): GatewayInfo {
  const found = find(answer);
  if (found === null) {
    throw new TypeError(
      'Nothing is known of who served this object. `gateway` takes an answer, a stream or an error of a `Headgate` ' +
        'client as it came, a `Response`, or what `withResponse()` gives; a stream’s helper only once it is connected.',
    );
  }
  const info = readHeaders(found.headers);
  return found.costUsd === undefined ? info : { ...info, costUsd: found.costUsd };
}

type MayTell = {
  _request_id?: unknown;
  headers?: unknown;
  response?: unknown;
  controller?: { signal?: unknown };
};

function find(answer: object): Noted | null {
  const own = noted.get(answer);
  if (own !== undefined) return own;
  const { headers, response, controller, _request_id: id } = answer as MayTell;
  if (areHeaders(headers)) return { headers };
  if (isObject(response) && areHeaders((response as MayTell).headers))
    return { headers: (response as Response).headers };
  const signal = controller?.signal;
  if (isObject(signal)) return noted.get(signal) ?? null;
  return typeof id === 'string' ? { headers: new Headers({ 'x-request-id': id }) } : null;
}

/** A client’s own `fetch` may bring its own class of headers. */
function areHeaders(value: unknown): value is Headers {
  return isObject(value) && 'get' in value && typeof value.get === 'function' && 'forEach' in value;
}

/** What a request came to, as the parent's promise hands it to those that transform its answer. */
type Came = { response: Response; controller: AbortController; options: { signal?: AbortSignal | null | undefined } };

/** Has `gateway` find the headers by the answer; `watches` says whether the cost at a stream's end is to be kept. */
export function note<Answer>(answer: Answer, { response, controller, options }: Came, watches: boolean): Answer {
  if (!isObject(answer)) return answer;
  const signal = options.signal ?? null;
  // A transformed answer is the same call's, and what its stream has told stays known.
  const known = noted.get(controller.signal);
  const kept = known?.headers === response.headers ? known : { headers: response.headers };
  noted.set(answer, kept);
  if (signal !== null) noted.set(signal, kept);
  if (isStream(answer)) {
    noted.set(controller.signal, kept);
    if (watches && known !== kept) watchCost(answer, kept);
  }
  return answer;
}

/** For lists, whose pages know only their response. */
export function notePage(page: object, response: Response): void {
  noted.set(page, { headers: response.headers });
}

type StreamParts = { iterator: () => AsyncIterator<unknown>; controller: AbortController };

function isStream(answer: object): answer is StreamParts {
  return Symbol.asyncIterator in answer && typeof (answer as Partial<StreamParts>).iterator === 'function';
}

function watchCost(stream: StreamParts, kept: Noted): void {
  const { iterator } = stream;
  const look = (result: IteratorResult<unknown>) => {
    const cost = result.done ? undefined : costIn(result.value);
    if (cost !== undefined) kept.costUsd = cost;
    return result;
  };
  stream.iterator = () => {
    const inner = iterator();
    return {
      next: () => inner.next().then(look),
      return: (value) => inner.return?.(value) ?? Promise.resolve({ done: true, value }),
      throw: (error) => inner.throw?.(error) ?? Promise.reject(error),
    };
  };
}

type MayCost = { usage?: { cost?: unknown } | null; response?: { usage?: { cost?: unknown } | null } };

/** Chat has it in the usage of its last chunk, responses in that of the response which ends the stream. */
function costIn(event: unknown): number | null | undefined {
  const { usage, response } = (event ?? {}) as MayCost;
  const cost = usage?.cost ?? response?.usage?.cost;
  return typeof cost === 'number' ? cost : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
