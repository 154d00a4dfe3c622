import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import {
  createServer as createTlsServer,
  getCACertificates,
  setDefaultCACertificates,
  type TLSSocket,
  type TlsOptions,
} from 'node:tls';
import { TimerWheel } from '../deadlines/timer-wheel.ts';
import { CERT, EXPIRED_CERT, KEY } from '../testing/certificates.ts';
import { listen } from '../testing/listen.ts';
import { type Answering, ask, type Heard, startRawVendor } from '../testing/raw-vendor.ts';
import { startVendorProxy } from '../testing/vendor-proxy.ts';
import { Http1Upstream } from './http1/http1.ts';
import type { SocketOptions, Sockets } from './sockets.ts';
import { UndiciUpstream } from './undici.ts';

const OPTIONS: SocketOptions = {
  connectTimeoutMs: 5_000,
  maxHeaderBytes: 4096,
  proxies: { http: null, https: null, no: null },
  wheel: new TimerWheel(() => performance.now()),
};
const WAYS: Readonly<Record<string, (options: SocketOptions) => Sockets>> = {
  fast: (options) => new Http1Upstream({ ...options, proxied: new UndiciUpstream(options) }),
  node: (options) => new UndiciUpstream(options),
};
const TLS: TlsOptions = { cert: CERT, key: KEY };
const PUBLIC = [...getCACertificates('default')];

const HELLO = 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello';
const hello: Answering = (socket) => void socket.write(HELLO);

/** Vendors that no connection is made to, whatever they do instead of shaking hands. */
const HANDSHAKES: Readonly<Record<string, (socket: Socket) => void>> = {
  'ends the connection': (socket) => void socket.end(),
  'resets the connection': (socket) => void socket.resetAndDestroy(),
  'speaks plain HTTP': (socket) => void socket.end('HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n'),
  'says nonsense': (socket) => void socket.write(Buffer.alloc(4096, 0xa5)),
  'sends an alert': (socket) => void socket.write(Buffer.from([0x15, 3, 3, 0, 2, 2, 80])),
  'begins a record and goes no further': (socket) => void socket.write(Buffer.from([0x16, 3, 3, 0x40, 0])),
  'says nothing': () => undefined,
};

