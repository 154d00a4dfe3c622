import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { UpstreamHeaders } from '../../core/ports.ts';
import { MalformedAnswer } from './malformed.ts';
import { Http1ResponseReader } from './reader.ts';

const MAX_HEAD = 1024;

type Seen = {
  status: number | null;
  headers: UpstreamHeaders;
  body: string;
  pieces: number;
  ended: boolean;
  reusable: boolean;
};

function readerOf() {
  const seen: Seen = { status: null, headers: {}, body: '', pieces: 0, ended: false, reusable: false };
  const reader = new Http1ResponseReader(
    {
      onHead: (status, headers) => Object.assign(seen, { status, headers: { ...headers } }),
      onBody: (bytes, from, to) => {
        seen.body += bytes.toString('latin1', from, to);
        seen.pieces += 1;
      },
      onComplete: () => {
        assert.equal(seen.ended, false);
        seen.ended = true;
      },
    },
    MAX_HEAD,
  );
  reader.begin();
  return { reader, seen };
}

/** What comes of these pieces, behind which the connection ends. */
function read(...pieces: readonly string[]): Seen {
  const { reader, seen } = readerOf();
  for (const piece of pieces) {
    // As in a read into shared memory, something older stands behind the piece.
    const bytes = Buffer.from(`${piece}\r\n\r\n0\r\n\r\n`, 'latin1');
    reader.push(bytes, piece.length);
  }
  seen.reusable = reader.reusable;
  if (!seen.ended) reader.end();
  return seen;
}

const HEAD = 'HTTP/1.1 200 OK\r\n';
const CHUNKED = `${HEAD}transfer-encoding: chunked\r\n\r\n`;

const WHOLE: Readonly<Record<string, { text: string; status?: number; body: string; reusable?: boolean }>> = {
  'a declared length': { text: `${HEAD}Content-Length: 5\r\n\r\nhello`, body: 'hello' },
  'a length of zero': { text: `${HEAD}content-length: 0\r\n\r\n`, body: '' },
  chunks: { text: `${CHUNKED}5\r\nhello\r\n0A\r\n, and more\r\n0\r\n\r\n`, body: 'hello, and more' },
  'extensions of chunks': { text: `${CHUNKED}5;a;b=c\r\nhello\r\n0;d\r\n\r\n`, body: 'hello' },
  'an extension before the last chunk’s trailers': {
    text: `${CHUNKED}1\r\nx\r\n0\r\nx-sum: 7\r\nb:\r\n\r\n`,
    body: 'x',
  },
  'no length at all': { text: `${HEAD}content-type: a/b\r\n\r\nhello`, body: 'hello', reusable: false },
  'a vendor that closes': {
    text: `${HEAD}connection: close\r\ncontent-length: 1\r\n\r\nx`,
    body: 'x',
    reusable: false,
  },
  'HTTP/1.0': { text: 'HTTP/1.0 200 OK\r\ncontent-length: 1\r\n\r\nx', body: 'x', reusable: false },
  'HTTP/1.0 that stays': { text: 'HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\ncontent-length: 1\r\n\r\nx', body: 'x' },
  'no reason': { text: 'HTTP/1.1 500 \r\ncontent-length: 0\r\n\r\n', status: 500, body: '' },
  'not even the space before it': { text: 'HTTP/1.1 429\r\ncontent-length: 0\r\n\r\n', status: 429, body: '' },
  'no content': { text: 'HTTP/1.1 204 No Content\r\n\r\n', status: 204, body: '' },
  'no content, with a length': {
    text: 'HTTP/1.1 204 No Content\r\ncontent-length: 5\r\n\r\n',
    status: 204,
    body: '',
    reusable: false,
  },
  'interim answers': {
    text: `HTTP/1.1 103 Early\r\nlink: a\r\n\r\nHTTP/1.1 100 C\r\n\r\n${CHUNKED}1\r\nx\r\n0\r\n\r\n`,
    body: 'x',
  },
};

describe('an answer is the same however it is cut:', () => {
  for (const [name, { text, status = 200, body, reusable = true }] of Object.entries(WHOLE)) {
    test(name, () => {
      const expected = { status, body, ended: true, reusable };
      const partOf = ({ status, body, ended, reusable }: Seen) => ({ status, body, ended, reusable });
      assert.deepEqual(partOf(read(text)), expected);
      assert.deepEqual(partOf(read(...text)), expected, 'byte by byte');
      for (let cut = 1; cut < text.length; cut += 1) {
        assert.deepEqual(partOf(read(text.slice(0, cut), text.slice(cut))), expected, `cut at ${cut}`);
      }
    });
  }
});

