// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are part of a draft.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import OpenAI from 'openai';
import { MAX_ROUTE_VERSIONS } from '../../src/organization/routes/service.ts';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { nextPoll } from '../../src/testing/wait.ts';
import { ask, errorOf } from '../http/client.ts';
import { documentedFetch } from './documented.ts';
import { type Company, startCompany, UMBRELLA, untilServedBy } from './lab.ts';

type Json = Record<string, unknown>;

const vendor = await startFakeProvider({ models: ['large', 'small'] });
const CONFIG = `
providers:
  lab: { base_url: "${vendor.url}", api_key: sk-of-the-lab, models: [
    { id: large, price: { input_per_1m: 10, output_per_1m: 20 } }, { id: small, price: { input_per_1m: 1, output_per_1m: 2 } } ] }
limits: { requests_per_minute: 1000000 }
aliases: { biggest: lab/large }
routes:
  acme/filed:
    targets: [large]
`;

let company: Company;
let admin: OpenAI;
let callKey: string;
before(async () => {
  company = await startCompany({ config: CONFIG });
  const key = await company.keyOf({ userId: null });
  const documented = await documentedFetch(company.headgate.url);
  const baseURL = `${company.headgate.url}/v1`;
  // What OpenAI's API has no word for is asked for with the first of the two.
  admin = new OpenAI({ baseURL, apiKey: key, adminAPIKey: key, maxRetries: 0, fetch: documented });
  callKey = await company.keyOf({ userId: null, access: 'models' });
});
after(async () => {
  await vendor.close();
  await company[Symbol.asyncDispose]();
});

const at = (id: string, rest = '') => `/organization/routes/${encodeURIComponent(id)}${rest}`;
const get = (path: string, query: Json = {}) => admin.get<Json>(path, { query });
const post = (path: string, body: Json) => admin.post<Json>(path, { body });
const names = (list: unknown) => (list as { id: string }[]).map(({ id }) => id);

const HI = { messages: [{ role: 'user', content: 'hi' }] };

async function call(model: string, content = 'hi'): Promise<{ status: number; headers: Headers }> {
  const body = { model, messages: [{ role: 'user', content }] };
  const { status, headers } = await ask(`${company.headgate.url}/v1/chat/completions`, { key: callKey, body });
  return { status, headers };
}

