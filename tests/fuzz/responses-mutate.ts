import { pick } from '../../src/testing/seeded.ts';

type Random = () => number;
type Mutation = (bytes: Buffer, random: Random) => Buffer;

const JSON_BODY = '{"id":"chatcmpl-1","choices":[{"index":0,"message":{"role":"assistant","content":"Hi é"}}]}';
const FRAME = 'data: {"choices":[{"index":0,"delta":{"content":"Hi"}}]}\n\n';

/** Answers as vendors send them, each of which must be taken as it is. */
export const CORPUS: readonly Buffer[] = [
  head(200, 'OK', ['Content-Type: application/json', length(JSON_BODY)], JSON_BODY),
  head(
    200,
    'OK',
    ['date: Sat, 21 Nov 2026 10:00:00 GMT', 'x-request-id: req_1', 'connection: keep-alive', length(JSON_BODY)],
    JSON_BODY,
  ),
  head(
    200,
    'OK',
    ['content-type: text/event-stream', 'Transfer-Encoding: chunked', 'set-cookie: a=1', 'set-cookie: b=2'],
    chunked([FRAME, FRAME, 'data: [DONE]\n\n']),
  ),
  head(
    200,
    'OK',
    ['transfer-encoding: chunked', 'keep-alive: timeout=5'],
    chunked(['a', FRAME.repeat(4)], ['x-sum: 7']),
  ),
  head(200, 'OK', ['transfer-encoding: chunked'], chunked([FRAME]).replace('\r\n', ';name=value\r\n')),
  head(200, 'OK', ['content-type: text/event-stream', 'connection: close'], FRAME + FRAME),
  head(429, 'Too Many Requests', ['retry-after: 7', length('{"error":{}}')], '{"error":{}}'),
  head(204, 'No Content', ['server: some'], ''),
  head(500, '', ['content-length: 0', 'x-empty:', 'x-tabs:\ta\tb \t'], ''),
  Buffer.concat([head(103, 'Early Hints', ['link: </a>'], ''), head(200, 'OK', [length(JSON_BODY)], JSON_BODY)]),
  Buffer.from(`HTTP/1.0 200 OK\r\ncontent-type: application/json\r\n\r\n${JSON_BODY}`),
  Buffer.from(`HTTP/1.0 200 OK\r\nconnection: keep-alive\r\n${length(JSON_BODY)}\r\n\r\n${JSON_BODY}`),
];

const ODD_BYTES = [
  '\r',
  '\n',
  '\0',
  ' ',
  '\t',
  ':',
  ';',
  ',',
  '\r\n',
  '\n\n',
  '\x0b',
  '\x0c',
  '\x7f',
  '\x80',
  '\xff',
  '0',
  '-',
];
const FIELDS = [
  'Content-Length: 5',
  'content-length: 0',
  'Content-Length: +5',
  'Content-Length: 5, 5',
  'Content-Length: 0x5',
  'Content-Length: 5 5',
  'Content-Length: ',
  'Content-Length: 99999999999999999999',
  'Content-Length : 5',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding: chunked, gzip',
  'Transfer-Encoding: xchunked',
  'Transfer-Encoding: chunked ',
  'Transfer-Encoding: identity',
  'Transfer-Encoding:\tchunked',
  'Transfer-Encoding: \x0bchunked',
  'Connection: close',
  'Connection: keep-alive, close',
  'Connection: upgrade',
  'Upgrade: h2c',
  ' folded: line',
  '\tfolded',
  'no colon here',
  ': no name',
  'na me: value',
  'x: a\0b',
  'x: a\nb: c',
];
const SIZES = [
  '0',
  '1',
  '5',
  '05',
  '5 ',
  ' 5',
  '5;',
  '5;a',
  '5;a=b',
  '5;a="b"',
  '5; a',
  '+5',
  '-1',
  '0x5',
  '',
  'g',
  '5\r',
  'ffffffff',
];
const LONG_SIZES = ['fffffffffffffffff', '10000000000000005', '000000000000000000005'];

