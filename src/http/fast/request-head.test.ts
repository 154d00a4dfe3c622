import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { OPENAI_STYLE } from '../answer-headers.ts';
import type { BodyRoute } from '../incoming-call.ts';
import { headerIn, readFastHead } from './request-head.ts';

const PATH = '/v1/chat/completions';
const ROUTE: BodyRoute = { path: PATH, style: OPENAI_STYLE, handle: () => undefined };
const ROUTES = new Map([[PATH, ROUTE]]);
const LIMITS = { maxHeader: 4096, maxBody: 1000 };

const LINES = [
  `POST ${PATH} HTTP/1.1`,
  'Host: a',
  'Authorization:  Bearer k\t ',
  'X-Api-Key: k',
  'content-type: application/json',
  'X-Request-Id: mine',
  'anthropic-beta: a',
  'Anthropic-Beta: b',
  'Content-Length: 5',
];

const read = (bytes: string | Buffer, limits = LIMITS) =>
  readFastHead(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes, ROUTES, limits);
const headOf = (lines: readonly string[]) => `${lines.join('\r\n')}\r\n\r\n`;
/** The plain head with one of its lines replaced, or others put behind it. */
const changed = (from: string, ...to: string[]) =>
  headOf(LINES.flatMap((line) => (line.startsWith(from) ? to : [line])));
const added = (...lines: string[]) => headOf([...LINES, ...lines]);

describe('a plain head', () => {
  test('is read with all that matters in it', () => {
    const text = headOf(LINES);
    assert.deepEqual(read(`${text}12345`), {
      route: ROUTE,
      text,
      nameLengths: [4, 9, 12, 13, 14].reduce((bits, length) => bits | (1 << length), 0),
      contentLength: 5,
      authorization: 'Bearer k',
      apiKey: 'k',
      clientRequestId: 'mine',
      hasCookie: false,
    });
  });

  test('is the same wherever its message is cut behind it, and none where it is cut within', () => {
    const message = Buffer.from(`${headOf(LINES)}12345`);
    const whole = read(message);
    for (let end = 0; end <= message.length; end += 1) {
      const expected = end < message.length - 5 ? null : whole;
      assert.deepEqual(read(message.subarray(0, end)), expected, `cut at ${end}`);
    }
  });

  test('may have a header of any name that says nothing of how it is framed', () => {
    for (const line of [
      'accept: */*',
      'x:',
      'x: \t',
      "!#$%&'*+-.^_`|~09azAZ: x",
      'te: trailers',
      'x: :',
      'Connection: Keep-Alive',
    ]) {
      assert.notEqual(read(added(line)), null, line);
    }
    for (const type of ['Application/JSON', 'application/json; charset=utf-8', 'application/json;charset=UTF-8']) {
      assert.notEqual(read(changed('content-type', `content-type: ${type}`)), null, type);
    }
  });

  test('tells other headers when they are asked for', () => {
    const head = read(headOf(LINES))!;
    assert.equal(headerIn(head, 'anthropic-beta'), 'a, b');
    assert.equal(headerIn(head, 'authorization'), 'Bearer k');
    assert.equal(headerIn(head, 'anthropic'), undefined);
    assert.equal(headerIn(read(added('User-Agent: one', 'user-agent: two'))!, 'user-agent'), 'one', 'as Node has it');
    assert.equal(headerIn(head, 'anthropic-bet_'), undefined);
    assert.equal(headerIn(head, 'post /v1/chat/completions http/1.1'), undefined);
    // Of names that are 32 characters apart the lengths look the same.
    const long = 'x'.repeat(36);
    assert.equal(headerIn(head, long), undefined);
    assert.equal(headerIn(read(added(`${long}: yes`))!, long), 'yes');
    const asLong = 'y'.repeat('post /v1/chat/completions http/1.1'.length);
    const withAsLong = read(added(`${asLong}: yes`))!;
    assert.equal(headerIn(withAsLong, 'post /v1/chat/completions http/1.1'), undefined);
  });
});