test('headers have names in lower case, values without their blanks, and lists where they stand more than once', () => {
  const fields =
    'Content-Type:  text/plain \r\nx-empty:\r\nset-cookie: a\r\nSet-Cookie: b\r\n__proto__: c\r\nconstructor: d\r\n';
  const { headers } = read(`${HEAD}${fields}content-length: 0\r\n\r\n`);
  assert.deepEqual(Object.entries(headers), [
    ['content-type', 'text/plain'],
    ['x-empty', ''],
    ['set-cookie', ['a', 'b']],
    ['__proto__', 'c'],
    ['constructor', 'd'],
    ['content-length', '0'],
  ]);
});

test('chunks that come together are given out as one piece', () => {
  const { body, pieces } = read(`${CHUNKED}3\r\none\r\n3\r\ntwo\r\n5\r\nthr`, 'ee\r\n4\r\nfour\r\n0\r\n\r\n');
  assert.deepEqual([body, pieces], ['onetwothreefour', 2]);
});

test('chunks of a compressed body are given out one by one', () => {
  const head = `${HEAD}content-encoding: gzip\r\ntransfer-encoding: chunked\r\n\r\n`;
  const { body, pieces } = read(`${head}3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n`);
  assert.deepEqual([body, pieces], ['onetwo', 2]);
});

test('bytes behind the end are not read, and the connection is not used again', () => {
  const { body, ended, reusable } = read(`${HEAD}content-length: 1\r\n\r\nxHTTP/1.1 200 OK\r\n`);
  assert.deepEqual([body, ended, reusable], ['x', true, false]);
});

test('one connection carries one answer after another', () => {
  const { reader, seen } = readerOf();
  for (const word of ['one', 'two']) {
    const bytes = Buffer.from(`${HEAD}content-length: 3\r\n\r\n${word}`);
    reader.push(bytes, bytes.length);
    assert.deepEqual([seen.body, seen.ended, reader.reusable], [word, true, true]);
    Object.assign(seen, { body: '', ended: false });
    reader.begin();
  }
});

test('a connection that ends early completes nothing', () => {
  for (const text of [
    '',
    'HTTP/1.1 2',
    `${HEAD}content-length: 5\r\n\r\nhell`,
    `${CHUNKED}5\r\nhello\r\n`,
    `${CHUNKED}0\r\n`,
  ]) {
    assert.equal(read(text).ended, false, text);
  }
});

test('what came before something malformed is given out first', () => {
  const { reader, seen } = readerOf();
  const bytes = Buffer.from(`${CHUNKED}5\r\nhello\r\nzz\r\n`);
  assert.throws(() => reader.push(bytes, bytes.length), MalformedAnswer);
  assert.equal(seen.body, 'hello');
});