/** Between them they break a message in each way that has been used to smuggle one. */
const MUTATIONS: readonly Mutation[] = [
  (bytes, random) => {
    const at = place(bytes, random);
    const flipped = Buffer.from(bytes);
    flipped[at] = (flipped[at] ?? 0) ^ (1 << Math.floor(random() * 8));
    return flipped;
  },
  (bytes, random) => inserted(bytes, place(bytes, random), pick(random, ODD_BYTES)),
  (bytes, random) => inserted(bytes, lineEnd(bytes, random), pick(random, ODD_BYTES)),
  (bytes, random) => {
    const at = place(bytes, random);
    return replaced(bytes, at, at + 1 + Math.floor(random() * 3), '');
  },
  (bytes, random) => inserted(bytes, lineEnd(bytes, random) + 2, `${pick(random, FIELDS)}\r\n`),
  duplicatedLine,
  (bytes, random) => mangledSize(bytes, random),
  (bytes, random) => {
    const at = lineEnd(bytes, random);
    return replaced(bytes, at, at + 2, pick(random, ['\n', '\r', '\n\r', '\r\r\n', '', ' \r\n', '\r\n ']));
  },
  (bytes, random) => bytes.subarray(0, place(bytes, random)),
  (bytes, random) => {
    const [from, to] = [place(bytes, random), place(bytes, random)].sort((one, other) => one - other);
    return inserted(bytes, place(bytes, random), bytes.toString('latin1', from, to));
  },
  (bytes, random) => Buffer.concat([bytes, pick(random, CORPUS)]),
  (bytes, random) => {
    const digit = bytes.toString('latin1').search(/\d(?=\r\n)/);
    return digit < 0 ? bytes : replaced(bytes, digit, digit + 1, String(Math.floor(random() * 10)));
  },
];

/** One to three mutations of one of the answers. */
export function mutated(random: Random): Buffer {
  let bytes = pick(random, CORPUS);
  const times = 1 + Math.floor(random() * 3);
  for (let time = 0; time < times; time += 1) bytes = pick(random, MUTATIONS)(bytes, random);
  return bytes;
}

/** The bytes in up to four pieces. */
export function cutUp(bytes: Buffer, random: Random): Buffer[] {
  const edges = [0, bytes.length, ...Array.from({ length: Math.floor(random() * 4) }, () => place(bytes, random))];
  edges.sort((one, other) => one - other);
  return edges.slice(1).map((end, index) => bytes.subarray(edges[index], end));
}

function head(status: number, reason: string, fields: readonly string[], body: string): Buffer {
  return Buffer.from(`HTTP/1.1 ${status} ${reason}\r\n${fields.map((field) => `${field}\r\n`).join('')}\r\n${body}`);
}

function length(body: string): string {
  return `content-length: ${Buffer.byteLength(body)}`;
}

function chunked(chunks: readonly string[], trailers: readonly string[] = []): string {
  const written = chunks.map((chunk) => `${Buffer.byteLength(chunk).toString(16)}\r\n${chunk}\r\n`).join('');
  return `${written}0\r\n${trailers.map((trailer) => `${trailer}\r\n`).join('')}\r\n`;
}

function place(bytes: Buffer, random: Random): number {
  return Math.floor(random() * bytes.length);
}

/** Where one of the CRLF begins; anywhere where there is none. */
function lineEnd(bytes: Buffer, random: Random): number {
  const found = bytes.indexOf('\r\n', place(bytes, random));
  return found < 0 ? place(bytes, random) : found;
}

function inserted(bytes: Buffer, at: number, text: string): Buffer {
  return replaced(bytes, at, at, text);
}

function replaced(bytes: Buffer, from: number, to: number, text: string): Buffer {
  return Buffer.concat([bytes.subarray(0, from), Buffer.from(text, 'latin1'), bytes.subarray(to)]);
}

function duplicatedLine(bytes: Buffer, random: Random): Buffer {
  const from = lineEnd(bytes, random) + 2;
  const to = bytes.indexOf('\r\n', from);
  return to < 0 ? bytes : inserted(bytes, from, bytes.toString('latin1', from, to + 2));
}

function mangledSize(bytes: Buffer, random: Random): Buffer {
  const text = bytes.toString('latin1');
  const sizes = [...text.matchAll(/(?<=\r\n)[0-9a-f]+(?=(?:;[^\r]*)?\r\n)/g)];
  if (sizes.length === 0) return bytes;
  const { index, 0: size } = pick(random, sizes);
  return replaced(bytes, index, index + size.length, pick(random, [...SIZES, ...LONG_SIZES]));
}
