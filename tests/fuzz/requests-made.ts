import { pick, seeded } from '../../src/testing/seeded.ts';
import { COLD, MAX_BODY, MAX_HEADER, PATHS, WARM } from './layers.ts';

/** Bytes as they reach a server, in one or more reads. */
export type Case = { seed: number; pieces: Buffer[] };

/** The same case for the same seed. */
export function makeCase(seed: number): Case {
  const random = seeded(seed);
  let text = pick(random, MESSAGES)(random);
  for (let left = pick(random, MUTATED); left > 0; left -= 1) text = pick(random, MUTATIONS)(text, random);
  return { seed, pieces: cut(Buffer.from(text, 'latin1'), random) };
}

/** How often a message is changed: often enough that most are not plain, seldom enough that many still are. */
const MUTATED = [0, 0, 1, 1, 1, 2, 3];

type Random = () => number;
type Mutation = (text: string, random: Random) => string;

const BODY = '{"model":"echo","messages":[]}';
const NEXT = 'GET /healthz HTTP/1.1\r\nhost: b\r\n\r\n';

const MESSAGES: readonly ((random: Random) => string)[] = [
  (random) => post(random, BODY),
  (random) => post(random, BODY),
  (random) => post(random, '{"stream":true}'),
  (random) => post(random, BODY, [`x-request-id: trace-${Math.floor(random() * 9)}`, 'anthropic-beta: a, b']),
  (random) => post(random, 'x'.repeat(Math.floor(random() * (MAX_BODY + 50)))),
  (random) =>
    post(
      random,
      BODY,
      Array.from({ length: 1 + Math.floor(random() * 120) }, (_, n) => `x-${n}: y`),
    ),
  (random) => post(random, BODY) + post(random, BODY),
  (random) => post(random, BODY) + NEXT,
  (random) => post(random, BODY) + chunked(random),
  (random) => chunked(random) + post(random, BODY),
  (random) => post(random, BODY.repeat(4)) + post(random, '{"stream":true}') + NEXT,
];

const MUTATIONS: readonly Mutation[] = [
  // A bit, or a byte.
  (text, random) => replaceAt(text, random, (code) => code ^ (1 << Math.floor(random() * 8))),
  (text, random) => replaceAt(headFirst(text), random, () => Math.floor(random() * 256)) + behindHead(text),
  (text, random) => insert(text, somewhere(text, random), pick(random, ODD)),
  (text, random) => insert(text, Math.min(somewhere(text, random), headFirst(text).length), pick(random, ODD)),
  (text, random) => without(text, somewhere(text, random), 1),
  // A line of the head.
  (text, random) => onLines(text, (lines) => lines.splice(place(lines, random), 0, pick(random, lines))),
  (text, random) => onLines(text, (lines) => lines.splice(place(lines, random), 0, pick(random, LINES))),
  (text, random) => onLines(text, (lines) => lines.splice(place(lines, random), 1)),
  (text, random) => onLines(text, (lines) => lines.push(`x-long: ${'y'.repeat(random() * 2 * MAX_HEADER)}`)),
  (text, random) => onLine(text, random, (line) => (random() < 0.5 ? line.toUpperCase() : line.toLowerCase())),
  (text, random) => onLine(text, random, (line) => line.replace(':', pick(random, COLONS))),
  (text, random) => onLine(text, random, (line) => line.replace(':', pick(random, COLONS))),
  (text, random) => onLine(text, random, (line) => line + pick(random, ODD)),
  // The length, the first line, the ends of lines.
  (text, random) => text.replace(/(content-length: )(\d+)/i, (_, name, digits) => name + length(digits, random)),
  (text, random) => text.replace(/^POST \S+ HTTP\/1.1/, pick(random, FIRST_LINES)),
  (text, random) => text.replace('\r\n', pick(random, ENDS)),
  (text, random) => (random() < 0.3 ? text.replaceAll('\r\n', pick(random, ENDS)) : text.replace('\r\n\r\n', '\n\n')),
  // Chunks.
  (text, random) => text.replace(/\r\n[0-9a-f]+\r\n/, `\r\n${pick(random, CHUNK_SIZES)}\r\n`),
  (text, random) => text.replace('0\r\n\r\n', pick(random, CHUNK_ENDS)),
  // More, or less.
  (text, random) => text.slice(0, somewhere(text, random)),
  (text, random) => text + pick(random, ['\r\n', '\n', ' ', '\0', NEXT, 'POST ', 'G', '0\r\n\r\n']),
  (text, random) => pick(random, ['\r\n', '\n', ' ', '\0', '\t']) + text,
];

