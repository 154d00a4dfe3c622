import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { TimerWheel } from '../../deadlines/timer-wheel.ts';
import { CERT, KEY } from '../../testing/certificates.ts';
import { type Answering, ask, startRawVendor } from '../../testing/raw-vendor.ts';
import { REST_MS } from '../connections.ts';
import { UndiciUpstream } from '../undici.ts';
import { Http1Upstream } from './http1.ts';

/** Time that is made to pass. */
let skippedMs = 0;

const OPTIONS = {
  connectTimeoutMs: 5_000,
  maxHeaderBytes: 4096,
  proxies: { http: null, https: null, no: null },
  wheel: new TimerWheel(() => performance.now() + skippedMs),
};

function upstreamOf() {
  const upstream = new Http1Upstream({ ...OPTIONS, proxied: new UndiciUpstream(OPTIONS) });
  return Object.assign(upstream, { [Symbol.asyncDispose]: () => upstream.close() });
}

/** Answers each request in these pieces; closes where it says so. */
function answering(fields: string): Answering {
  return (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\n${fields}transfer-encoding: chunked\r\n\r\n5\r\nhello`);
    socket.write('\r\n3\r\n, x\r\n0\r\n\r\n');
  };
}

describe('vendors over TLS:', () => {
  const tls = { cert: CERT, key: KEY, ALPNProtocols: ['h2', 'http/1.1'] };
  const trusted = [...getCACertificates('default'), CERT];

  test('a certificate that nobody vouches for: unreachable, and the request is not sent', async () => {
    await using vendor = await startRawVendor(answering(''), tls);
    await using upstream = upstreamOf();
    const { error, events } = await ask(upstream, `https://localhost:${vendor.port}`).ended;
    assert.deepEqual([error?.kind, events], ['upstream_unreachable', ['failure']]);
    assert.equal((error?.cause as NodeJS.ErrnoException | undefined)?.code, 'DEPTH_ZERO_SELF_SIGNED_CERT');
    assert.equal(vendor.received(), '');
  });

  test('one that Node trusts: the call is carried over HTTP/1.1, and the connection used again', async () => {
    setDefaultCACertificates(trusted);
    await using vendor = await startRawVendor(answering(''), tls);
    await using upstream = upstreamOf();
    for (let call = 0; call < 3; call += 1) {
      const { events, body } = await ask(upstream, `https://localhost:${vendor.port}`).ended;
      assert.deepEqual([events, body], [['start', 'data', 'end'], 'hello, x']);
      skippedMs += REST_MS;
      await turn();
    }
    const [socket] = vendor.sockets as readonly TLSSocket[];
    assert.deepEqual([vendor.sockets.length, socket?.alpnProtocol, socket?.servername], [1, 'http/1.1', 'localhost']);
  });

  test('what was read before a call was let go is no reason to use no connection again', async () => {
    setDefaultCACertificates(trusted);
    const inPieces: Answering = async (socket) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n');
      for (const piece of ['1\r\n,\r\n', '1\r\nx\r\n', '0\r\n\r\n']) {
        await turn();
        socket.write(piece);
      }
    };
    await using vendor = await startRawVendor(inPieces, tls);
    await using upstream = upstreamOf();
    const url = `https://localhost:${vendor.port}`;
    const { promise, resolve } = Promise.withResolvers<void>();
    const slow = ask(
      upstream,
      url,
      {},
      {
        onData() {
          if (slow.body !== 'hello') return slow.hold.abort();
          slow.hold.pause();
          resolve();
        },
      },
    );
    await promise;
    for (let turns = 0; turns < 200; turns += 1) await turn();
    slow.hold.resume();
    for (let call = 0; call < 3; call += 1) {
      assert.equal((await ask(upstream, url).ended).body, 'hello,x');
      skippedMs += REST_MS;
      await turn();
    }
    assert.equal(vendor.sockets.length, 2);
  });

  for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
    test(`one that Node trusts, for another host, by ${maxVersion}: unreachable, however often it is tried`, async () => {
      setDefaultCACertificates(trusted);
      await using vendor = await startRawVendor(answering(''), { ...tls, maxVersion });
      await using upstream = upstreamOf();
      for (let call = 0; call < 3; call += 1) {
        const { error } = await ask(upstream, `https://127.0.0.1:${vendor.port}`).ended;
        assert.equal(error?.kind, 'upstream_unreachable');
        assert.equal((error?.cause as NodeJS.ErrnoException | undefined)?.code, 'ERR_TLS_CERT_ALTNAME_INVALID');
      }
      assert.equal(vendor.received(), '');
    });

    test(`a second connection resumes the session of the first, by ${maxVersion}`, async () => {
      setDefaultCACertificates(trusted);
      await using vendor = await startRawVendor(answering('connection: close\r\n'), { ...tls, maxVersion });
      await using upstream = upstreamOf();
      for (let call = 0; call < 2; call += 1) await ask(upstream, `https://localhost:${vendor.port}`).ended;
      assert.equal((vendor.sockets[1] as TLSSocket).isSessionReused(), true);
    });
  }
});
