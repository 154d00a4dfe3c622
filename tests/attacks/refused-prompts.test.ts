import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { modelsReply, answer as normal } from '../../src/testing/answers.ts';
import { type FakeProvider, startFakeProvider } from '../../src/testing/fake-provider.ts';
import { errorReply, type Plan } from '../../src/testing/reply.ts';
import { WAIT_MS } from '../../src/testing/wait.ts';
import { type Running, startHeadgate } from '../support/headgate.ts';
import { ask, chat } from '../workers/ask.ts';

const VENDOR_KEY = 'vendor-key-0123456789';
const EVIL = 'the words that this vendor refuses';
const LIST = '/v1/models';
const CHAT = '/v1/chat/completions';
const STORM = 12;
/** A vendor is asked for its word with the key and without it. */
const QUESTIONS = 2;

type Refusal = readonly [status: number, type: string, code?: string];
const FLAGGED: Refusal = [403, 'permission_error', 'content_flagged'];
const TOO_DEAR: Refusal = [402, 'billing_error', 'insufficient_credits'];
const NO_SCOPE: Refusal = [401, 'invalid_request_error', 'missing_scope'];
const BAD_KEY: Refusal = [401, 'invalid_request_error', 'invalid_api_key'];
const BROKEN: Refusal = [500, 'server_error'];

const usual = normal();
const refusing = ([status, type, code]: Refusal): Plan => {
  const error = { message: 'No.', type, ...(code !== undefined && { code }) };
  return () => errorReply(status, error);
};
/** Answers all but the one prompt. */
const offended = (refusal: Refusal): Plan => {
  const refuse = refusing(refusal);
  return (request) => (request.body.includes(EVIL) ? refuse(request) : usual(request));
};

/** What the vendor shows of its models: to whoever has the key, to everybody, to nobody. */
const LISTS = {
  'shown for the key': (request) =>
    request.headers.authorization === `Bearer ${VENDOR_KEY}`
      ? modelsReply(LIST, ['m'])
      : errorReply(401, { message: 'Who are you?', type: 'invalid_request_error' }),
  'shown to everybody': () => modelsReply(LIST, ['m']),
  'not for this key': () => errorReply(403, { message: 'Missing scope: models.read', type: 'permission_error' }),
  'not there': () => errorReply(404, { message: 'Nothing here.', type: 'not_found' }),
} satisfies Record<string, Plan>;

/** Each vendor has a route of its own, in which the spare one stands behind it. */
const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm'] as const;
type Name = (typeof NAMES)[number];