const ODD = [
  ...['\r', '\n', '\0', ' ', '\t', ':', ',', '+', '-', '0', ';', '\r\n', '\r\n ', '\n ', '\r ', '\r\n\t', '\r\r\n'],
  ...['\v', '\f', '\b', '\x1f', '\x7f', '\x80', '\xa0', '\xff', '"', '(', '\\', '\r\n\r\n', '\n\n', '\r\n:', ': '],
];

const LINES = [
  ...['transfer-encoding: chunked', 'Transfer-Encoding : chunked', 'transfer-encoding:\tchunked'],
  ...['transfer-encoding: identity', 'transfer-encoding: chunked, identity', 'transfer-encoding: xchunked'],
  ...['transfer-encoding: gzip, chunked', 'transfer-encoding: chunked\r\ntransfer-encoding: x', 'te: trailers'],
  ...['content-length: 0', 'content-length: 5', 'Content-Length: 30', 'content-length:', 'content-length: 30, 30'],
  ...['content_length: 5', 'content-length : 5', ' content-length: 5', 'content-length\t: 5', 'x: y\r\n z', 'x'],
  ...[
    'connection: close',
    'connection: upgrade',
    'connection: keep-alive, close',
    'connection:',
    'Connection: Keep-Alive',
  ],
  ...['proxy-connection: close', 'keep-alive: timeout=1', 'upgrade: h2c', 'upgrade: websocket', 'trailer: x'],
  ...['host: b', 'Host: a', ' host: a', `authorization: Bearer ${WARM}`, 'x-api-key: other', `x-api-key: ${WARM}`],
  ...['expect: 100-continue', 'expect: x', 'content-encoding: gzip', 'content-encoding: identity', ': x', 'é: x'],
  ...['content-type: text/plain', 'content-type: application/json', 'content-type: application/json; charset=utf-8'],
  ...[
    'anthropic-beta: c',
    'Anthropic-Beta: d',
    'x-request-id: two words',
    'x-request-id: other',
    'x:',
    'x: é',
    'x: \t',
  ],
  ...[
    'max-forwards: 0',
    'http2-settings: x',
    'x-é: y',
    'x y: z',
    'x: y\0z',
    'x: y\rz',
    'x: y\nz',
    `a:${' '.repeat(99)}b`,
  ],
];

const COLONS = [' :', '\t:', ':\t', ':', ': \t ', ' ', '', '\r\n:', ':\r\n ', '::', '\0:', ':\0', '=', '\xa0:'];
const ENDS = ['\n', '\r', '\r\r\n', '\n\r', ' \r\n', '\r\n\r\n', '\r\n ', '\0\r\n', '\t\r\n', '\r\n\t'];
const CHUNK_SIZES = [
  '0',
  '5',
  '-5',
  '+5',
  '0x5',
  '5;a=b',
  '5 ',
  ' 5',
  '5;a="\n"',
  '00005',
  'g',
  '',
  '5\n',
  'ffffffffffffffff1',
];
const CHUNK_ENDS = [
  '0\r\n',
  '0\n\n',
  '0\r\nx: y\r\n\r\n',
  '0\r\ncontent-length: 5\r\n\r\n',
  '00\r\n\r\n',
  '0;a\r\n\r\n',
  '\r\n',
];

const FIRST_LINES = [
  ...[
    'POST /v1/chat/completions HTTP/1.0',
    'POST /v1/chat/completions HTTP/1.10',
    'POST /v1/chat/completions HTTP/2.0',
  ],
  ...[
    'POST /v1/chat/completions http/1.1',
    'POST  /v1/chat/completions HTTP/1.1',
    'POST /v1/chat/completions  HTTP/1.1',
  ],
  ...[
    'POST /v1/chat/completions\tHTTP/1.1',
    'POST /v1/chat/completions HTTP/1.1 ',
    'POST /v1/chat/completions',
    'POST',
  ],
  ...[
    'POST http://a/v1/chat/completions HTTP/1.1',
    'POST /v1/chat/completions?a=b HTTP/1.1',
    'POST /v1/messages/ HTTP/1.1',
  ],
  ...['POST /v1/%63hat/completions HTTP/1.1', 'POST //v1/messages HTTP/1.1', 'POST /v1/messages#a HTTP/1.1'],
  ...[
    'GET /v1/chat/completions HTTP/1.1',
    'post /v1/messages HTTP/1.1',
    'PUT /v1/messages HTTP/1.1',
    'POST * HTTP/1.1',
  ],
  ...['QUERY /v1/messages HTTP/1.1', 'POST /v1/messages/../messages HTTP/1.1', 'POST /v1/messages HTTP/1.1\r\n'],
  ...[
    'CONNECT a:80 HTTP/1.1',
    'PRI * HTTP/2.0',
    'POST /v1/messages ICE/1.1',
    'POST /v1/messages HTTP/1.1\r',
    '\0POST / HTTP/1.1',
  ],
];

