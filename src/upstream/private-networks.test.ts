import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { TimerWheel } from '../deadlines/timer-wheel.ts';
import { ask, startRawVendor, targetAt } from '../testing/raw-vendor.ts';
import { Http1Upstream } from './http1/http1.ts';
import { NotPublicError, publicLookup } from './private-networks.ts';
import type { Proxies, SocketOptions, Sockets } from './sockets.ts';
import { UndiciUpstream } from './undici.ts';

const options = (proxies: Proxies): SocketOptions => ({
  connectTimeoutMs: 5_000,
  maxHeaderBytes: 4096,
  proxies,
  wheel: new TimerWheel(() => performance.now()),
});
const WAYS: Readonly<Record<string, (proxies: Proxies) => Sockets>> = {
  fast: (proxies) => new Http1Upstream({ ...options(proxies), proxied: new UndiciUpstream(options(proxies)) }),
  node: (proxies) => new UndiciUpstream(options(proxies)),
};
const NO_PROXIES: Proxies = { http: null, https: null, no: null };

for (const [way, open] of Object.entries(WAYS)) {
  describe(`providers that must be public, by way of ${way}:`, () => {
    const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello';
    const upstream = open(NO_PROXIES);
    after(() => upstream.close());

    test('nothing is sent to addresses of private networks, and to names that lead there', async () => {
      await using vendor = await startRawVendor((socket) => socket.write(answer));
      for (const host of ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0.0.0.0']) {
        for (const scheme of ['http', 'https']) {
          const { error, events } = await asked(upstream, `${scheme}://${host}:${vendor.port}`).ended;
          assert.deepEqual([error?.kind, events], ['upstream_unreachable', ['failure']], host);
          assert.ok(error?.cause instanceof NotPublicError, host);
        }
      }
      assert.equal(vendor.received(), '');
      // A connection that another provider may have is none of theirs.
      assert.equal((await ask(upstream, `http://127.0.0.1:${vendor.port}`).ended).body, 'hello');
      assert.deepEqual((await asked(upstream, `http://127.0.0.1:${vendor.port}`).ended).events, ['failure']);
    });

    test('no proxy is asked, which would connect where it likes', async () => {
      await using proxy = await startRawVendor((socket) => socket.write(answer));
      const url = `http://127.0.0.1:${proxy.port}`;
      const behind = open({ http: url, https: url, no: null });
      const { events } = await asked(behind, 'http://localhost:1').ended;
      assert.deepEqual(events, ['failure']);
      assert.equal(proxy.received(), '');
      await behind.close();
    });
  });
}

function asked(upstream: Sockets, baseUrl: string) {
  const target = targetAt(baseUrl);
  return ask(upstream, baseUrl, { target: { ...target, provider: { ...target.provider, publicOnly: true } } });
}

test('what is public is told as it was asked for: one address, or all', async () => {
  const found = (all: boolean) =>
    new Promise((resolve) => publicLookup('8.8.8.8', { all }, (...told) => resolve(told)));
  assert.deepEqual(await found(false), [null, '8.8.8.8', 4]);
  assert.deepEqual(await found(true), [null, [{ address: '8.8.8.8', family: 4 }]]);
});
