import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { mintSecret, sha256 } from '../../src/organization/sign-in/secrets.ts';
import { modelsReply } from '../../src/testing/answers.ts';
import { type FakeProvider, startFakeProvider } from '../../src/testing/fake-provider.ts';
import { ACME, type Company, type Hired, startCompany } from '../organization/lab.ts';

/**
 * What people who are signed in, and keys, may ask of everything that is no call of a model: so much in a minute, and so much at
 * once. Requests come on connections of their own, which workers are handed in turn.
 */
const MINUTE_MS = 60_000;
const [RATE, AT_ONCE] = [40, 1];
const KEYS = '/v1/organization/api_keys?limit=1';
const TRIAL = '/v1/organization/providers/test';
const SIGN_OUT = '/v1/auth/sign_out';

const FORMS = [
  { name: 'one process, the fast layer', layer: 'fast', workers: 1 },
  { name: 'one process, Node’s layer', layer: 'node', workers: 1 },
  { name: 'four processes, the fast layer', layer: 'fast', workers: 4 },
  { name: 'four processes, Node’s layer', layer: 'node', workers: 4 },
] as const;

for (const { name, layer, workers } of FORMS) {
  describe(name, () => {
    let vendor: FakeProvider;
    let company: Company;
    before(async () => {
      vendor = await startFakeProvider();
      company = await startCompany({
        config: `
server: { http_layer: ${layer} }
catalog: { discovery: false }
limits: { requests_per_minute: ${RATE}, person_requests_per_minute: ${RATE}, max_requests_at_once: ${AT_ONCE} }
providers: { lab: { base_url: "${vendor.url}", only: [m] } }
`,
        args: ['--workers', `${workers}`],
      });
    });
    after(async () => {
      await company[Symbol.asyncDispose]();
      await vendor.close();
    });

    test('a person has one limit of requests in all their browsers, and nobody else is held up', async () => {
      const [ada, bob] = [await company.hire('ada', 'owner'), await company.hire('bob', 'owner')];
      const browsers = [await company.cookieOf(ada), await secondCookieOf(company, ada)];
      const answers = await askedTwiceTheRate((number) => ask(company, { cookie: browsers[number % 2]! }, KEYS));
      for (const { headers } of answers) {
        assert.equal(headers.get('x-ratelimit-limit-requests'), `${RATE}`);
        assert.match(headers.get('x-ratelimit-reset-requests') ?? '', /^\d/);
        assert.equal(headers.get('x-ratelimit-limit-tokens'), null, 'people have no tokens');
      }
      const last = refusedIn(answers).at(-1)!;
      assert.match(last.json.error.message, /^You may make 40 requests per minute, in all your browsers together/);
      assert.equal(last.headers.get('x-ratelimit-remaining-requests'), '0');

      assert.equal((await ask(company, { cookie: await company.cookieOf(bob) }, KEYS)).status, 200);
      assert.equal((await ask(company, { authorization: `Bearer ${ada.key}` }, KEYS)).status, 200, 'keys count apart');
      const { status } = await ask(company, { cookie: browsers[0]!, origin: originOf(company) }, SIGN_OUT, {});
      assert.equal(status, 200, 'whoever is past their limit can sign out');
    });

    test('an admin key has the limit of keys', async () => {
      const { key } = await company.hire('carol', 'owner');
      const answers = await askedTwiceTheRate(() => ask(company, { authorization: `Bearer ${key}` }, KEYS));
      assert.match(refusedIn(answers).at(-1)!.json.error.message, /^This API key may make 40 requests per minute/);
    });

    test('a person by sessions and keys has so many requests under way, and nobody else is held up', async () => {
      const [dan, eve] = [await company.hire('dan', 'owner'), await company.hire('eve', 'owner')];
      const byCookie = { cookie: await company.cookieOf(dan), origin: originOf(company) };
      const byKey = { authorization: `Bearer ${dan.key}` };
      vendor.plan('slow-headers', { path: '/v1/models' });

      const most = AT_ONCE * workers;
      const refused: Answer[] = [];
      const asked = Array.from({ length: 2 * most + 1 }, async (_, index) => {
        const answer = await ask(company, index % 2 === 0 ? byCookie : byKey, TRIAL, { provider_id: 'lab' });
        if (answer.status === 429) refused.push(answer);
        return answer.status;
      });
      // Each is refused at once, or is with the vendor, who holds it.
      while (refused.length + vendor.heldCalls() < asked.length) await new Promise((over) => setImmediate(over));
      assert(vendor.heldCalls() >= 1 && vendor.heldCalls() <= most, `${vendor.heldCalls()} are under way`);
      const [{ headers, json }] = refused as [Answer];
      assert.deepEqual([json.error.type, json.error.code], ['requests', 'rate_limit_exceeded']);
      assert.match(
        json.error.message,
        /already have 1 requests in progress, the limit \(`limits\.max_requests_at_once`\)/,
      );
      assert.deepEqual([headers.get('retry-after'), headers.get('x-should-retry')], ['1', 'true']);

      for (const caller of [{ cookie: await company.cookieOf(eve) }, { authorization: `Bearer ${eve.key}` }])
        assert.equal((await ask(company, caller, KEYS)).status, 200, 'others are answered meanwhile');
      vendor.forget();
      vendor.plan((request) => modelsReply(request.path, ['m']), { path: '/v1/models' });
      vendor.release();
      assert.deepEqual(new Set(await Promise.all(asked)), new Set([200, 429]));
      assert.equal((await ask(company, byCookie, KEYS)).status, 200, 'one that was answered makes room');
    });
  });
}