const KEYS = [WARM, WARM, WARM, WARM, WARM, COLD, COLD, 'unknown'];

function post(random: Random, body: string, more: readonly string[] = []): string {
  const lines = [
    'host: a',
    ...(random() < 0.95 ? [`authorization: Bearer ${pick(random, KEYS)}`] : []),
    'content-type: application/json',
    ...more,
    'accept: */*',
    ...(random() < 0.3 ? ['Connection: keep-alive', 'User-Agent: a/1 (b; c)'] : []),
    `Content-Length: ${body.length}`,
  ];
  return `POST ${pick(random, PATHS)} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}

function chunked(random: Random): string {
  const head = post(random, '').replace('Content-Length: 0', 'transfer-encoding: chunked');
  return `${head}5\r\n{"a":\r\n2\r\n1}\r\n0\r\n\r\n`;
}

/** Cuts it at up to three places, or where a second message begins; the most usual is none. */
function cut(bytes: Buffer, random: Random): Buffer[] {
  const places = Array.from({ length: random() < 0.6 ? 0 : Math.floor(random() * 4) }, () =>
    Math.floor(random() * bytes.length),
  );
  if (random() < 0.5) places.push(Math.max(0, bytes.indexOf('POST /', 1)), Math.max(0, bytes.indexOf('GET /', 1)));
  const ends = [...places.sort((a, b) => a - b), bytes.length];
  const pieces: Buffer[] = [];
  let from = 0;
  for (const end of ends) {
    if (end > from) pieces.push(bytes.subarray(from, end));
    from = Math.max(from, end);
  }
  return pieces;
}

function length(digits: string, random: Random): string {
  const number = Number(digits);
  return pick(random, [
    ...[
      `+${digits}`,
      `-${digits}`,
      `0x${number.toString(16)}`,
      `0${digits}`,
      `${digits} `,
      ` ${digits}`,
      `${digits}\t`,
    ],
    ...[`${digits}.0`, `${digits}e0`, `${digits},${digits}`, `${digits}, ${digits}`, `${digits};`, `"${digits}"`, ''],
    ...[
      String(number + 1),
      String(Math.max(0, number - 1)),
      '0',
      '5',
      '99999999999999999999',
      `${digits}\r\n `,
      `${digits} 1`,
    ],
    ...[`${digits}\0`, `${digits}\xa0`, `1_0`, 'Infinity', 'NaN', '4097', '4096'],
  ]);
}

function headFirst(text: string): string {
  const end = text.indexOf('\r\n\r\n');
  return end < 0 ? text : text.slice(0, end + 4);
}

function behindHead(text: string): string {
  return text.slice(headFirst(text).length);
}

function onLines(text: string, change: (lines: string[]) => void): string {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return text;
  const lines = text.slice(0, end).split('\r\n');
  change(lines);
  return lines.join('\r\n') + text.slice(end);
}

function onLine(text: string, random: Random, change: (line: string) => string): string {
  return onLines(text, (lines) => {
    const index = Math.floor(random() * lines.length);
    lines[index] = change(lines[index]!);
  });
}

function place(lines: readonly string[], random: Random): number {
  return 1 + Math.floor(random() * lines.length);
}

function somewhere(text: string, random: Random): number {
  return Math.floor(random() * (text.length + 1));
}

function insert(text: string, at: number, more: string): string {
  return text.slice(0, at) + more + text.slice(at);
}

function without(text: string, at: number, length: number): string {
  return text.slice(0, at) + text.slice(at + length);
}

function replaceAt(text: string, random: Random, change: (code: number) => number): string {
  if (text === '') return text;
  const at = Math.floor(random() * text.length);
  return text.slice(0, at) + String.fromCharCode(change(text.charCodeAt(at))) + text.slice(at + 1);
}