async function refusal(asked: Promise<unknown>): Promise<{ status: number | undefined; message: string }> {
  const error = await asked.then(
    () => assert.fail('was not refused'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof OpenAI.APIError, String(error));
  return { status: error.status, message: error.message };
}

test('a route of the file is shown with its line, and cannot be changed', async () => {
  const { data } = await get('/organization/routes');
  const filed = (data as Json[]).find(({ id }) => id === 'acme/filed');
  assert.partialDeepStrictEqual(filed, {
    from: 'file',
    strategy: ['priority'],
    targets: ['large'],
  });
  // One line is before them: that of the organizations.
  assert.deepEqual(filed?.set_in, { file: 'headgate.yaml', line: 1 + CONFIG.split('\n').indexOf('  acme/filed:') + 1 });
  assert.deepEqual((await get(at('acme/filed'))).definition, { targets: ['large'] });
  for (const ask of [
    () => post(at('acme/filed', '/versions'), { yaml: 'targets: [small]' }),
    () => post('/organization/routes', { id: 'acme/filed', yaml: 'targets: [small]' }),
    () => admin.delete(at('acme/filed')),
  ]) {
    const { status, message } = await refusal(ask());
    assert.equal(status, 400);
    assert.match(message, /acme\/filed is a route of headgate\.yaml and can be changed only there\./);
  }
});

test('a draft is checked as a file is: every problem at its path and line, and nothing is kept', async () => {
  const yaml = 'targets: [large, biggest]\nstrategy: [cheapest, fastests]\nnonsense: 1\n';
  const found = await post('/organization/routes/validate', { id: 'acme/draft', yaml });
  assert.equal(found.valid, false);
  const problems = found.problems as { path: string; line: number; message: string }[];
  assert.deepEqual(
    problems.map(({ path, line }) => [path, line]),
    [
      ['strategy[1]', 2],
      ['nonsense', 3],
    ],
  );
  const named = await post('/organization/routes/validate', {
    id: 'acme/draft',
    definition: { targets: ['large', 'biggest'] },
  });
  assert.deepEqual(named.problems, [
    {
      path: 'targets[1]',
      message: 'names the alias biggest; it must name a model, such as lab/large',
      line: null,
      column: null,
    },
  ]);
  const good = await post('/organization/routes/validate', {
    id: 'acme/draft',
    yaml: 'targets: [large, nobody/has-it]',
  });
  assert.equal(good.valid, true);
  assert.deepEqual(
    (good.unserved as Json[]).map(({ model }) => model),
    ['nobody/has-it'],
  );
  assert.equal((await refusal(get(at('acme/draft')))).status, 404);
});

test('what becomes of targets without a price can be chosen for a route over HTTP', async () => {
  for (const unpriced of ['serve', 'refuse']) {
    const draft = { id: `acme/${unpriced}`, definition: { targets: ['large'], unpriced } };
    await post('/organization/routes', draft);
    assert.deepEqual((await get(at(draft.id))).definition, draft.definition);
    await admin.delete(at(draft.id));
  }
  const wrong = { id: 'acme/wrong', definition: { targets: ['large'], unpriced: 'never' } };
  const { problems } = await post('/organization/routes/validate', wrong);
  assert.deepEqual(
    (problems as { path: string }[]).map(({ path }) => path),
    ['unpriced'],
  );
});

test('the path that checks drafts is no route’s', async () => {
  const { status, message } = await refusal(post('/organization/routes', { id: 'validate', yaml: 'targets: [small]' }));
  assert.equal(status, 400);
  assert.match(message, /`id` is reserved/);
});

test('variables of the environment are not read for a draft that comes over HTTP', async () => {
  const found = await post('/organization/routes/validate', { id: 'x', yaml: 'name: "${PATH}"\ntargets: [large]' });
  assert.match(String((found.problems as Json[])[0]?.message), /names PATH, which is not set/);
});

test('a route is made, changed, tried, put in force, rolled back and taken out, and the audit log tells of it', async () => {
  const id = 'acme/life';
  const yaml = '# the cheap one\ntargets: [small]\n';
  const made = await post('/organization/routes', { id, yaml, note: 'the first' });
  assert.partialDeepStrictEqual(made, {
    id,
    from: 'store',
    targets: ['small'],
    yaml,
    version: 1,
    canary: null,
    problem: null,
  });
  await untilServedBy('small', () => call(id));
  const again = await refusal(post('/organization/routes', { id, yaml }));
  assert.deepEqual([again.status, /Add a version to it/.test(again.message)], [409, true]);

  const second = await post(at(id, '/versions'), { definition: { targets: ['large'] }, if_version: 1 });
  assert.partialDeepStrictEqual(second, {
    number: 2,
    route_id: id,
    definition: { targets: ['large'] },
    yaml: 'targets:\n  - large\n',
  });
  await untilServedBy('large', () => call(id));
  assert.equal((await refusal(post(at(id, '/versions'), { yaml, if_version: 1 }))).status, 409);

  const { data: versions } = await get(at(id, '/versions'));
  assert.deepEqual(
    (versions as Json[]).map(({ number, note }) => [number, note]),
    [
      [1, 'the first'],
      [2, null],
    ],
  );
  const [first] = names(versions);
  const { changes } = await get(at(id, `/versions/${first}/diff`));
  assert.deepEqual(changes, [{ path: 'targets[0]', before: 'large', after: 'small' }]);

  const back = await post(at(id, '/rollback'), {});
  assert.partialDeepStrictEqual(back, { version_in_force: first, version_before: second.id, yaml });
  await untilServedBy('small', () => call(id));
  await post(at(id), { version_in_force: second.id });
  await untilServedBy('large', () => call(id));
  // A definition that it had is no new version.
  const third = await post(at(id, '/versions'), { yaml: 'targets: [small]' });
  assert.equal(third.id, first);

  assert.deepEqual(await admin.delete(at(id)), { id, object: 'organization.route.deleted', deleted: true });
  while ((await call(id)).status !== 404) await nextPoll();
  const { data: log } = await admin.admin.organization.auditLogs.list({ resource_ids: [id] });
  assert.deepEqual(
    log.map(({ type }) => String(type)),
    ['route.deleted', ...Array(4).fill('route.updated'), 'route.created'],
  );
});

test('a share of the conversations goes by the canary, and each stays with its version', async () => {
  const id = 'acme/canary';
  await post('/organization/routes', { id, yaml: 'targets: [small]' });
  const { id: versionId } = await post(at(id, '/versions'), { yaml: 'targets: [large]', in_force: false });
  await untilServedBy('small', () => call(id));
  const same = await refusal(post(at(id), { canary: { version_id: 'rtv_none', share: 0.5 } }));
  assert.equal(same.status, 404);
  const set = await post(at(id), { canary: { version_id: versionId, share: 0.5 } });
  assert.deepEqual(set.canary, { version_id: versionId, share: 0.5 });
  const servedBy = async (content: string) => (await call(id, content)).headers.get('service-model');
  for (let talk = 0; (await servedBy(`talk ${talk}`)) !== 'large'; ) talk += 1;
  const served = new Map<string, number>();
  for (let talk = 0; talk < 60; talk += 1) {
    const model = await servedBy(`talk ${talk}`);
    assert.equal(await servedBy(`talk ${talk}`), model, 'the same conversation');
    served.set(String(model), (served.get(String(model)) ?? 0) + 1);
  }
  assert.deepEqual([...served.keys()].sort(), ['large', 'small']);
  // Conversations are told apart by their words and key, so the number is what these come to, give or take.
  assert.ok(served.get('large')! >= 12, `${served.get('large')}`);
  await post(at(id), { canary: null });
  await untilServedBy('small', () => call(id));
});

test('who would answer is told by what is in force, a version or a draft', async () => {
  const id = 'acme/tried';
  const made = await post('/organization/routes', { id, yaml: 'targets: [small]' });
  await untilServedBy('small', () => call(id));
  const models = async (body: Json) =>
    ((await post(at(id, '/explain'), { call: HI, ...body })).order as { upstream_model: string }[]).map(
      ({ upstream_model }) => upstream_model,
    );
  assert.deepEqual(await models({}), ['small']);
  assert.deepEqual(await models({ yaml: 'targets: [large]\nfallbacks: [small]' }), ['large', 'small']);
  assert.deepEqual(await models({ version_id: made.version_in_force }), ['small']);
  const both = await refusal(post(at(id, '/explain'), { call: HI, yaml: 'targets: [large]', definition: {} }));
  assert.equal(both.status, 400);
  const unknown = await refusal(post(at(id, '/explain'), { call: HI, drafts: 1 }));
  assert.match(unknown.message, /`drafts` is unknown/);
});

test('past calls are decided anew by a draft, in a thread of its own', async () => {
  const id = 'acme/replayed';
  await post('/organization/routes', { id, yaml: 'targets: [large]' });
  await untilServedBy('large', () => call(id));
  for (let number = 0; number < 5; number += 1) await call(id);
  const cheap = await post(at(id, '/replay'), { yaml: 'targets: [small]' });
  const { calls, moved, moves, complete } = cheap as { calls: number; moved: number; moves: Json[]; complete: boolean };
  assert.ok(calls >= 5);
  assert.deepEqual([moved, complete], [calls, true]);
  const [large, small] = ['large', 'small'].map((model) => ({ provider: 'lab', model }));
  assert.deepEqual(moves, [{ from: large, to: small, calls }]);
  const cost = cheap.expected_cost as { before_usd: number; after_usd: number };
  assert.ok(cost.after_usd < cost.before_usd);
  assert.partialDeepStrictEqual(await post(at(id, '/replay'), {}), { calls, moved: 0 });
  assert.partialDeepStrictEqual(await post(at(id, '/replay'), { limit: 2 }), { calls: 2, complete: false });
  const results = await Promise.allSettled([1, 2].map(() => post(at(id, '/replay'), {})));
  assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
});

test('the first organization alone has routes, and the owner of another is told so', async () => {
  const { key } = await company.hire('theirs', 'owner', UMBRELLA);
  for (const path of ['/organization/routes', at('acme/filed')]) {
    const answer = await ask(`${company.headgate.url}/v1${path}`, { key });
    assert.equal(answer.status, 403);
    assert.match(String(errorOf(answer).message), /Only its first organization/);
  }
});

test('lists are paged, and of many versions the oldest that no call goes by is forgotten', async () => {
  const id = 'acme/many';
  await post('/organization/routes', { id, yaml: 'targets: [small]' });
  for (let number = 2; number <= MAX_ROUTE_VERSIONS + 3; number += 1) {
    await post(at(id, '/versions'), { definition: { targets: ['small'], name: `Version ${number}` } });
  }
  const numbers: unknown[] = [];
  for (let after: string | undefined; ; ) {
    const page = await get(at(id, '/versions'), { limit: 100, ...(after !== undefined && { after }) });
    numbers.push(...(page.data as Json[]).map(({ number }) => number));
    if (page.has_more !== true) break;
    after = String(page.next);
  }
  assert.deepEqual(
    numbers,
    Array.from({ length: MAX_ROUTE_VERSIONS }, (_, index) => index + 4),
  );
  const first = await get('/organization/routes', { limit: 2 });
  const rest = await get('/organization/routes', { limit: 100, after: first.next });
  const all = await get('/organization/routes', { limit: 100 });
  assert.deepEqual([...names(first.data), ...names(rest.data)], names(all.data));
});

async function command(...args: string[]): Promise<Json> {
  const { code, json, stderr } = await company.headgate.command('routes', ...args, '--json');
  assert.equal(code, 0, `${args.join(' ')}: ${stderr}`);
  return json as Json;
}

test('commands show the versions of a route, try one on a share of the calls, put it in force and go back', async () => {
  const id = 'acme/steered';
  const file = `${company.headgate.data}/steered.yaml`;
  const put = async (target: string, ...more: string[]) => {
    await writeFile(file, `targets: [${target}]`);
    return String((await command('put', id, '--file', file, ...more)).version_id);
  };
  const first = await put('small');
  const second = await put('large', '--later', '--note', 'Better');
  await untilServedBy('small', () => call(id));
  const { data, ...state } = await command('versions', id);
  assert.deepEqual(state, { object: 'list', version_in_force: first, version_before: null, canary: null });
  assert.partialDeepStrictEqual(data, [
    { id: first, number: 1, created_by: { type: 'operator' }, note: null },
    { id: second, number: 2, created_by: { type: 'operator' }, note: 'Better' },
  ]);
  const changes = [{ path: 'targets[0]', before: 'small', after: 'large' }];
  assert.partialDeepStrictEqual(await command('diff', id, '2'), { from: first, to: second, changes });
  assert.deepEqual((await command('diff', id, second, '--from', '2')).changes, []);

  const canary = { version_id: second, share: 0.25 };
  assert.deepEqual((await command('canary', id, '2', '--share', '0.25')).canary, canary);
  assert.deepEqual((await get(at(id))).canary, canary);
  assert.equal((await command('canary', id, 'none')).canary, null);
  await command('canary', id, second, '--share', '0.5');
  assert.partialDeepStrictEqual(await command('promote', id), {
    version_in_force: second,
    version_before: first,
    canary: null,
  });
  await untilServedBy('large', () => call(id));
  assert.equal((await command('rollback', id)).version_in_force, first);
  await untilServedBy('small', () => call(id));
  assert.equal((await command('promote', id, '2')).version_in_force, second);

  const { calls, moved } = await command('replay', id, '--by', '2');
  assert.ok(Number(calls) > 0);
  assert.ok(Number(moved) > 0, 'those that the first version decided');
  assert.partialDeepStrictEqual(await command('replay', id), { calls, moved });
  const text = (await company.headgate.command('routes', 'versions', id)).stdout;
  assert.match(text, /1 +rtv_\S+ .* operator +[0-9a-f]{16} +before +-\n/);
  assert.match(text, /2 +rtv_\S+ .* operator +[0-9a-f]{16} +in force +Better/);
});

test('what a command cannot do with versions is said in a sentence', async () => {
  const file = `${company.headgate.data}/refused.yaml`;
  await writeFile(file, 'targets: [small]');
  const id = 'acme/refused';
  const early = await company.headgate.command('routes', 'put', id, '--file', file, '--later');
  assert.match(early.stderr, /There is no route acme\/refused yet\. Its first version comes into force at once\./);
  await command('put', id, '--file', file);
  const same = await company.headgate.command('routes', 'put', id, '--file', file, '--later');
  assert.equal(same.stdout, 'Version 1 of route acme/refused is the same, and is in force.\n');
  const refused: readonly [string[], RegExp][] = [
    [['versions', 'acme/none'], /There is no route acme\/none\. Routes: /],
    [['diff', id, '7'], /There is no version of this route with this id/],
    [['canary', id, '1'], /--share must be a number above 0 and below 1/],
    [['canary', id, '1', '--share', '1'], /--share must be a number above 0 and below 1/],
    [['canary', id, '1', '--share', '0.5'], /is already in force/],
    [['canary', id, 'none', '--share', '0.5'], /takes no --share/],
    [['canary', 'acme/filed', '1', '--share', '0.5'], /acme\/filed is a route of headgate\.yaml/],
    [['promote', id], /has no canary\. Name the version/],
    [['rollback', id], /There is no earlier version/],
    [['rollback', id, '1'], /headgate routes promote acme\/refused 1/],
    [['replay', id, '--draft', file, '--by', '1'], /cannot be used together/],
    [['put', id, '--file', file, '--note', 'two\nlines'], /--note must not contain U\+000A/],
  ];
  for (const [args, words] of refused) {
    const { code, stderr } = await company.headgate.command('routes', ...args);
    assert.notEqual(code, 0, args.join(' '));
    assert.match(stderr, words, args.join(' '));
  }
});

test('a command’s change is the same change', async () => {
  const file = `${company.headgate.data}/draft.yaml`;
  for (const target of ['small', 'large']) {
    await writeFile(file, `targets: [${target}]`);
    const { code, stderr } = await company.headgate.command('routes', 'put', 'acme/told', '--file', file);
    assert.equal(code, 0, stderr);
  }
  assert.equal((await company.headgate.command('routes', 'remove', 'acme/told')).code, 0);
  const { data: log } = await admin.admin.organization.auditLogs.list({ resource_ids: ['acme/told'] });
  assert.deepEqual(
    log.map(({ type, actor }) => [String(type), String(actor?.type)]),
    ['route.deleted', 'route.updated', 'route.created'].map((type) => [type, 'operator']),
  );
});