const REFUSED: Readonly<Record<string, string>> = {
  'another protocol': 'SSH-2.0-OpenSSH\r\n',
  'another version': 'HTTP/2.0 200 OK\r\n\r\n',
  'a version in small letters': 'http/1.1 200 OK\r\n\r\n',
  'a byte before the status line': `\n${HEAD}\r\n`,
  'a status of two digits': 'HTTP/1.1 20 OK\r\n\r\n',
  'a status of four digits': 'HTTP/1.1 2000 OK\r\n\r\n',
  'two spaces before the status': 'HTTP/1.1  200 OK\r\n\r\n',
  'a control character in the reason': 'HTTP/1.1 200 O\x01K\r\n\r\n',
  'a change of protocols': 'HTTP/1.1 101 Switching\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n',
  'a bare LF behind the status line': 'HTTP/1.1 200 OK\n',
  'a bare LF behind a field': `${HEAD}a: b\nc: d\r\n\r\n`,
  'a bare LF as the blank line': `${HEAD}content-length: 0\r\n\n`,
  'a bare CR in a value': `${HEAD}a: b\rc: d\r\n\r\n`,
  'a folded field': `${HEAD}a: b\r\n c\r\n\r\n`,
  'a space before the colon': `${HEAD}content-length : 5\r\n\r\nhello`,
  'a space in front of the name': `${HEAD} a: b\r\n\r\n`,
  'no name': `${HEAD}: b\r\n\r\n`,
  'no colon': `${HEAD}abc\r\n\r\n`,
  'a NUL in a value': `${HEAD}a: b\0c\r\n\r\n`,
  'a NUL in a name': `${HEAD}a\0: b\r\n\r\n`,
  'a letter beyond ASCII in a name': `${HEAD}\xe9: b\r\n\r\n`,
  'two lengths': `${HEAD}content-length: 1\r\ncontent-length: 2\r\n\r\nxx`,
  'the same length twice': `${HEAD}content-length: 1\r\nContent-Length: 1\r\n\r\nx`,
  'a list of lengths': `${HEAD}content-length: 1, 1\r\n\r\nx`,
  'a length with a sign': `${HEAD}content-length: +1\r\n\r\nx`,
  'a negative length': `${HEAD}content-length: -1\r\n\r\nx`,
  'a hexadecimal length': `${HEAD}content-length: 0x1\r\n\r\nx`,
  'an empty length': `${HEAD}content-length:\r\n\r\nx`,
  'a length with a space in it': `${HEAD}content-length: 1 1\r\n\r\nx`,
  'a length past all numbers': `${HEAD}content-length: 18446744073709551617\r\n\r\nx`,
  'a length and chunks': `${HEAD}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n`,
  'chunks and a length': `${HEAD}transfer-encoding: chunked\r\ncontent-length: 1\r\n\r\n1\r\nx\r\n0\r\n\r\n`,
  'chunks twice': `${HEAD}transfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
  'another coding': `${HEAD}transfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
  'a coding that is almost chunked': `${HEAD}transfer-encoding: xchunked\r\n\r\n0\r\n\r\n`,
  'a vertical tab before chunked': `${HEAD}transfer-encoding: \x0bchunked\r\n\r\n0\r\n\r\n`,
  'a tab behind chunked': `${HEAD}transfer-encoding: chunked\t\r\n\r\n0\r\n\r\n`,
  'chunks in HTTP/1.0': 'HTTP/1.0 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
  'an interim answer with a length': `HTTP/1.1 103 A\r\ncontent-length: 1\r\n\r\n${HEAD}\r\n`,
  'an interim answer that closes': `HTTP/1.1 103 A\r\nconnection: close\r\n\r\n${HEAD}\r\n`,
  'nine interim answers': 'HTTP/1.1 100 C\r\n\r\n'.repeat(9),
  'a head past its limit': `${HEAD}a: ${'x'.repeat(MAX_HEAD)}\r\n\r\n`,
  'a head without end past its limit': `${HEAD}a: ${'x'.repeat(MAX_HEAD)}`,
  'trailers past the limit': `${CHUNKED}0\r\na: ${'x'.repeat(MAX_HEAD)}`,
  'a malformed trailer': `${CHUNKED}0\r\na : b\r\n\r\n`,
  'a folded trailer': `${CHUNKED}0\r\na: b\r\n c\r\n\r\n`,
  'a trailer that frames': `${CHUNKED}0\r\ncontent-length: 5\r\n\r\n`,
  'a bare LF behind the last chunk': `${CHUNKED}0\r\n\r\n`.replace(/\r\n$/, '\n\r\n\r\n'),
  'a chunk without a size': `${CHUNKED}\r\nx`,
  'a size with a sign': `${CHUNKED}+1\r\nx`,
  'a size with 0x': `${CHUNKED}0x1\r\nx`,
  'a size with a space behind it': `${CHUNKED}1 \r\nx`,
  'a size with a space before it': `${CHUNKED} 1\r\nx`,
  'a size of thirteen digits': `${CHUNKED}0000000000001\r\nx`,
  'a size that ends with LF': `${CHUNKED}1\nx`,
  'a size with CR and no LF': `${CHUNKED}1\rx`,
  'a chunk longer than its size': `${CHUNKED}1\r\nxx\r\n`,
  'a chunk that ends with LF': `${CHUNKED}1\r\nx\n`,
  'an empty extension': `${CHUNKED}1;\r\nx`.replace(';', ';='),
  'a bare LF in an extension': `${CHUNKED}1;a\nb\r\nx`,
  'an extension without end': `${CHUNKED}1;${'a'.repeat(256)}`,
};

describe('refused:', () => {
  for (const [name, text] of Object.entries(REFUSED)) {
    test(name, () => {
      assert.throws(() => read(text), MalformedAnswer);
      assert.throws(() => read(...text), MalformedAnswer, 'byte by byte');
    });
  }
});

test('a head and an extension of just the limit are taken', () => {
  const frame = `${HEAD}content-length: 0\r\na: \r\n\r\n`;
  const full = frame.replace('a: ', `a: ${'x'.repeat(MAX_HEAD - frame.length)}`);
  assert.equal(read(full).ended, true);
  assert.equal(read(`${CHUNKED}1;${'a'.repeat(255)}\r\nx\r\n0\r\n\r\n`).ended, true);
  assert.equal(read(`${'HTTP/1.1 100 C\r\n\r\n'.repeat(8)}${CHUNKED}0\r\n\r\n`).ended, true);
});
