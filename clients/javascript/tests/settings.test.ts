import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { gateway, Headgate } from '@headgate/client';
import { AuthenticationError, ConflictError, NotFoundError, RateLimitError } from 'openai';
import { calledBy, uncalled } from './called.ts';

const client = new Headgate({ maxRetries: 0 });
const { settings } = client;
const messages = [{ role: 'user' as const, content: 'Hello' }];
/** Other runs of these tests use the same gateway. */
const unique = (name: string) => `${name}-${randomUUID().slice(0, 8)}`;

async function idsOf(items: AsyncIterable<{ id: string }>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of items) ids.push(id);
  return ids;
}

type Document = { paths: Record<string, Record<string, unknown>> };

test('each operation of the gateway is in this release of the official client, or in ours', async () => {
  const { paths } = (await (await fetch(`${process.env.HEADGATE_BASE_URL}/openapi.json`)).json()) as Document;
  const called = await calledBy(
    (send) => new Headgate({ apiKey: 'k', adminAPIKey: 'a', baseURL: 'http://gateway', maxRetries: 0, fetch: send }),
  );
  const exceptions = JSON.parse(process.env.HEADGATE_TEST_NOT_FOR_CLIENTS ?? '') as string[];
  assert.deepEqual(uncalled(paths, called, exceptions), []);
});

test('a project has keys of its own, made, limited, switched off and rotated by an administrator', async () => {
  const { apiKeys } = settings.projects;
  const project = await client.admin.organization.projects.create({ name: 'Search' });
  const made = await apiKeys.create(project.id, { name: 'nightly', allowed_models: ['echo'] });
  const asking = (apiKey: string) =>
    client.withOptions({ apiKey }).chat.completions.create({ model: 'echo', messages });
  assert.equal(gateway(await asking(made.value)).provider, 'echo');
  const rotated = await apiKeys.rotate(project.id, made.id);
  assert.notEqual(rotated.value, made.value);
  assert.equal(gateway(await asking(rotated.value)).provider, 'echo');
  const limited = await apiKeys.update(project.id, made.id, { max_requests_per_1_minute: 1, allowed_models: null });
  assert.deepEqual([limited.max_requests_per_1_minute, limited.allowed_models], [1, null]);
  await assert.rejects(async () => {
    for (;;) await asking(rotated.value);
  }, RateLimitError);
  assert.equal((await apiKeys.update(project.id, made.id, { enabled: false })).status, 'disabled');
  await assert.rejects(async () => {
    // Every process goes by it within a second.
    for (;;) await asking(rotated.value).catch(butLimits);
  }, AuthenticationError);
  assert.deepEqual(await idsOf(apiKeys.list(project.id)), [made.id]);
  assert.equal((await apiKeys.retrieve(project.id, made.id)).name, 'nightly');
  assert.ok((await apiKeys.delete(project.id, made.id)).deleted);
});

function butLimits(error: unknown): void {
  if (!(error instanceof RateLimitError)) throw error;
}

test('budgets are made, changed, listed page by page and taken away', async () => {
  const holders = [{ type: 'organization' as const }];
  const made: string[] = [];
  for (const amount_usd of [1000, '2000.000000001', 3000]) {
    made.push((await settings.budgets.create({ name: unique('b'), holders, amount_usd, hard: false })).id);
  }
  const listed = await idsOf(settings.budgets.list({ limit: 1, order: 'asc' }));
  assert.deepEqual(
    listed.filter((id) => made.includes(id)),
    made,
  );
  const read = await settings.budgets.retrieve(made[1]!);
  assert.equal(read.amount_usd, '2000.000000001');
  const changed = await settings.budgets.update(read.id, { alerts: [0.5], if_version: read.version });
  assert.deepEqual(changed.alerts, [0.5]);
  await assert.rejects(settings.budgets.update(read.id, { alerts: [], if_version: read.version }), ConflictError);
  for (const id of made) assert.ok((await settings.budgets.delete(id)).deleted);
  await assert.rejects(settings.budgets.retrieve(read.id), NotFoundError);
});

