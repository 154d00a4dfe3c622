import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../core/errors.ts';
import type { Session } from '../core/people.ts';
import type { Caller } from '../core/ports.ts';
import { type LimitSubject, NO_KEY } from '../core/records.ts';
import type { Front } from './answer-headers.ts';
import type { Callers, Site } from './browser.ts';
import { ReceivedBodies } from './received-bodies.ts';
import { sendJson } from './send.ts';
import { createServer } from './server.ts';

/** What may be asked in a minute by a person, in all browsers together, and by a key. */
const [OF_PERSON, OF_KEY] = [3, 2];
const ORIGIN = 'http://localhost';
const LIMITS = {
  ...{ maxBody: 1024, maxHeader: 8192, requestTimeout: 1000, idle: 60_000, total: 60_000 },
  ...{ maxUnread: 1024 ** 3, maxReceiving: 1024 ** 3, maxIdleConnections: 10, personRequestsPerMinute: OF_PERSON },
};
const STATE = {
  ...{ limitRequests: 1, limitTokens: 1, remainingRequests: 1, remainingTokens: 1 },
  ...{ resetRequestsMs: 0, resetTokensMs: 0 },
};
const PATHS: Readonly<Record<string, Callers>> = {
  '/v1/both': 'keys_or_people',
  '/v1/people': 'people',
  '/v1/visitors': 'visitors',
};

/** A server with a path for each kind of callers, where sessions are named by their secrets: `ada-1` is Ada's. */
function serve() {
  const counts = new Map<string, number>();
  const front: Front = {
    headerPrefix: 'service',
    keys: {
      check: (id) => ({
        key: { ...NO_KEY, id, name: '', organizationId: 'org', requestsPerMinute: OF_KEY },
        organization: { id: 'org', name: '', createdAt: 0 },
      }),
      again: (caller: Caller) => caller,
      version: 0,
    },
    limiter: {
      reserve({ id, requestsPerMinute }: LimitSubject) {
        const count = (counts.get(id) ?? 0) + 1;
        if (count > requestsPerMinute!) throw new GatewayError('rate_limit_exceeded', 'Too many.', { retryAfterMs: 1 });
        counts.set(id, count);
        return { settle: () => undefined, cancel: () => undefined } as never;
      },
      state: () => STATE,
    },
    clock: { now: () => 0, monotonic: () => 0 },
    ids: { requestId: () => 'req_1', recordId: () => '', token: () => '', keyId: () => '', organizationId: () => '' },
  };
  const ended = new Set<string>();
  const site = {
    publicAddress: () => ({ origin: ORIGIN }),
    isTrustedProxy: () => false,
    async checkSession(secret: string) {
      const [name = ''] = secret.split('-');
      if (name === '' || ended.has(secret)) throw new GatewayError('not_signed_in', 'Sign in.');
      const person = { id: `user_${name}`, email: `${name}@example.com`, name: null, createdAt: 0 };
      const renewed = secret.endsWith('old') ? `${name}-new` : null;
      return { signedIn: { person, session: { endsAt: 60_000 } as Session }, renewed };
    },
  } as unknown as Site;
  const app = createServer({
    ...{ front, site, limits: () => LIMITS, stopping: () => false, answerPage: () => false },
    onFault: (error) => assert.fail(String(error)),
    onDisconnected: (why) => assert.fail(why),
    onUsed: () => undefined,
    onRefused: () => undefined,
    receivedBodies: new ReceivedBodies(() => 1024 ** 3),
  });
  let done = 0;
  for (const [url, callers] of Object.entries(PATHS))
    app.route({
      ...{ method: ['GET', 'POST'], url, config: { callers } },
      handler(request, reply) {
        done += 1;
        sendJson({ front, request, reply }, 200, {});
      },
    });
  /** A request by a session (`cookie`) or with a key. */
  const ask = async (url: string, by: { cookie?: string; key?: string }) => {
    const { statusCode, headers } = await app.inject({
      url,
      headers: {
        ...(by.cookie !== undefined && { cookie: `__Host-headgate=${by.cookie}` }),
        ...(by.key !== undefined && { authorization: `Bearer ${by.key}` }),
      },
    });
    return { status: statusCode, headers };
  };
  return { app, ask, ended, done: () => done };
}

async function statusesOf(count: number, askOnce: (index: number) => Promise<{ status: number }>): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < count; index += 1) statuses.push((await askOnce(index)).status);
  return statuses;
}

test('requests of a person are counted in all their browsers together, and apart from others and from keys', async () => {
  const { ask } = serve();
  const cookies = ['ada-1', 'ada-2'];
  const statuses = await statusesOf(5, (index) =>
    ask(index < 2 ? '/v1/both' : '/v1/people', { cookie: cookies[index % 2]! }),
  );
  assert.deepEqual(statuses, [200, 200, 200, 429, 429]);
  assert.equal((await ask('/v1/both', { cookie: 'bob-1' })).status, 200);
  assert.deepEqual(await statusesOf(3, () => ask('/v1/both', { key: 'key_1', cookie: 'ada-1' })), [200, 200, 429]);
  const visits = await statusesOf(5, () => ask('/v1/visitors', { cookie: 'ada-1' }));
  assert.deepEqual(visits, [200, 200, 200, 200, 200], 'whoever is past their limit can sign out');
});

test('what a person sends is looked at again once it is whole', async (t) => {
  const { app, ended, done } = serve();
  t.after(() => app.close());
  const sent = Promise.withResolvers<void>();
  const body = new ReadableStream({
    async start(controller) {
      controller.enqueue(Buffer.from('{'));
      await sent.promise;
      controller.enqueue(Buffer.from('}'));
      controller.close();
    },
  });
  app.addHook('preParsing', (_request, _reply, _payload, next) => {
    ended.add('ada-1');
    sent.resolve();
    next(null);
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const headers = { cookie: '__Host-headgate=ada-1', origin: ORIGIN, 'content-type': 'application/json' };
  const answer = await fetch(`${url}/v1/people`, { method: 'POST', headers, body, duplex: 'half' } as RequestInit);
  assert.deepEqual([answer.status, done()], [401, 0]);
});

test('an answer that gives a browser another secret is kept by nobody, whatever it came with', async () => {
  const { ask } = serve();
  for (const url of Object.keys(PATHS)) {
    const { headers } = await ask(url, { cookie: 'ada-old' });
    assert.match(String(headers['set-cookie']), /^__Host-headgate=ada-new; Path=\/; Secure; HttpOnly;/, url);
    assert.equal(headers['cache-control'], 'no-store', url);
  }
  for (const url of ['/v1/visitors', '/v1/people'])
    assert.equal((await ask(url, { key: 'key_1' })).headers['cache-control'], 'no-store', url);
});
