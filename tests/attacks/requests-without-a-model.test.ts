import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Answer, ask, errorOf } from '../http/client.ts';
import { startHeadgate } from '../support/headgate.ts';

const CONFIG = `
routes: { r: { targets: [echo/echo] } }
`;

const messages = [{ role: 'user', content: 'Hi' }];

/** Everything under `/v1` that calls no model: method, path, and the body where it takes one. */
const ASKED: readonly [method: string, path: string, body?: object][] = [
  ['GET', '/v1/models'],
  ['GET', '/v1/models/echo'],
  ['HEAD', '/v1/models'],
  ['GET', '/v1/models/catalog'],
  ['GET', '/v1/usage'],
  ['GET', '/v1/usage/call_none'],
  ['GET', '/v1/status'],
  ['POST', '/v1/feedback', { request_id: 'req_none', score: 1 }],
  ['POST', '/v1/routes/r/explain', { model: 'r', messages }],
];

/** So long a request takes to come back. */
const COMES_BACK_MS = 60_000 / ASKED.length;

// Both servers start before a test is registered: while a server starts, the runner would see all tests so far ended, and run `after`.
const started = await Promise.all(
  ['fast', 'node'].map(async (layer) => ({
    layer,
    server: await startHeadgate({ config: CONFIG, env: { HEADGATE_HTTP_LAYER: layer } }),
  })),
);
after(() => Promise.all(started.map(({ server }) => server[Symbol.asyncDispose]())));

for (const { layer, server } of started) {
  const askAs = (key: string, [method, path, body]: (typeof ASKED)[number]) =>
    ask(`${server.url}${path}`, { method, key, body });

  test(`${layer}: what calls no model counts as a request of its key, and is refused beyond its limit`, async () => {
    const { letIn, refused } = await askedBeforeOneCameBack();
    for (const [index, answer] of letIn.entries()) assert.notEqual(answer.status, 429, ASKED[index]!.join(' '));
    assert.deepEqual(letIn.map(left), ['8', '7', '6', '5', '4', '3', '2', '1', '0']);
    for (const [index, answer] of refused.entries()) {
      const asked = ASKED[index]!;
      assert.equal(answer.status, 429, asked.join(' '));
      if (asked[0] !== 'HEAD') assert.equal(errorOf(answer).code, 'rate_limit_exceeded');
      const waitMs = Number(answer.headers.get('retry-after-ms'));
      assert.ok(waitMs > 0 && waitMs <= COMES_BACK_MS, `${waitMs} ms`);
      assert.equal(answer.headers.get('x-should-retry'), 'true');
      assert.equal(left(answer), '0');
    }
  });

  /** Asks for each twice, with a key that may ask for each once in a minute. What took too long is done again. */
  async function askedBeforeOneCameBack() {
    for (;;) {
      const { key } = await server.createKey('--requests-per-minute', String(ASKED.length), '--admin');
      const [startedAt, letIn, refused]: [number, Answer[], Answer[]] = [performance.now(), [], []];
      for (const answers of [letIn, refused]) for (const asked of ASKED) answers.push(await askAs(key, asked));
      if (performance.now() - startedAt < COMES_BACK_MS) return { letIn, refused };
    }
  }

  test(`${layer}: a call to a model counts once`, async () => {
    const { key } = await server.createKey('--requests-per-minute', '9');
    const calls: [string, object][] = [
      ['/v1/chat/completions', { model: 'echo', messages }],
      ['/v1/responses', { model: 'echo', input: 'Hi' }],
      ['/v1/messages', { model: 'echo', messages, max_tokens: 9 }],
      ['/v1/messages/count_tokens', { model: 'echo', messages }],
    ];
    const rest: (string | null)[] = [];
    for (const [path, body] of calls) rest.push(left(await askAs(key, ['POST', path, body])));
    assert.deepEqual(rest, ['8', '7', '6', '5']);
  });
}

function left({ headers }: Answer): string | null {
  return headers.get('x-ratelimit-remaining-requests');
}
