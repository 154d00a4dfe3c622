import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import OpenAI from 'openai';
import { change, made, put } from '../../src/organization/administration.ts';
import { createSpendAlert } from '../../src/organization/alerts/service.ts';
import { createProject } from '../../src/organization/projects/service.ts';
import { inForce } from '../../src/organization/routes/service.ts';
import { createAccountKey, createServiceAccount } from '../../src/organization/service-accounts/service.ts';
import { nextPoll, WAIT_MS } from '../../src/testing/wait.ts';
import { ask } from '../http/client.ts';
import { runHeadgate } from '../support/headgate.ts';
import { type Company, startCompany } from './lab.ts';

/** Reads as `ab`, and turns around what stands behind it. */
const HIDDEN = 'a\u202eb';
const WHY = 'must not contain U+202E, which is not seen, or changes how other text is seen.';
const ROUTE = { targets: ['echo'], description: HIDDEN };
const ALERT = { currency: 'USD', interval: 'month', threshold_amount: 100 };
const CHANNEL = { type: 'email', recipients: ['a@example.com'], subject_prefix: HIDDEN };
const PROVIDER = { base_url: 'https://lab.example.com/v1', only: [{ id: 'm', name: HIDDEN }] };
const AMOUNT = { holders: [{ type: 'organization' }], amount_usd: 5 };
const NOTE = { model: 'echo/echo', price: { input_per_1m: 1, output_per_1m: 1 }, note: HIDDEN };