/** Vendors over TLS that no request is to be sent to. */
const REFUSED: Readonly<Record<string, { tls: TlsOptions; trusted: readonly string[]; host?: string }>> = {
  'a certificate that nobody vouches for': { tls: TLS, trusted: [] },
  'a certificate that has expired': { tls: { ...TLS, cert: EXPIRED_CERT }, trusted: [EXPIRED_CERT] },
  'a certificate of another host, by TLSv1.2': {
    tls: { ...TLS, maxVersion: 'TLSv1.2' },
    trusted: [CERT],
    host: '127.0.0.1',
  },
  'a certificate of another host, by TLSv1.3': { tls: TLS, trusted: [CERT], host: '127.0.0.1' },
  'TLS 1.0 only': {
    tls: { ...TLS, minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' },
    trusted: [CERT],
  },
  'HTTP/2 only': { tls: { ...TLS, ALPNProtocols: ['h2'] }, trusted: [CERT] },
};

/** Somebody between, who can put in records, but none that holds: only the two ends can seal one. */
const MEDDLING: Readonly<Record<string, (caller: Socket) => void>> = {
  'a record that nobody has sealed': (caller) =>
    void caller.write(Buffer.concat([Buffer.from([0x17, 3, 3, 0, 32]), Buffer.alloc(32, 7)])),
  'plain HTTP': (caller) => void caller.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'),
  'a reset': (caller) => void caller.resetAndDestroy(),
};

/** Bodies that have begun, and go no further. */
const BEGUN: Readonly<Record<string, string>> = {
  'a body of a declared length': 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhello',
  'a body in chunks': 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n',
  'a body that only the end ends': 'HTTP/1.1 200 OK\r\n\r\nhello',
};

for (const [way, open] of Object.entries(WAYS)) {
  describe(`vendors over TLS by way of ${way}:`, () => {
    const disposable = (options: Partial<SocketOptions> = {}) => {
      const upstream = open({ ...OPTIONS, ...options });
      return Object.assign(upstream, { [Symbol.asyncDispose]: () => upstream.close() });
    };

    for (const [name, instead] of Object.entries(HANDSHAKES)) {
      test(`one that ${name} instead of shaking hands: unreachable within the time for connecting`, async () => {
        await using vendor = await startRawVendor(instead);
        await using upstream = disposable({ connectTimeoutMs: 300 });
        unreached(await ask(upstream, `https://localhost:${vendor.port}`).ended);
        await vendor.until(() => vendor.open() === 0);
      });
    }

    for (const [name, { tls, trusted, host = 'localhost' }] of Object.entries(REFUSED)) {
      test(`${name}: unreachable, however often it is tried, and nothing is sent`, async () => {
        setDefaultCACertificates([...PUBLIC, ...trusted]);
        await using vendor = await startRawVendor(hello, tls);
        await using upstream = disposable();
        for (let call = 0; call < 3; call += 1) {
          unreached(await ask(upstream, `https://${host}:${vendor.port}`).ended);
          await turn();
        }
        assert.equal(vendor.received(), '');
      });
    }

    test('an end before the declared length: disconnected', async () => {
      setDefaultCACertificates([...PUBLIC, CERT]);
      const bytes = 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhello';
      await using vendor = await startRawVendor((socket) => void socket.end(bytes), TLS);
      await using upstream = disposable();
      const { error, events } = await ask(upstream, `https://localhost:${vendor.port}`).ended;
      assert.deepEqual([error?.kind, events.includes('end')], ['upstream_disconnected', false]);
    });

    test('an end in order that alone ends the body: the answer has ended', async () => {
      setDefaultCACertificates([...PUBLIC, CERT]);
      await using vendor = await startRawVendor((socket) => void socket.end('HTTP/1.1 200 OK\r\n\r\nhello'), TLS);
      await using upstream = disposable();
      const { body, events } = await ask(upstream, `https://localhost:${vendor.port}`).ended;
      assert.deepEqual([body, events], ['hello', ['start', 'data', 'end']]);
    });

    // Node does not tell it from an end in order, so whoever reads the body must see that it is not whole.
    test('somebody between who cuts a body that only the end ends, without a word of TLS: it has ended', async () => {
      const { events } = await meetBetween('HTTP/1.1 200 OK\r\n\r\nhello', (caller) => void caller.end());
      assert.deepEqual(events, ['start', 'data', 'end']);
    });

    for (const [name, meddle] of Object.entries(MEDDLING)) {
      for (const [framing, bytes] of Object.entries(BEGUN)) {
        for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
          test(`${name} from somebody between in ${framing}, by ${maxVersion}: disconnected at once`, async () => {
            const { error, events, body } = await meetBetween(bytes, meddle, maxVersion);
            assert.deepEqual(
              [error?.kind, events, body],
              ['upstream_disconnected', ['start', 'data', 'failure'], 'hello'],
            );
          });
        }
      }

      test(`${name} on an idle connection: the next call goes by a new one`, async () => {
        setDefaultCACertificates([...PUBLIC, CERT]);
        await using vendor = await startRawVendor(hello, TLS);
        await using between = await startVendorProxy(vendor.port);
        await using upstream = disposable();
        const base = `https://localhost:${between.port}`;
        assert.equal((await ask(upstream, base).ended).body, 'hello');
        meddle(between.caller());
        await vendor.until(() => vendor.sockets.length === 1 && vendor.open() === 0);
        assert.equal((await ask(upstream, base).ended).body, 'hello');
        assert.equal(vendor.sockets.length, 2);
      });
    }

    /** What is heard of a vendor that says these bytes, where somebody between meets the first of them so. */
    async function meetBetween(bytes: string, meet: (caller: Socket) => void, maxVersion?: 'TLSv1.2' | 'TLSv1.3') {
      setDefaultCACertificates([...PUBLIC, CERT]);
      await using vendor = await startRawVendor((socket) => void socket.write(bytes), { ...TLS, maxVersion });
      await using between = await startVendorProxy(vendor.port);
      await using upstream = disposable();
      const base = `https://localhost:${between.port}`;
      const heard = await ask(upstream, base, {}, { onData: () => meet(between.caller()) }).ended;
      await vendor.until(() => vendor.open() === 0);
      return heard;
    }

    test('one that shakes hands anew in the middle of a call does not hold it', async () => {
      setDefaultCACertificates([...PUBLIC, CERT]);
      await using vendor = await startRawVendor(
        (socket) => {
          (socket as TLSSocket).renegotiate({}, () => undefined);
          socket.write(HELLO);
        },
        { ...TLS, maxVersion: 'TLSv1.2' },
      );
      await using upstream = disposable();
      assert.equal((await ask(upstream, `https://localhost:${vendor.port}`).ended).body, 'hello');
    });

    for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
      test(`one that knows no session of before, by ${maxVersion}, is reached all the same`, async () => {
        setDefaultCACertificates([...PUBLIC, CERT]);
        const server = createTlsServer({ ...TLS, maxVersion }, (socket) => {
          socket.on('error', () => undefined).on('data', () => socket.end(HELLO));
        });
        const port = await listen(server, 0);
        {
          await using upstream = disposable();
          for (let call = 0; call < 3; call += 1) {
            assert.equal((await ask(upstream, `https://localhost:${port}`).ended).body, 'hello');
            server.setTicketKeys(randomBytes(48));
          }
        }
        await new Promise((resolve) => server.close(resolve));
      });
    }
  });
}

/** Nothing was sent, and what is said of it names no address. */
function unreached({ error, events }: Heard): void {
  assert.deepEqual([error?.kind, error?.status, events], ['upstream_unreachable', 502, ['failure']]);
  assert.doesNotMatch(error?.message ?? '', /localhost|127\.0\.0\.1|\d{4}|BEGIN/);
}
