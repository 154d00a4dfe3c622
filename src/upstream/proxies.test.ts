import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { TimerWheel } from '../deadlines/timer-wheel.ts';
import { CERT, KEY } from '../testing/certificates.ts';
import { closedPort, listen } from '../testing/listen.ts';
import { ask, startRawVendor } from '../testing/raw-vendor.ts';
import { REST_MS } from './connections.ts';
import { Http1Upstream } from './http1/http1.ts';
import type { Proxies, SocketOptions, Sockets } from './sockets.ts';
import { UndiciUpstream } from './undici.ts';

/** Real time, and what tests let pass besides. */
let skippedMs = 0;
const OPTIONS = {
  connectTimeoutMs: 5_000,
  maxHeaderBytes: 32_768,
  wheel: new TimerWheel(() => performance.now() + skippedMs),
};
const WAYS: Readonly<Record<string, (options: SocketOptions) => Sockets>> = {
  fast: (options) => new Http1Upstream({ ...options, proxied: new UndiciUpstream(options) }),
  node: (options) => new UndiciUpstream(options),
};
const TLS = { cert: CERT, key: KEY };
const HELLO = 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello';
const EVIL = 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nevil!';

setDefaultCACertificates([...getCACertificates('default'), CERT]);

for (const [way, open] of Object.entries(WAYS)) {
  describe(`vendors behind a proxy, by way of ${way}:`, () => {
    const upstreamBy = (proxies: Partial<Proxies>, connectTimeoutMs = OPTIONS.connectTimeoutMs) => {
      const upstream = open({
        ...OPTIONS,
        connectTimeoutMs,
        proxies: { http: null, https: null, no: null, ...proxies },
      });
      return Object.assign(upstream, { [Symbol.asyncDispose]: () => upstream.close() });
    };

    test('a plain one is asked by the vendor’s whole address, on one connection for all calls', async () => {
      await using proxy = await startRawVendor((socket) => void socket.write(HELLO));
      await using upstream = upstreamBy({ http: `http://user:word@127.0.0.1:${proxy.port}` });
      for (let call = 0; call < 3; call += 1) {
        assert.equal((await ask(upstream, 'http://vendor.invalid/v1').ended).body, 'hello');
        await rest();
      }
      assert.equal(proxy.sockets.length, 1);
      assert.match(
        proxy.received(),
        /^POST http:\/\/vendor\.invalid\/v1\/chat HTTP\/1\.1\r\nhost: vendor\.invalid\r\n/,
      );
      assert.match(proxy.received(), /\r\nproxy-authorization: Basic dXNlcjp3b3Jk\r\n/);
    });

    test('an answer whose head is as long as it may be comes through a plain one', async () => {
      const head = `x-long: ${'x'.repeat(20_000)}\r\n`;
      await using proxy = await startRawVendor(
        (socket) => void socket.write(`HTTP/1.1 200 OK\r\n${head}content-length: 5\r\n\r\nhello`),
      );
      await using upstream = upstreamBy({ http: `http://127.0.0.1:${proxy.port}` });
      assert.equal((await ask(upstream, 'http://vendor.invalid').ended).body, 'hello');
    });

    test('a plain one that closes behind each answer: a request that meets it is sent again', async () => {
      await using proxy = await startRawVendor((socket) => void socket.end(HELLO));
      await using upstream = upstreamBy({ http: `http://127.0.0.1:${proxy.port}` });
      for (let call = 0; call < 20; call += 1) {
        skippedMs += REST_MS;
        assert.equal((await ask(upstream, 'http://vendor.invalid').ended).body, 'hello');
      }
    });

    test('a second answer by way of a plain one reaches no other call', async () => {
      await using proxy = await startRawVendor((socket) => {
        socket.write(HELLO);
        setTimeout(() => socket.writable && socket.write(EVIL), 5);
      });
      await using upstream = upstreamBy({ http: `http://127.0.0.1:${proxy.port}` });
      const caller = async () => {
        for (let call = 0; call < 5; call += 1)
          assert.equal((await ask(upstream, 'http://vendor.invalid').ended).body, 'hello');
      };
      await Promise.all(Array.from({ length: 20 }, caller));
    });

    test('a plain one that wants to know who asks: disconnected, and nothing of its page is an answer', async () => {
      const page = 'HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 5\r\n\r\nproxy';
      await using proxy = await startRawVendor((socket) => void socket.write(page));
      await using upstream = upstreamBy({ http: `http://127.0.0.1:${proxy.port}` });
      const { error, events } = await ask(upstream, 'http://vendor.invalid').ended;
      assert.deepEqual([error?.kind, events], ['upstream_disconnected', ['failure']]);
      await proxy.until(() => proxy.open() === 0);
    });

    test('a tunnel is asked for once, and carries TLS to the vendor’s name for all calls', async () => {
      await using vendor = await startRawVendor((socket) => void socket.write(HELLO), TLS);
      await using proxy = await startTunnels(vendor.port);
      await using upstream = upstreamBy({ https: proxy.url });
      for (let call = 0; call < 3; call += 1) {
        assert.equal((await ask(upstream, 'https://localhost').ended).body, 'hello');
        await rest();
      }
      assert.deepEqual(proxy.asked, ['localhost:443']);
      assert.deepEqual([vendor.sockets.length, (vendor.sockets[0] as TLSSocket).servername], [1, 'localhost']);
      assert.match(vendor.received(), /^POST \/chat HTTP\/1\.1\r\nhost: localhost\r\n/);
    });

    test('a tunnel to a vendor whose certificate is of another host: unreachable, and nothing is sent', async () => {
      await using vendor = await startRawVendor((socket) => void socket.write(HELLO), TLS);
      await using proxy = await startTunnels(vendor.port);
      await using upstream = upstreamBy({ https: proxy.url });
      for (let call = 0; call < 3; call += 1) {
        const { error } = await ask(upstream, 'https://vendor.invalid').ended;
        assert.equal(error?.kind, 'upstream_unreachable');
      }
      assert.equal(vendor.received(), '');
    });

    test('a record that nobody has sealed, in a tunnel behind the first of an answer: disconnected at once', async () => {
      await using vendor = await startRawVendor((socket) => void socket.write('HTTP/1.1 200 OK\r\n\r\nhello'), TLS);
      await using proxy = await startTunnels(vendor.port);
      await using upstream = upstreamBy({ https: proxy.url });
      const record = Buffer.concat([Buffer.from([0x17, 3, 3, 0, 32]), Buffer.alloc(32, 7)]);
      const meddle = () => void proxy.callers[0]!.write(record);
      const { error, events } = await ask(upstream, 'https://localhost', {}, { onData: meddle }).ended;
      assert.deepEqual([error?.kind, events], ['upstream_disconnected', ['start', 'data', 'failure']]);
    });

    test('a tunnel that ends with a request in it: it is sent again, through another', async () => {
      let requests = 0;
      await using vendor = await startRawVendor((socket) => {
        requests += 1;
        if (requests === 2) socket.destroy();
        else socket.write(HELLO);
      }, TLS);
      await using proxy = await startTunnels(vendor.port);
      await using upstream = upstreamBy({ https: proxy.url });
      for (let call = 0; call < 2; call += 1) {
        assert.equal((await ask(upstream, 'https://localhost').ended).body, 'hello');
        await rest();
      }
      assert.deepEqual([requests, proxy.asked.length], [3, 2]);
    });

    for (const [name, refuse] of Object.entries<(socket: Socket) => void>({
      'that refuses a tunnel': (socket) => void socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n'),
      'that ends instead of making a tunnel': (socket) => void socket.end(),
      'that resets instead of making a tunnel': (socket) => void socket.resetAndDestroy(),
      'that says nonsense': (socket) => void socket.write('nonsense\r\n\r\n'),
      'that says nothing': () => undefined,
    })) {
      test(`one ${name}: unreachable within the time for connecting`, async () => {
        await using proxy = await startRawVendor(refuse);
        await using upstream = upstreamBy({ https: `http://127.0.0.1:${proxy.port}` }, 300);
        const { error, events } = await ask(upstream, 'https://vendor.invalid').ended;
        assert.deepEqual([error?.kind, events], ['upstream_unreachable', ['failure']]);
        await proxy.until(() => proxy.open() === 0);
      });
    }

    test('one that is not there: unreachable, for a tunnel and for a plain one', async () => {
      const url = `http://127.0.0.1:${await closedPort()}`;
      await using upstream = upstreamBy({ http: url, https: url });
      for (const scheme of ['http', 'https']) {
        assert.equal((await ask(upstream, `${scheme}://vendor.invalid`).ended).error?.kind, 'upstream_unreachable');
      }
    });

    test('a vendor that is an exception is reached without it, on one connection for all calls', async () => {
      await using vendor = await startRawVendor((socket) => void socket.write(HELLO));
      await using upstream = upstreamBy({ http: `http://127.0.0.1:${await closedPort()}`, no: '127.0.0.1' });
      for (let call = 0; call < 3; call += 1) {
        assert.equal((await ask(upstream, `http://127.0.0.1:${vendor.port}`).ended).body, 'hello');
        await rest();
      }
      assert.equal(vendor.sockets.length, 1);
    });
  });
}

async function rest(): Promise<void> {
  skippedMs += REST_MS;
  await turn();
}

type Tunnels = AsyncDisposable & { url: string; asked: string[]; callers: Socket[] };

/** A proxy whose tunnels all lead to this port of this machine, whatever it is asked for. */
async function startTunnels(port: number): Promise<Tunnels> {
  const asked: string[] = [];
  const callers: Socket[] = [];
  const server = createServer();
  server.on('connect', (request: IncomingMessage, caller: Socket) => {
    asked.push(request.url ?? '');
    callers.push(caller);
    const vendor = connect(port, '127.0.0.1', () => caller.write('HTTP/1.1 200 Connection established\r\n\r\n'));
    for (const socket of [caller, vendor]) socket.on('error', () => undefined);
    caller.on('data', (bytes) => vendor.write(bytes)).on('close', () => vendor.destroy());
    vendor.on('data', (bytes) => caller.writable && caller.write(bytes)).on('close', () => caller.destroy());
  });
  return {
    url: `http://127.0.0.1:${await listen(server, 0)}`,
    asked,
    callers,
    async [Symbol.asyncDispose]() {
      for (const caller of callers) caller.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