describe('left to Node', () => {
  const cases: Readonly<Record<string, readonly string[]>> = {
    'another first line': [
      ...[`GET ${PATH} HTTP/1.1`, `post ${PATH} HTTP/1.1`, `POST ${PATH} HTTP/1.0`, `POST ${PATH} HTTP/1.10`],
      ...[
        `POST ${PATH}? HTTP/1.1`,
        `POST ${PATH}/ HTTP/1.1`,
        `POST http://a${PATH} HTTP/1.1`,
        'POST /v1/none HTTP/1.1',
      ],
      ...[
        `POST  ${PATH} HTTP/1.1`,
        `POST ${PATH}  HTTP/1.1`,
        `POST ${PATH} HTTP/1.1 `,
        `POST\t${PATH} HTTP/1.1`,
        `POST ${PATH}`,
      ],
      ...[`\r\nPOST ${PATH} HTTP/1.1`, ` POST ${PATH} HTTP/1.1`, `POST ${PATH} http/1.1`, `POST ${PATH} HTTP/1.1\r`],
    ].map((line) => changed('POST', line)),
    'no length, or one that is not plain digits': [
      ...[
        '',
        '0',
        '05',
        '+5',
        '-5',
        '5,5',
        '5, 5',
        '5 5',
        '0x5',
        '5.0',
        '5e0',
        '"5"',
        '1_0',
        '5;',
        'x',
        '9'.repeat(16),
      ],
    ].map((length) => changed('Content-Length', `Content-Length: ${length}`)),
    'a length that is missing, stands twice, or is not alone': [
      changed('Content-Length'),
      added('Content-Length: 5'),
      added('content-length: 6'),
      added('Transfer-Encoding: chunked'),
      added('transfer-encoding: identity'),
      changed('Content-Length', 'transfer-encoding: chunked'),
    ],
    'headers that change what the connection is': [
      ...[
        'Expect: 100-continue',
        'upgrade: h2c',
        'Connection: close',
        'Connection: keep-alive, Upgrade',
        'connection:',
      ],
      ...['proxy-connection: keep-alive'],
    ].map((line) => added(line)),
    'headers that stand twice': [
      'host: a',
      'HOST: b',
      'authorization: Bearer k',
      'x-api-key: k',
      'content-type: application/json',
    ].map((line) => added(line)),
    'a body of another kind': [
      changed('content-type'),
      ...['text/plain', 'application/jsonx', 'application/json, text/plain', 'application/vnd.a+json', ''].map((type) =>
        changed('content-type', `content-type: ${type}`),
      ),
      added('content-encoding: gzip'),
      added('Content-Encoding: identity'),
    ],
    'lines that are not plain': [
      ...['x', ': x', 'x : y', 'x\t: y', ' x: y', 'x: y\r\n z', 'x: y\r\n\tz', 'x y: z', 'x: y\nz', 'x: y\rz', 'x: \0'],
      ...['x: \x7f', 'x: \x1f', 'x: é', 'x: \xff', 'é: x', 'x\0: y', '"x": y', 'x(: y', 'x\r: y', '\r', 'x:\ry'],
    ].map((line) => added(line)),
    'lines that do not end in CRLF': [
      headOf(LINES).replaceAll('\r\n', '\n'),
      headOf(LINES).replace('\r\n', '\n'),
      headOf(LINES).replace('\r\n\r\n', '\n\n'),
      headOf(LINES).replace('\r\n\r\n', '\r\n\n'),
      headOf(LINES).replace('\r\n\r\n', '\r\r\n\r\n'),
      headOf(LINES).replaceAll('\r\n', '\r'),
    ],
    'no Host': [changed('Host')],
    'nothing but a first line': [`POST ${PATH} HTTP/1.1\r\n\r\n`, '\r\n\r\n', ''],
  };
  for (const [what, heads] of Object.entries(cases)) {
    test(what, () => {
      for (const head of heads) assert.equal(read(`${head}12345`), null, JSON.stringify(head));
    });
  }

  test('a head that is longer than it may be', () => {
    const head = headOf(LINES);
    assert.notEqual(read(head, { ...LIMITS, maxHeader: head.length }), null);
    assert.equal(read(head, { ...LIMITS, maxHeader: head.length - 1 }), null);
    const long = (length: number) => added(`x: ${'y'.repeat(length - added('x: ').length)}`);
    assert.notEqual(read(long(4096)), null);
    assert.equal(read(long(4097)), null);
  });

  test('a head of more lines than there need be', () => {
    const many = (count: number) => added(...Array.from({ length: count - LINES.length + 1 }, () => 'x: y'));
    assert.notEqual(read(many(100)), null);
    assert.equal(read(many(101)), null);
  });

  test('a body that is larger than it may be', () => {
    assert.notEqual(read(changed('Content-Length', 'Content-Length: 1000')), null);
    assert.equal(read(changed('Content-Length', 'Content-Length: 1001')), null);
  });
});