/** Asks twice as often as may be in a minute. Fails unless so many were let in, and the others told when to come back. */
async function askedTwiceTheRate(askOnce: (number: number) => Promise<Answer>): Promise<Answer[]> {
  const startedAt = performance.now();
  const answers: Answer[] = [];
  for (let number = 0; number < 2 * RATE; number += 1) answers.push(await askOnce(number));
  const cameBack = ((performance.now() - startedAt) * RATE) / MINUTE_MS;
  const letIn = answers.filter(({ status }) => status === 200).length;
  assert.equal(letIn + refusedIn(answers).length, answers.length);
  // Of several processes each may hold a share that it has not used.
  assert(letIn >= RATE / 2 && letIn <= RATE + cameBack, `${letIn} of ${RATE}, and ${cameBack} came back`);
  for (const { headers, json } of refusedIn(answers)) {
    assert.deepEqual([json.error.type, json.error.code], ['requests', 'rate_limit_exceeded']);
    assert(Number(headers.get('retry-after')) >= 1);
    assert.equal(headers.get('x-should-retry'), 'true');
  }
  return answers;
}

function refusedIn(answers: readonly Answer[]): Answer[] {
  return answers.filter(({ status }) => status === 429);
}

/** Where browsers say that their pages are from. */
function originOf({ headgate }: Company): string {
  return new URL(headgate.url.replace('127.0.0.1', 'localhost')).origin;
}

type Answer = {
  status: number;
  headers: Headers;
  json: { error: { message: string; type: string; code: string } };
};

async function ask(
  { headgate }: Company,
  headers: Record<string, string>,
  path: string,
  body?: object,
): Promise<Answer> {
  const response = await fetch(headgate.url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...headers, connection: 'close', ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, json: (await response.json()) as Answer['json'] };
}

/** Another browser of somebody who has signed in before. */
async function secondCookieOf(company: Company, { id }: Hired): Promise<string> {
  const { settings, random } = company.admin();
  const secret = mintSecret(random);
  const now = Date.now();
  const session = {
    ...{ id: `sess_second_${id}`, userId: id, organizationId: ACME, way: 'password' as const },
    ...{ signedInAt: now, seenAt: now, endsAt: now + MINUTE_MS * 60, mustRenew: false, address: null, userAgent: null },
  };
  const added = { addSession: { session, hash: sha256(secret), replaces: null } };
  assert.equal(await settings.change(ACME, [added], null), 'done');
  return `__Host-headgate=${secret}`;
}