describe('a prompt that its vendor refuses', () => {
  const vendors = new Map<string, FakeProvider>();
  let gateway: Running;
  let attacker: string;
  let accomplice: string;

  before(async () => {
    for (const name of [...NAMES, 'spare']) vendors.set(name, await startFakeProvider());
    gateway = await startHeadgate({ config: config(vendors) });
    // Each is asked about its key at the start, too.
    for (const vendor of vendors.values())
      await vendor.waitFor(({ listRequests }) => listRequests.length === QUESTIONS);
    const made = await Promise.all([gateway.createKey(), gateway.createKey()]);
    [attacker, accomplice] = [made[0].key, made[1].key];
  });
  after(async () => {
    await gateway[Symbol.asyncDispose]();
    for (const vendor of vendors.values()) await vendor.close();
  });

  const at = (name: Name): FakeProvider => vendors.get(name)!;

  /** Who served the call. */
  async function served(name: Name, { key = gateway.key, prompt = 'Hello' } = {}): Promise<string | null> {
    const messages = [{ role: 'user', content: prompt }];
    const { status, headers, text } = await ask(gateway, CHAT, chat(`lab/${name}`, { messages }), key);
    assert.equal(status, 200, text);
    return headers.get('service-provider');
  }

  async function target(name: Name): Promise<Record<string, unknown>> {
    const { text } = await ask(gateway, '/v1/status');
    const { targets } = JSON.parse(text) as { targets: Record<string, unknown>[] };
    return targets.find(({ provider }) => provider === name)!;
  }

  async function until(what: string, condition: () => Promise<boolean>): Promise<void> {
    const deadline = performance.now() + WAIT_MS;
    while (!(await condition())) assert.ok(performance.now() < deadline, `waited in vain: ${what}`);
  }

  const isOut = async (name: Name) => (await target(name)).credential_out_until !== null;
  /** Those behind the start's. */
  const questions = (name: Name) => at(name).listRequests.length - QUESTIONS;
  const calls = (name: Name) => at(name).requests.filter(({ path }) => path === CHAT).length;

  /** One key sends the prompt again and again, and the others go on. */
  async function assertOthersAreServed(name: Name, accomplices: readonly string[]): Promise<void> {
    for (let turn = 0; turn < STORM; turn += 1) {
      const key = accomplices[turn % accomplices.length]!;
      assert.equal(await served(name, { key, prompt: EVIL }), 'spare', 'the refused call itself goes on');
      if (turn % 3 === 2) assert.equal(await served(name), name, `behind ${turn + 1} refusals`);
    }
    // Nobody's call among them, so that no success speaks for the credential.
    for (let turn = 0; turn < STORM; turn += 1) {
      await served(name, { key: accomplices[turn % accomplices.length]!, prompt: EVIL });
    }
    assert.equal(await served(name), name);
    assert.equal(await isOut(name), false);
  }

  for (const [name, what, refusal, list] of [
    ['a', '403, it was flagged', FLAGGED, 'shown for the key'],
    ['b', '403, it was flagged', FLAGGED, 'shown to everybody'],
    ['c', '402, its output is too dear', TOO_DEAR, 'shown for the key'],
    ['d', '402, its output is too dear', TOO_DEAR, 'not there'],
    ['m', '403, it was flagged', FLAGGED, 'not for this key'],
    ['e', '401 without the words for a bad key', NO_SCOPE, 'not there'],
  ] as const) {
    test(`of one key (${what}; the list of models is ${list}) takes the vendor away from nobody`, async () => {
      at(name).plan(LISTS[list], { path: LIST });
      at(name).plan(offended(refusal), { path: CHAT });
      const began = performance.now();
      await assertOthersAreServed(name, [attacker]);
      const rounds = 1 + Math.floor((performance.now() - began) / 10_000);
      assert.ok(questions(name) >= 1 && questions(name) <= QUESTIONS * rounds, `${questions(name)} questions`);
    });
  }

  test('of two keys does neither, where the vendor says that it takes the gateway’s own', async () => {
    at('f').plan(LISTS['shown for the key'], { path: LIST });
    at('f').plan(offended(FLAGGED), { path: CHAT });
    await served('f', { key: attacker, prompt: EVIL });
    await at('f').waitFor(() => questions('f') === QUESTIONS);
    await assertOthersAreServed('f', [attacker, accomplice]);
  });

  test('of two keys takes it out for a while, where the vendor has no word on the key', async () => {
    at('g').plan(LISTS['shown to everybody'], { path: LIST });
    at('g').plan(offended(FLAGGED), { path: CHAT });
    for (const key of [attacker, accomplice]) await served('g', { key, prompt: EVIL });
    await until('the credential is out', () => isOut('g'));
    assert.equal(await served('g'), 'spare');
    await until('it is back', async () => (await served('g')) === 'g');
  });

  test('as a probe does not prolong what others wait for', async () => {
    at('h').plan(LISTS['not there'], { path: LIST });
    at('h').plan(offended(FLAGGED), { path: CHAT });
    for (const key of [attacker, accomplice]) await served('h', { key, prompt: EVIL });
    await until('the credential is out', () => isOut('h'));
    await until('its time is over', async () => !(await isOut('h')));
    const asked = calls('h');
    await until('the prompt was the probe', async () => {
      await served('h', { key: attacker, prompt: EVIL });
      return calls('h') > asked;
    });
    assert.equal(await served('h'), 'h');
  });

  test('is told from a bad key by the vendor’s own words: that is out at once', async () => {
    at('i').plan(LISTS['shown to everybody'], { path: LIST });
    at('i').plan(refusing(BAD_KEY), { path: CHAT });
    assert.equal(await served('i'), 'spare');
    assert.equal(await isOut('i'), true);
    assert.equal(await served('i', { key: attacker }), 'spare');
    assert.equal(calls('i'), 1);
  });

  test('is told from a closed account by the list of models: that is out after one call, and comes back', async () => {
    at('j').plan(() => errorReply(401, { message: 'No.', type: 'permission_error' }), { path: LIST });
    at('j').plan(refusing(FLAGGED), { path: CHAT });
    assert.equal(await served('j'), 'spare');
    await until('the credential is out', () => isOut('j'));
    assert.equal(calls('j'), 1);
    at('j').forget();
    at('j').plan(LISTS['shown for the key'], { path: LIST });
    await until('it is back', async () => (await served('j')) === 'j');
    assert.equal(await isOut('j'), false);
  });

  test('and breaks its vendor, opens the circuit for its own key alone', async () => {
    at('k').plan(offended(BROKEN), { path: CHAT });
    for (let turn = 0; turn < STORM; turn += 1) {
      assert.equal(await served('k', { key: attacker, prompt: EVIL }), 'spare');
    }
    assert.ok(calls('k') < STORM, 'it is not sent there again and again');
    for (let turn = 0; turn < STORM; turn += 1) assert.equal(await served('k'), 'k');
  });

  test('a vendor that breaks for everybody is left alone by everybody', async () => {
    at('l').plan(refusing(BROKEN), { path: CHAT });
    for (let turn = 0; turn < 6; turn += 1) await served('l', { key: attacker });
    await served('l', { key: accomplice });
    const asked = calls('l');
    for (const key of [attacker, accomplice, gateway.key]) assert.equal(await served('l', { key }), 'spare');
    assert.equal(calls('l'), asked);
  });
});

function config(vendors: ReadonlyMap<string, FakeProvider>): string {
  const rows = [...vendors].map(
    ([name, { url }]) => `  ${name}: { base_url: "${url}", api_key: ${VENDOR_KEY}, only: [{ id: ${name}-model }] }`,
  );
  const routes = NAMES.map((name) => `  lab/${name}: { targets: [${name}-model, spare-model] }`);
  return `
echo: false
providers:
${rows.join('\n')}
routes:
${routes.join('\n')}
limits: { requests_per_minute: 1000000, tokens_per_minute: 1000000000 }
breaker: { credential: 600ms, credential_max: 600ms, open: 30s }
`;
}
