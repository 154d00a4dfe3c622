import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { TimerWheel } from '../deadlines/timer-wheel.ts';
import { closedPort } from '../testing/listen.ts';
import { type Answering, ask, startRawVendor } from '../testing/raw-vendor.ts';
import { REST_MS } from './connections.ts';
import { Http1Upstream } from './http1/http1.ts';
import type { SocketOptions, Sockets } from './sockets.ts';
import { UndiciUpstream } from './undici.ts';

/** Time that is made to pass. */
let skippedMs = 0;

/** What holds for both ways to vendors. */
const OPTIONS: SocketOptions = {
  connectTimeoutMs: 5_000,
  maxHeaderBytes: 4096,
  proxies: { http: null, https: null, no: null },
  wheel: new TimerWheel(() => performance.now() + skippedMs),
};
const WAYS: Readonly<Record<string, () => Sockets>> = {
  fast: () =>
    new Http1Upstream({
      ...OPTIONS,
      proxied: new UndiciUpstream(OPTIONS),
    }),
  node: () => new UndiciUpstream(OPTIONS),
};

const HEAD = 'HTTP/1.1 200 OK\r\n';
const CHUNKED = `${HEAD}transfer-encoding: chunked\r\n\r\n`;
const HELLO = `${HEAD}content-length: 5\r\n\r\nhello`;

type Ending = 'end' | 'reset' | 'stay';
type Failure = 'upstream_disconnected' | 'upstream_invalid_answer';

/** What the vendor writes, how it goes on, and what the listener hears of it. */
const ANSWERS: Readonly<Record<string, { bytes: string | Buffer; ending?: Ending; body: string }>> = {
  'a declared length': { bytes: HELLO, body: 'hello' },
  chunks: { bytes: `${CHUNKED}2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n`, body: 'hello' },
  'a body that ends with the connection': { bytes: `${HEAD}\r\nhello`, ending: 'end', body: 'hello' },
  'no body': { bytes: `${HEAD}content-length: 0\r\n\r\n`, body: '' },
  'early hints first': { bytes: `HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${HELLO}`, body: 'hello' },
  gzip: { bytes: packed('gzip', gzipSync('hello')), body: 'hello' },
  brotli: { bytes: packed('br', brotliCompressSync('hello')), body: 'hello' },
};

const FAILURES: Readonly<Record<string, { bytes: string | Buffer; ending?: Ending; kind: Failure }>> = {
  'an end before the answer': { bytes: '', ending: 'end', kind: 'upstream_disconnected' },
  'a reset before the answer': { bytes: '', ending: 'reset', kind: 'upstream_disconnected' },
  'an end within the head': { bytes: `${HEAD}content-`, ending: 'end', kind: 'upstream_disconnected' },
  'an end before the declared length': {
    bytes: `${HEAD}content-length: 6\r\n\r\nhello`,
    ending: 'end',
    kind: 'upstream_disconnected',
  },
  'an end before the last chunk': { bytes: `${CHUNKED}5\r\nhello\r\n`, ending: 'end', kind: 'upstream_disconnected' },
  'a reset in the body': { bytes: `${CHUNKED}5\r\nhello\r\n`, ending: 'reset', kind: 'upstream_disconnected' },
  'something that is no HTTP': { bytes: '220 smtp ready\r\n', kind: 'upstream_invalid_answer' },
  'a chunk that is none': { bytes: `${CHUNKED}zz\r\n`, kind: 'upstream_invalid_answer' },
  'a head past its limit': { bytes: `${HEAD}a: ${'x'.repeat(5000)}\r\n\r\n`, kind: 'upstream_invalid_answer' },
  'broken gzip': { bytes: packed('gzip', Buffer.from('hello')), ending: 'end', kind: 'upstream_invalid_answer' },
  'an encoding nobody knows': {
    bytes: packed('odd', Buffer.from('hello')),
    ending: 'end',
    kind: 'upstream_invalid_answer',
  },
};

