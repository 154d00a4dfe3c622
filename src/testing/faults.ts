import { answer, chatChunks, DONE } from './answers.ts';
import { field } from './json.ts';
import {
  type Act,
  cutAt,
  cutEvery,
  eachFrame,
  encoded,
  endAfter,
  errorReply,
  frame,
  insert,
  insertAfterFinish,
  jsonReply,
  type Plan,
  type Reply,
  streamReply,
  type VendorRequest,
  wholeReply,
} from './reply.ts';

/** A failure of a vendor. It applies to chat and embeddings, or only to streams if its text says so. */
export type Fault = { does: string; plan: Plan };

export const HUGE_LINE_BYTES = 8 * 1024 * 1024;

const ENDLESS_PACE_MS = 5;
/** The pause of a slow stream between characters, and of a silent one between comments. */
const TRICKLE_PACE_MS = 100;
const FLOOD_BYTES = 64 * 1024;
const OVERLOADED = { message: 'The server is overloaded, try again', type: 'server_error', code: 'overloaded' };
const HTML = '<!doctype html><html><head><title>502 Bad Gateway</title></head><body>Bad Gateway</body></html>';
/** Characters of one, two, three and four bytes of UTF-8. */
const UTF8_TEXT = 'a é 日本 🙂 z';

const COMMENT = Buffer.from(': FAKE PROCESSING\n\n');

const normal = answer();