let company: Company;
let client: OpenAI;
let folder: string;
before(async () => {
  company = await startCompany();
  const { key } = await company.hire('owner', 'owner');
  client = new OpenAI({ apiKey: key, adminAPIKey: key, baseURL: `${company.headgate.url}/v1`, maxRetries: 0 });
  folder = await mkdtemp(join(tmpdir(), 'headgate-hidden-'));
});
after(async () => {
  await company[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

/** Where a name is given, the body, and where it stands in that. */
const GIVEN: readonly [path: string, body: object, param: string][] = [
  ['/organization', { name: HIDDEN }, 'name'],
  ['/organization/projects', { name: HIDDEN }, 'name'],
  ['/organization/projects', { name: 'x', external_key_id: HIDDEN }, 'external_key_id'],
  ['/organization/groups', { name: HIDDEN }, 'name'],
  ['/organization/roles', { role_name: HIDDEN, permissions: [] }, 'role_name'],
  ['/organization/roles', { role_name: 'x', description: `a\n${HIDDEN}`, permissions: [] }, 'description'],
  ['/organization/admin_api_keys', { name: HIDDEN }, 'name'],
  ['/organization/products', { id: 'desk', name: HIDDEN }, 'name'],
  ['/organization/providers', { ...PROVIDER, id: 'lab' }, 'only.0.name'],
  ['/organization/providers', { id: 'lab', base_url: PROVIDER.base_url, label: HIDDEN }, 'label'],
  ['/organization/routes', { id: 'acme/fast', definition: ROUTE }, 'definition.description'],
  ['/organization/routes', { id: 'acme/fast', definition: { targets: ['echo'] }, note: HIDDEN }, 'note'],
  ['/organization/budgets', { ...AMOUNT, name: HIDDEN }, 'name'],
  ['/organization/price_overrides', NOTE, 'note'],
  ['/organization/spend_alerts', { ...ALERT, notification_channel: CHANNEL }, 'notification_channel.subject_prefix'],
  ['/webhook_endpoints', { name: HIDDEN, url: 'https://example.com', event_types: ['project.archived'] }, 'name'],
];

for (const [path, body, param] of GIVEN) {
  test(`the official client is told of a hidden character: ${path} ${param}`, async () => {
    await assert.rejects(client.post(path, { body }), (error) => {
      assert.ok(error instanceof OpenAI.APIError);
      assert.deepEqual([error.status, error.param, error.message], [400, param, `400 \`${param}\` ${WHY}`]);
      return true;
    });
  });
}

test('joiners, marks and variation selectors are kept and given back', async () => {
  for (const name of ['می‌خواهم', 'ක්‍රි', '👩‍👩‍👧', '🏳️‍🌈', 'e\u0301', 'שלום']) {
    assert.equal((await client.admin.organization.projects.create({ name })).name, name);
  }
});

test('a command refuses a hidden character, and names the option', async () => {
  const file = join(folder, 'route.yaml');
  await writeFile(file, 'targets: [echo]\n');
  const given: readonly [where: string, args: string[]][] = [
    ['NAME', ['projects', 'create', HIDDEN]],
    ['--name', ['budgets', 'set', '5', '--name', HIDDEN]],
    ['--name', ['keys', 'create', '--name', HIDDEN]],
    ['--name', ['admin-keys', 'create', '--name', HIDDEN]],
    ['--name', ['products', 'create', 'desk', '--name', HIDDEN]],
    ['--label', ['providers', 'add', 'lab', '--base-url', PROVIDER.base_url, '--label', HIDDEN]],
    ['--note', ['prices', 'set', 'echo/echo', '--input', '1', '--output', '1', '--note', HIDDEN]],
    ['--note', ['routes', 'put', 'acme/fast', '--file', file, '--note', HIDDEN]],
  ];
  for (const [where, args] of given) {
    const { code, stderr } = await company.headgate.command(...args);
    assert.deepEqual([code, stderr], [2, `${where} ${WHY}\n`], args.join(' '));
  }
});

test('a configuration file with a hidden character is refused', async () => {
  const shown = String.raw`"a\u202eb"`;
  const config = `organizations: { acme: { name: ${shown} } }
providers: { lab: { base_url: 'http://127.0.0.1:9', label: ${shown}, only: [{ id: m, name: ${shown} }] } }
routes: { r: { targets: [lab/m], name: ${shown}, brand: ${shown}, description: ${shown} } }
products: { desk: { name: ${shown}, routes: [r] } }
`;
  const { code, json } = await runHeadgate(['config', 'check', '--json'], { config });
  const { problems } = (json as { error: { problems: { line: number; path: string; message: string }[] } }).error;
  assert.equal(code, 1);
  assert.deepEqual(
    problems.map(({ line, path }) => [line, path]),
    [
      ...[
        [1, 'organizations.acme.name'],
        [2, 'providers.lab.label'],
        [2, 'providers.lab.only[0].name'],
      ],
      ...[
        [3, 'routes.r.name'],
        [3, 'routes.r.brand'],
        [3, 'routes.r.description'],
        [4, 'products.desk.name'],
      ],
    ],
  );
  for (const { message } of problems) assert.equal(`${message}.`, WHY);
});

/** Settings as they may be from before there was the rule. */
async function keepHidden() {
  const admin = company.admin();
  const now = admin.clock.now();
  const provider = { definition: { ...PROVIDER, label: HIDDEN }, credentials: [], updatedAt: now };
  const product = { name: HIDDEN, routes: ['echo'], spendLimit: null, updatedAt: now };
  const version = made(admin, 'route_version', {
    prefix: 'rtv',
    parentId: 'acme/before',
    value: {
      ...{ number: 1, version: '0'.repeat(16), definition: JSON.stringify(ROUTE) },
      ...{ yaml: null, note: null, by: admin.by.actor },
    },
  });
  const state = { inForce: version.id, before: null, canary: null, updatedAt: now };
  const route = made(admin, 'route', { id: 'acme/before', value: state });
  const changes = [
    put(made(admin, 'provider', { id: 'before', value: provider })),
    put(made(admin, 'product', { id: 'before', value: product })),
    ...[put(route), put(version), inForce(route, [version])],
  ];
  await change(admin, changes, { type: 'product.created', resourceId: 'before', details: {} });
  const project = await createProject(admin, { name: HIDDEN });
  const { account } = await createServiceAccount(admin, project.id, { name: HIDDEN, withKey: null });
  return { admin, project, account };
}

test('what was kept before goes on, is changed beside its name, and is shown safely', async () => {
  const { admin, project, account } = await keepHidden();
  const post = (path: string, body: object) => client.post<Record<string, unknown>>(path, { body });

  const product = await post('/organization/products/before', { routes: ['echo', 'm'] });
  assert.deepEqual([product.name, product.routes], [HIDDEN, ['echo', 'm']]);
  await post('/organization/products/before/rotate', { overlap_seconds: 0 });
  await assert.rejects(post('/organization/products/before', { name: `${HIDDEN}c` }), /U\+202E/);

  const provider = await post('/organization/providers/before', { region: 'eu' });
  assert.deepEqual([provider.off, provider.label], [null, 'a\ufffdb'], JSON.stringify(provider));
  await post('/organization/providers/before', { label: HIDDEN, only: PROVIDER.only });
  await assert.rejects(
    post('/organization/providers/before', { label: `${HIDDEN}c` }),
    /`label` must not contain U\+202E/,
  );

  const body = { model: 'acme/before', messages: [{ role: 'user', content: 'hi' }] };
  const key = await company.keyOf({ userId: null, access: 'models' });
  const call = () => ask(`${company.headgate.url}/v1/chat/completions`, { key, body });
  // What was put into the store beside the gateway is in force within a second.
  const end = performance.now() + WAIT_MS;
  let answer = await call();
  while (answer.status !== 200 && performance.now() < end) {
    await nextPoll();
    answer = await call();
  }
  assert.equal(answer.status, 200, answer.text);
  const versions = '/organization/routes/acme%2Fbefore/versions';
  await post(versions, { definition: { ...ROUTE, name: 'Before' } });
  await assert.rejects(post(versions, { definition: { ...ROUTE, name: `${HIDDEN}c` } }), /definition\.name.* U\+202E/);

  const renamed = await post(`/organization/projects/${project.id}`, { external_key_id: 'x' });
  assert.equal(renamed.name, HIDDEN);
  const second = await createAccountKey(admin, { projectId: project.id, id: account.id }, { expiresAt: null });
  assert.equal(second.key.name, 'a\ufffdb');

  for (const command of ['products', 'providers', 'projects', 'routes']) {
    const { stdout } = await company.headgate.command(command, 'list');
    assert.ok(!stdout.includes('\u202e'), `${command}: ${JSON.stringify(stdout)}`);
  }
  const list = await company.headgate.command('projects', 'list');
  assert.match(list.stdout, /a·b/);
  const inJson = await company.headgate.command('projects', 'list', '--json');
  assert.ok(inJson.stdout.includes(String.raw`a\u202eb`), inJson.stdout);
});

test('an alert whose subject was kept before is changed beside it', async () => {
  const admin = company.admin();
  const value = { cents: 100, recipients: ['a@example.com'], subjectPrefix: 'x' };
  const alert = await createSpendAlert(admin, null, value);
  const kept = { ...alert, version: 2, value: { ...alert.value, subjectPrefix: HIDDEN } };
  await change(admin, [put(kept)], { type: 'spend_alert.updated', resourceId: alert.id, details: {} });
  const path = `/organization/spend_alerts/${alert.id}`;
  const channel = { ...ALERT, threshold_amount: 200, notification_channel: CHANNEL };
  const changed = await client.post<{ threshold_amount: number }>(path, { body: channel });
  assert.equal(changed.threshold_amount, 200);
});