test('providers have credentials, which nobody reads again', async () => {
  const id = unique('p');
  const made = await settings.providers.create({ id, preset: 'openai', credentials: [{ key: 'sk-of-the-vendor' }] });
  assert.ok(!JSON.stringify(made).includes('sk-of-the-vendor'));
  const second = await settings.providers.credentials.create(id, { name: 'second', key: 'sk-another-one' });
  assert.ok(second.id !== null);
  await settings.providers.credentials.update(id, second.id, { weight: 3 });
  assert.equal((await settings.providers.retrieve(id)).credentials.length, 2);
  assert.ok((await settings.providers.credentials.delete(id, second.id)).deleted);
  assert.equal((await settings.providers.update(id, { label: 'Ours' })).label, 'Ours');
  assert.ok((await idsOf(settings.providers.list({ limit: 1 }))).includes(id));
  assert.ok((await settings.providers.presets()).data.some((preset) => preset.id === 'openai'));
  assert.ok((await settings.providers.delete(id)).deleted);
});

test('routes have versions, which are compared, tried, replayed and taken back', async () => {
  const { routes } = settings;
  const id = unique('acme/careful');
  const first = { targets: ['fake/fake-small'] };
  const second = { targets: ['fake/fake-small', 'fake/fake-tools'] };
  assert.equal((await routes.validate({ id, definition: { targets: [] } })).valid, false);
  const made = await routes.create({ id, definition: first });
  const version = await routes.versions.create(id, { definition: second, note: 'A second target.', in_force: false });
  const versions = await idsOf(routes.versions.list(id, { limit: 1 }));
  assert.equal(versions.length, 2);
  assert.equal((await routes.versions.retrieve(id, version.id)).note, 'A second target.');
  const [from = ''] = versions;
  const { changes } = await routes.versions.diff(id, version.id, { from });
  assert.ok(changes.every(({ path }) => path.startsWith('targets')) && changes.length > 0);
  assert.ok(made.version !== null);
  const canary = { version_id: version.id, share: 0.1 };
  assert.equal((await routes.update(id, { canary, if_version: made.version })).canary?.share, 0.1);
  assert.equal((await routes.update(id, { canary: null })).canary, null);
  const tried = await routes.explain(id, { call: { messages }, version_id: version.id });
  assert.equal(tried.order.length, 2);
  assert.equal((await routes.replay(id, { version_id: version.id })).object, 'organization.route.replay');
  await routes.update(id, { version_in_force: version.id });
  assert.equal((await routes.rollback(id)).version_in_force, from);
  assert.equal((await routes.retrieve(id)).id, id);
  assert.ok((await idsOf(routes.list({ limit: 1 }))).includes(id));
  assert.ok((await routes.delete(id)).deleted);
});

test('webhook endpoints, invitations, and what the organization is', async () => {
  const { webhookEndpoints } = settings;
  assert.ok((await webhookEndpoints.eventTypes()).data.includes('project.archived'));
  const url = 'https://example.com/hook';
  const made = await webhookEndpoints.create({ name: 'ours', url, event_types: ['project.archived'] });
  assert.match((await webhookEndpoints.rotateSecret(made.id)).signing_secret, /^whsec_/);
  assert.equal((await webhookEndpoints.update(made.id, { name: 'theirs' })).name, 'theirs');
  assert.equal((await webhookEndpoints.retrieve(made.id)).name, 'theirs');
  assert.ok((await idsOf(webhookEndpoints.list({ limit: 1 }))).includes(made.id));
  assert.deepEqual(await idsOf(webhookEndpoints.deliveries(made.id)), []);
  assert.ok((await webhookEndpoints.delete(made.id)).deleted);
  const invite = await settings.invites.create({ email: `${unique('a')}@example.com`, role: 'reader' });
  assert.deepEqual([invite.role, invite.status], ['reader', 'pending']);
  const { name, version } = await settings.retrieve();
  assert.equal((await settings.update({ name, if_version: version })).name, name);
  assert.equal((await settings.about()).object, 'organization.about');
  assert.ok((await settings.configuration()).data.some((setting) => setting.name === 'limits.max_body'));
});

test('settings go out with the administrator’s key', async () => {
  const asked: (string | null)[] = [];
  const send = async (_: unknown, request: RequestInit = {}) => {
    asked.push(new Headers(request.headers).get('authorization'));
    return Response.json({});
  };
  await client.withOptions({ fetch: send }).settings.about();
  assert.deepEqual(asked, [`Bearer ${process.env.HEADGATE_ADMIN_KEY}`]);
});