/** All faults by name. A plan or a model called `fault:NAME` selects one. */
export const FAULTS = {
  'slow-headers': fault('does not answer until let go', insert(normal, 0, 'hold')),
  'stall-before-body': fault('sends the head, then nothing until let go', insert(normal, 0, 'head', 'hold')),
  stall: fault('stops in the middle of the answer until let go', insert(normal, 3, 'hold')),
  'endless-headers': fault('sends headers without end', () => ({
    status: 200,
    headers: {},
    raw: true,
    acts: endlessHeaders(),
  })),
  'reset-before-headers': fault('resets the connection before it answers', insert(normal, 0, 'reset')),
  reset: fault('resets the connection in the middle of the answer', insert(normal, 3, 'reset')),
  'reset-after-finish': fault(
    'resets the connection after the finish chunk, before usage and [DONE]',
    insertAfterFinish(normal, 'reset'),
  ),
  close: fault(
    'closes the connection in the middle of the answer, before its declared length or last chunk',
    insert(normal, 3, 'close'),
  ),
  'ended-early': fault('ends the answer between frames, cleanly as far as HTTP can see', endAfter(normal, 3)),
  'truncated-json': fault(
    'ends the answer inside its JSON, cleanly as far as HTTP can see',
    endAfter(cutAt(normal, []), 1),
  ),
  'truncated-close': fault('ends a body that has no length inside its JSON, by closing', truncatedClose),
  'wrong-content-type': fault('answers 200 with a page of HTML', () => htmlReply(200)),
  'empty-body': fault('answers 200 with no body', emptyBody),
  'error-in-200': fault('answers 200 with an error; in a stream it is the first frame', errorIn200),
  'error-frame': fault('sends an error frame in the middle of a stream', endAfter(normal, 3, errorFrame())),
  'error-event': fault(
    'sends an error frame with the line `event: error` in the middle of a stream',
    endAfter(normal, 3, errorFrame('event: error\n')),
  ),
  'error-chunk': fault(
    'sends a chunk in the middle of a stream that has an error and the finish reason `error`',
    endAfter(normal, 3, errorChunk()),
  ),
  'rate-limited': fault(
    'answers 429 with retry-after in seconds',
    rateLimited(() => ({ 'retry-after': '7' })),
  ),
  'rate-limited-ms': fault(
    'answers 429 with retry-after-ms',
    rateLimited(() => ({ 'retry-after-ms': '1500' })),
  ),
  'rate-limited-date': fault('answers 429 with a retry-after that is a date one minute away', rateLimited(retryDate)),
  'bad-request': fault('answers 400 with an error in OpenAI’s words', badRequest),
  'refuses-stream-options': fault('answers 400 where stream_options is sent', refusesStreamOptions),
  unauthorized: fault('answers 401 and quotes the key and the host', quoting(401, 'invalid_api_key')),
  'payment-required': fault('answers 402 and quotes the key and the host', quoting(402, 'insufficient_balance')),
  'quota-exhausted': fault('answers 429 as OpenAI does for an empty account', quoting(429, 'insufficient_quota')),
  forbidden: fault('answers 403 and quotes the key and the host', quoting(403, 'permission_denied')),
  'server-error': fault('answers 500 with JSON', () => errorReply(500, { message: 'Oops', type: 'server_error' })),
  'bad-gateway': fault('answers 502 with a page of HTML', () => htmlReply(502)),
  overloaded: fault('answers 503 with JSON', () => errorReply(503, OVERLOADED)),
  redirect: fault('answers 302 to another path of its own', redirect),
  gzip: fault('compresses the answer with gzip, asked or not', encoded(normal, 'gzip')),
  deflate: fault('compresses the answer with deflate', encoded(normal, 'deflate')),
  br: fault('compresses the answer with brotli', encoded(normal, 'br')),
  'gzip-broken': fault('ends a gzip answer in its middle', endAfter(encoded(normal, 'gzip'), 2)),
  'utf8-cut': fault('sends its answer byte by byte', cutEvery(answer({ text: UTF8_TEXT }), 1)),
  'huge-line': fault('says 8 MB in one line', hugeLine),
  'endless-stream': fault('streams small chunks without end', endlessStream),
  trickle: fault('streams a character every 100 ms, without end', trickle),
  'comments-only': fault('answers a stream with comments every 100 ms, without end, and nothing else', commentsOnly),
  flood: fault('streams chunks of 64 KB without end or pause', flood),
  'endless-line': fault('streams one line without end', endlessLine),
  'endless-body': fault('sends a whole answer without end', endlessBody),
  'missing-usage': fault('states no usage', answer({ usageIn: 'nowhere' })),
  'usage-in-every-chunk': fault('states usage so far in every chunk', answer({ usageIn: 'every-chunk' })),
  'missing-done': fault(
    'ends a stream without [DONE]',
    eachFrame(normal, (text) => (isDone(text) ? [] : [text])),
  ),
  'missing-finish': fault(
    'ends a stream with [DONE] but no finish reason',
    eachFrame(normal, (text) => (text.includes('"finish_reason":"') ? [] : [text])),
  ),
  comments: fault(
    'puts comments between frames',
    eachFrame(normal, (text) => [COMMENT.toString(), text]),
  ),
  crlf: fault('ends lines with CR LF', eachFrame(normal, lineEnds('\r\n'))),
  cr: fault('ends lines with CR', eachFrame(normal, lineEnds('\r'))),
  'no-final-blank-line': fault(
    'leaves the blank line after the last frame out',
    eachFrame(normal, (text) => [isDone(text) ? text.trimEnd() : text]),
  ),
} as const satisfies Record<string, Fault>;

export type FaultName = keyof typeof FAULTS;

export function isFaultName(name: string): name is FaultName {
  return Object.hasOwn(FAULTS, name);
}

function fault(does: string, plan: Plan): Fault {
  return { does, plan };
}

function htmlReply(status: number): Reply {
  return wholeReply(status, HTML, { 'content-type': 'text/html; charset=utf-8' });
}

function* endlessHeaders(): Generator<Buffer> {
  yield Buffer.from('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n');
  while (true) yield Buffer.from(`x-filler: ${'x'.repeat(1000)}\r\n`);
}

function truncatedClose(request: VendorRequest): Reply {
  const head = Buffer.from('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n');
  const half = endAfter(cutAt(normal, []), 1)(request).acts;
  return { status: 200, headers: {}, raw: true, acts: [head, ...half, 'close'] };
}

function emptyBody(request: VendorRequest): Reply {
  return request.stream ? streamReply([]) : wholeReply(200, '');
}

