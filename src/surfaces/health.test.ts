import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CallerTurns } from '../api/caller-turns.ts';
import { Secret } from '../core/secret.ts';
import type { Front } from '../http/answer-headers.ts';
import type { Site } from '../http/browser.ts';
import { ReceivedBodies } from '../http/received-bodies.ts';
import { createServer } from '../http/server.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { type HealthParts, serveHealth } from './health.ts';

const ELSEWHERE = '192.0.2.7';
const TOKEN = 'metrics-token';

const front: Front = {
  headerPrefix: 'service',
  keys: { check: () => assert.fail('nobody is asked for a key'), again: () => assert.fail(), version: 0 },
  limiter: { reserve: () => assert.fail('nothing is reserved'), state: () => assert.fail('nobody is known') },
  clock: { now: () => 0, monotonic: () => 0 },
  ids: { requestId: () => 'req_1', recordId: () => '', token: () => '', keyId: () => '', organizationId: () => '' },
};

const site: Site = {
  publicAddress: () => assert.fail('nobody signs in'),
  linkTo: () => assert.fail('nobody signs in'),
  isTrustedProxy: () => false,
  checkSession: () => assert.fail('nobody signs in'),
  isOver: () => assert.fail('nobody signs in'),
  demandSignedIn: () => assert.fail('nobody signs in'),
  demandCalls: () => assert.fail('nobody signs in'),
  callerFor: () => assert.fail('nobody signs in'),
  demandRecent: () => assert.fail('nobody signs in'),
};

const NO_BOUNDS = {
  idle: 60_000,
  total: 60_000,
  maxUnread: 1024 ** 3,
  maxReceiving: 1024 ** 3,
  personRequestsPerMinute: 1_000,
  maxIdleConnections: 10,
};

type Sent = { bearer?: string; headers?: Record<string, string> };

/** Calls a server with only these paths, from an address that a test cannot have. */
async function ask(url: string, from: string, { bearer, headers = {} }: Sent = {}, more: Partial<HealthParts> = {}) {
  const app = createServer({
    front,
    site,
    limits: () => ({ maxBody: 1024, maxHeader: 8192, requestTimeout: 1000, ...NO_BOUNDS }),
    stopping: () => false,
    answerPage: () => false,
    onFault: (error) => assert.fail(String(error)),
    onDisconnected: (why) => assert.fail(why),
    onUsed: () => undefined,
    onRefused: ({ errorKind }) => assert.fail(errorKind),
    receivedBodies: new ReceivedBodies(() => 1024 ** 3),
  });
  const nobody = async () => assert.fail();
  serveHealth(
    { app, front, findCaller: nobody, site, turns: new CallerTurns(() => 1) },
    { ready: async () => null, metrics: new Metrics(), metricsToken: null, ...more },
  );
  const sent = { ...headers, ...(bearer !== undefined && { authorization: bearer }) };
  const { statusCode, json, body } = await app.inject({ url, headers: sent, remoteAddress: from });
  return { status: statusCode, json, body };
}

describe('/metrics', () => {
  test('is open on this machine, by whatever name it calls itself', async () => {
    for (const from of ['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1']) {
      assert.equal((await ask('/metrics', from)).status, 200, from);
    }
  });

  test('is a 403 to what is led to this machine by another name, or by a proxy', async () => {
    for (const host of ['evil.example', 'localhost.evil.example:8080', '192.0.2.7'])
      assert.equal((await ask('/metrics', '127.0.0.1', { headers: { host } })).status, 403, host);
    const proxies = ['forwarded', 'via', 'x-forwarded-for', 'x-real-ip', 'x_forwarded_for', 'fly-client-ip', 'cf-ray'];
    for (const name of proxies)
      assert.equal((await ask('/metrics', '127.0.0.1', { headers: { [name]: '' } })).status, 403, name);
  });

  test('is open elsewhere to the holder of the token', async () => {
    const metricsToken = new Secret(TOKEN);
    for (const bearer of [`Bearer ${TOKEN}`, `bearer ${TOKEN}`]) {
      assert.equal((await ask('/metrics', ELSEWHERE, { bearer }, { metricsToken })).status, 200, bearer);
    }
  });

  test('is a 403 to all others', async () => {
    const metricsToken = new Secret(TOKEN);
    for (const [from, bearer, token] of [
      [ELSEWHERE, null, null],
      [ELSEWHERE, 'Bearer ', null],
      [ELSEWHERE, null, metricsToken],
      [ELSEWHERE, `Bearer ${TOKEN}x`, metricsToken],
      [ELSEWHERE, `Bearer ${TOKEN.slice(1)}`, metricsToken],
      ['1270.0.0.1', null, metricsToken],
      ['::ffff:192.0.2.7', null, metricsToken],
    ] as const) {
      const answer = await ask('/metrics', from, bearer === null ? {} : { bearer }, { metricsToken: token });
      assert.deepEqual([answer.status, answer.json().error.code], [403, 'forbidden'], `${from} ${bearer}`);
    }
  });
});

describe('/readyz', () => {
  test('says so while all is well', async () => {
    const { status, json } = await ask('/readyz', ELSEWHERE);
    assert.deepEqual([status, json()], [200, { status: 'ready' }]);
  });

  test('is a 503 with the reason while it is not', async () => {
    const unready = { reason: 'The gateway cannot write its records: its disk is full.', storage: 'full' } as const;
    const { status, json } = await ask('/readyz', ELSEWHERE, {}, { ready: async () => unready });
    assert.deepEqual([status, json()], [503, { status: 'unavailable', ...unready }]);
  });
});

test('/healthz says that the process answers, ready or not', async () => {
  const { status, json } = await ask('/healthz', ELSEWHERE, {}, { ready: async () => ({ reason: 'No.' }) });
  assert.deepEqual([status, json()], [200, { status: 'ok' }]);
});