for (const [way, open] of Object.entries(WAYS)) {
  describe(`vendors by way of ${way}:`, () => {
    const upstream = open();
    after(() => upstream.close());

    test('a request is sent as it was given, with its host and its length', async () => {
      await using vendor = await startRawVendor(answering(HELLO));
      const base = `http://127.0.0.1:${vendor.port}/v1`;
      const headers = ['content-type', 'application/json', 'x-team', 'blü'];
      const body = Buffer.from('{"a":"é"}');
      assert.equal((await ask(upstream, base, { headers, body, path: '/chat?b=c' }).ended).body, 'hello');
      assert.equal(
        vendor.received(),
        `POST /v1/chat?b=c HTTP/1.1\r\nhost: 127.0.0.1:${vendor.port}\r\nconnection: keep-alive\r\n` +
          `content-type: application/json\r\nx-team: blü\r\ncontent-length: 10\r\n\r\n${body.toString('latin1')}`,
      );
    });

    test('a GET has no body, and says nothing of one', async () => {
      await using vendor = await startRawVendor(answering(HELLO));
      const get = { method: 'GET', path: '/models', body: null } as const;
      await ask(upstream, `http://127.0.0.1:${vendor.port}`, get).ended;
      assert.match(vendor.received(), /^GET \/models HTTP\/1\.1\r\nhost: [\s\S]*\r\n\r\n$/);
      assert.doesNotMatch(vendor.received(), /content-length/);
    });

    test('a header that would be another request is sent nowhere', async () => {
      await using vendor = await startRawVendor(answering(HELLO));
      for (const headers of [
        ['x', 'a\r\nb: c'],
        ['x\r\ny', 'a'],
        ['transfer-encoding', 'chunked'],
      ]) {
        const { events } = await ask(upstream, `http://127.0.0.1:${vendor.port}`, { headers }).ended;
        assert.deepEqual(events, ['failure']);
      }
      assert.equal(vendor.received(), '');
    });

    for (const [name, { bytes, ending = 'stay', body }] of Object.entries(ANSWERS)) {
      test(name, async () => {
        await using vendor = await startRawVendor(answering(bytes, ending));
        const heard = await ask(upstream, `http://127.0.0.1:${vendor.port}`).ended;
        assert.deepEqual(heard.events, body === '' ? ['start', 'end'] : ['start', 'data', 'end']);
        assert.deepEqual([heard.status, heard.body], [200, body]);
      });
    }

    for (const [name, { bytes, ending = 'stay', kind }] of Object.entries(FAILURES)) {
      test(`${name}: ${kind}`, async () => {
        await using vendor = await startRawVendor(answering(bytes, ending));
        const heard = await ask(upstream, `http://127.0.0.1:${vendor.port}`).ended;
        assert.equal(heard.error?.kind, kind);
        assert.equal(heard.events.filter((event) => event === 'failure' || event === 'end').length, 1);
        await vendor.until(() => vendor.open() === 0);
      });
    }

    test('headers that stand more than once are lists', async () => {
      await using vendor = await startRawVendor(
        answering(HELLO.replace('\r\n', '\r\nSet-Cookie: a\r\nset-cookie: b\r\n')),
      );
      const { headers } = await ask(upstream, `http://127.0.0.1:${vendor.port}`).ended;
      assert.deepEqual([headers['set-cookie'], headers['content-length']], [['a', 'b'], '5']);
    });

    test('nobody there: upstream_unreachable', async () => {
      const { error, events } = await ask(upstream, `http://127.0.0.1:${await closedPort()}`).ended;
      assert.deepEqual([error?.kind, events], ['upstream_unreachable', ['failure']]);
    });

    test('a name with several addresses is reached at the one that answers', async () => {
      await using vendor = await startRawVendor(answering(HELLO));
      assert.equal((await ask(upstream, `http://localhost:${vendor.port}`).ended).body, 'hello');
    });

    test('one connection carries call after call', async () => {
      await using vendor = await startRawVendor(answering(HELLO));
      for (let call = 0; call < 5; call += 1) {
        assert.equal((await ask(upstream, `http://127.0.0.1:${vendor.port}`).ended).body, 'hello');
        skippedMs += REST_MS;
        await turn();
      }
      assert.equal(vendor.sockets.length, 1);
    });

    for (const [name, body] of Object.entries({
      ASCII: Buffer.from('data: {"a":1}\n\n\u0000\u007f'),
      'letters beyond ASCII': Buffer.from('data: é😀\n\n'),
      'bytes that are no text': Buffer.from([0x64, 0xff, 0xed, 0xa0, 0x80, 0x0a]),
      'a piece that is large': Buffer.alloc(20 * 1024, 'a'),
    })) {
      test(`a listener that takes text gets the same bytes of ${name}`, async () => {
        const answer = Buffer.concat([Buffer.from(`${HEAD}content-length: ${body.length}\r\n\r\n`), body]);
        await using vendor = await startRawVendor(answering(answer));
        const heard = await ask(upstream, `http://127.0.0.1:${vendor.port}`, {}, { onText: () => undefined }).ended;
        assert.deepEqual(Buffer.from(heard.body, 'latin1'), body);
        assert.deepEqual([heard.events[0], heard.events.at(-1)], ['start', 'end']);
        assert.equal(heard.events.includes('text'), way === 'fast' && name === 'ASCII');
      });
    }

    test('what is compressed comes as bytes, whatever the listener takes', async () => {
      // Not compressed much: one of its chunks is ASCII alone.
      const stored = gzipSync('hello', { level: 0 });
      const at = stored.indexOf('hello');
      const chunks = [stored.subarray(0, at), stored.subarray(at, at + 5), stored.subarray(at + 5)];
      const body = [...chunks, Buffer.alloc(0)].flatMap((chunk) => [`${chunk.length.toString(16)}\r\n`, chunk, '\r\n']);
      const head = `${HEAD}content-encoding: gzip\r\ntransfer-encoding: chunked\r\n\r\n`;
      const answer = Buffer.concat([head, ...body].map((part) => Buffer.from(part)));
      await using vendor = await startRawVendor(answering(answer));
      const heard = await ask(upstream, `http://127.0.0.1:${vendor.port}`, {}, { onText: () => undefined }).ended;
      assert.deepEqual([heard.events, heard.body], [['start', 'data', 'end'], 'hello']);
    });

    test('a listener that throws at text fails its own call, and hears nothing more', async () => {
      await using vendor = await startRawVendor(answering(`${CHUNKED}5\r\nhello\r\n5\r\nagain\r\n0\r\n\r\n`));
      const fail = () => {
        throw new Error('unreadable');
      };
      const heard = await ask(upstream, `http://127.0.0.1:${vendor.port}`, {}, { onText: fail, onData: fail }).ended;
      assert.equal(heard.error?.kind, 'upstream_invalid_answer');
      assert.deepEqual(heard.events, ['start', way === 'fast' ? 'text' : 'data', 'failure']);
    });

    test('an abort lets the vendor go, and nothing more is heard', async () => {
      await using vendor = await startRawVendor(answering(`${CHUNKED}5\r\nhello\r\n`));
      const begun = Promise.withResolvers<void>();
      const heard = ask(upstream, `http://127.0.0.1:${vendor.port}`, {}, { onData: () => begun.resolve() });
      await begun.promise;
      assert.equal(heard.hold.unsent, false);
      heard.hold.abort();
      heard.hold.resume();
      await vendor.until(() => vendor.open() === 0);
      assert.deepEqual(heard.events, ['start', 'data']);
    });

    for (const during of ['onStart', 'onData'] as const) {
      test(`a call that is let go in ${during} ends nothing else, whatever stands behind in the same piece`, async () => {
        await using vendor = await startRawVendor(answering(`${CHUNKED}5\r\nhello\r\nno size\r\n`));
        const letGo = { [during]: () => heard.hold.abort() };
        const heard = ask(upstream, `http://127.0.0.1:${vendor.port}`, {}, letGo);
        await vendor.until(() => vendor.sockets.length === 1 && vendor.open() === 0);
        assert.deepEqual(heard.events, during === 'onStart' ? ['start'] : ['start', 'data']);
        assert.equal(heard.error, null);
      });
    }

    for (const encoding of ['', 'gzip']) {
      for (const during of ['onStart', 'onData', 'onEnd'] as const) {
        test(`a listener that throws in ${during} ${encoding} fails its own call, and no other`, async () => {
          await using vendor = await startRawVendor(
            answering(encoding === '' ? HELLO : packed(encoding, gzipSync('hello'))),
          );
          const cause = new Error('it cannot be read');
          const throws = {
            [during]: () => {
              throw cause;
            },
          };
          const heard = await ask(upstream, `http://127.0.0.1:${vendor.port}`, {}, throws).ended;
          assert.deepEqual([heard.error?.kind, heard.error?.cause], ['upstream_invalid_answer', cause]);
          assert.equal(heard.events.at(-1), 'failure');
          assert.equal((await ask(upstream, `http://127.0.0.1:${vendor.port}`).ended).status, 200);
        });
      }
    }

    test('an abort before anything was sent sends nothing', async () => {
      await using vendor = await startRawVendor(answering(HELLO));
      const heard = ask(upstream, `http://127.0.0.1:${vendor.port}`);
      heard.hold.abort();
      await ask(upstream, `http://127.0.0.1:${vendor.port}`).ended;
      assert.deepEqual([heard.events, heard.hold.unsent], [[], true]);
      assert.equal(vendor.received().match(/POST/g)?.length, 1);
    });

    test('while it is held, a vendor is held up; then all of it comes', async () => {
      const part = Buffer.alloc(1 << 20, 'x');
      const parts = 64;
      let written = 0;
      const pour: Answering = (socket) => {
        socket.write(`${HEAD}content-length: ${part.length * parts}\r\n\r\n`);
        const more = () => {
          while (written < parts) {
            written += 1;
            if (!socket.write(part)) return void socket.once('drain', more);
          }
        };
        more();
      };
      await using vendor = await startRawVendor(pour);
      const base = `http://127.0.0.1:${vendor.port}`;
      const held = Promise.withResolvers<void>();
      let length = 0;
      const heard = ask(
        upstream,
        base,
        {},
        {
          onStart: () => setImmediate(held.resolve),
          onData: (chunk) => {
            if (length === 0) heard.hold.pause();
            length += chunk.length;
          },
        },
      );
      await held.promise;
      // Another call shows that the loop has gone round, and that only the one connection is held.
      await using other = await startRawVendor(answering(HELLO));
      for (let call = 0; call < 20; call += 1) await ask(upstream, `http://127.0.0.1:${other.port}`).ended;
      assert.ok(length < part.length * 8, `${length} bytes came through`);
      assert.ok(written < parts, 'the vendor wrote all of it');
      heard.hold.resume();
      await heard.ended;
      assert.equal(length, part.length * parts);
    });

    test('a stop waits for calls in flight, and for no idle connection', async () => {
      let finish = () => {};
      const slow: Answering = (socket) => {
        socket.write(`${CHUNKED}5\r\nhello\r\n`);
        finish = () => void socket.write('0\r\n\r\n');
      };
      await using idle = await startRawVendor(answering(HELLO));
      await using vendor = await startRawVendor(slow);
      const stopping = open();
      await ask(stopping, `http://127.0.0.1:${idle.port}`).ended;
      const begun = Promise.withResolvers<void>();
      const heard = ask(stopping, `http://127.0.0.1:${vendor.port}`, {}, { onData: () => begun.resolve() });
      await begun.promise;
      let closed = false;
      const closing = stopping.close().then(() => {
        closed = true;
      });
      await idle.until(() => idle.open() === 0);
      assert.equal(closed, false);
      finish();
      assert.equal((await heard.ended).body, 'hello');
      await closing;
      await vendor.until(() => vendor.open() === 0);
    });
  });
}

/** Answers each request, however it is cut, with these bytes. */
function answering(bytes: string | Buffer, ending: Ending = 'stay'): Answering {
  return (socket, piece) => {
    if (!/^(?:GET|POST) /.test(piece)) return;
    if (ending === 'reset') socket.write(bytes, () => socket.resetAndDestroy());
    else if (ending === 'end') socket.end(bytes);
    else socket.write(bytes);
  };
}

function packed(encoding: string, body: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`${HEAD}content-encoding: ${encoding}\r\ncontent-length: ${body.length}\r\n\r\n`),
    body,
  ]);
}