function errorIn200(request: VendorRequest): Reply {
  return request.stream ? streamReply([errorFrame()]) : jsonReply(200, { error: OVERLOADED });
}

function errorFrame(eventLine = ''): Buffer {
  return Buffer.concat([Buffer.from(eventLine), frame({ error: { ...OVERLOADED, param: null } })]);
}

function errorChunk(): Buffer {
  const error = { code: 502, message: OVERLOADED.message, metadata: { error_type: 'provider_overloaded' } };
  return frame({ error, choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error' }] });
}

function rateLimited(headers: () => Record<string, string>): Plan {
  const error = { message: 'Rate limit reached', type: 'requests', code: 'rate_limit_exceeded' };
  return () => errorReply(429, error, headers());
}

/** Both dates must come from the same clock: Node's own `date` header may be a second behind. */
function retryDate(): Record<string, string> {
  const now = Date.now();
  return { date: new Date(now).toUTCString(), 'retry-after': new Date(now + 60_000).toUTCString() };
}

function badRequest(): Reply {
  const message = "Invalid 'messages[0].role': 'wizard' is not one of the supported values.";
  return errorReply(400, { message, type: 'invalid_request_error', param: 'messages[0].role', code: 'invalid_value' });
}

function refusesStreamOptions(request: VendorRequest): Reply {
  if (field(request.json, 'stream_options') === undefined) return normal(request);
  const message = 'Unrecognized request argument supplied: stream_options';
  return errorReply(400, { message, type: 'invalid_request_error', param: 'stream_options' });
}

/** A careless vendor's message: it contains the whole key and the requested address. */
function quoting(status: number, code: string): Plan {
  return (request) => {
    const { authorization, host } = request.headers;
    const message = `Key ${authorization?.replace(/^bearer /i, '')} was refused by http://${host}${request.path}`;
    return errorReply(status, { message, type: 'invalid_request_error', code });
  };
}

function redirect(request: VendorRequest): Reply {
  return wholeReply(302, '', { location: `http://${request.headers.host}/v1/elsewhere` });
}

function hugeLine(request: VendorRequest): Reply {
  return answer({ text: 'x'.repeat(HUGE_LINE_BYTES), chunks: 1 })(request);
}

function endlessStream(request: VendorRequest): Reply {
  return streamReply(repeated(request, 'on and ', { waitMs: ENDLESS_PACE_MS }));
}

function trickle(request: VendorRequest): Reply {
  return streamReply(repeated(request, 'x', { waitMs: TRICKLE_PACE_MS }));
}

function commentsOnly(): Reply {
  return streamReply(comments());
}

function* comments(): Generator<Act> {
  while (true) {
    yield COMMENT;
    yield { waitMs: TRICKLE_PACE_MS };
  }
}

function flood(request: VendorRequest): Reply {
  return streamReply(repeated(request, 'x'.repeat(FLOOD_BYTES)));
}

/** A chat stream that repeats one content chunk. */
function* repeated(request: VendorRequest, text: string, ...between: Act[]): Generator<Act> {
  const [opening, content] = chatChunks(request, { text, chunks: 1 }).map(frame);
  if (opening === undefined || content === undefined) throw new Error('a stream has an opening and a content chunk');
  yield opening;
  while (true) {
    yield content;
    yield* between;
  }
}

function endlessLine(): Reply {
  return streamReply(endless('data: {"choices":[{"index":0,"delta":{"content":"'));
}

function endlessBody(): Reply {
  const acts = endless('{"object":"chat.completion","choices":[{"message":{"role":"assistant","content":"');
  return { status: 200, headers: { 'content-type': 'application/json' }, acts };
}

function* endless(opening: string): Generator<Buffer> {
  yield Buffer.from(opening);
  const block = Buffer.alloc(FLOOD_BYTES, 'x');
  while (true) yield block;
}

function isDone(text: string): boolean {
  return text === DONE.toString();
}

/** Payloads have no line feeds, so every line feed in a frame ends a line. */
function lineEnds(end: string): (text: string) => string[] {
  return (text) => [text.replaceAll('\n', end)];
}
