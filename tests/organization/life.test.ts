import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import OpenAI from 'openai';
import { answer } from '../../src/testing/answers.ts';
import { startLab } from '../sdk/lab.ts';
import { ADA, firstOwner, linkIn, TestBrowser } from '../sign-in/browser.ts';
import { allOf } from './lab.ts';
import { startReceiver } from './webhook-receiver.ts';

const CONFIG = `
server: { webhook_hosts: [127.0.0.1], provider_hosts: [127.0.0.1] }
providers:
  lab:
    base_url: \${LAB_URL}
    only:
      - { id: small, price: { input_per_1m: 0.123457, output_per_1m: 2.000001 } }
      - { id: large, price: { input_per_1m: 1234.567891, output_per_1m: 98765.432109 } }
retries: { attempts: 1 }
`;
const MONTH = { currency: 'USD', interval: 'month' } as const;
const HOUR_AGO = Math.floor(Date.now() / 1000) - 3_600;

/** An owner signs in, and from then on all is done with the official client. */
test('an organization lives from its first owner to its bill', async (t) => {
  await using lab = await startLab(CONFIG, { env: { HEADGATE_LOG_LEVEL: 'trace' } });
  const { headgate, vendor } = lab;
  vendor.plan(answer({ usage: { prompt_tokens: 17, completion_tokens: 23 } }));
  const receiver = await startReceiver();
  t.after(() => receiver.close());
  const baseURL = `${headgate.url}/v1`;
  const owner = await firstOwner(headgate);
  const made = await owner.post('/organization/admin_api_keys', { name: 'terraform' });
  const adminAPIKey = String(made.at('value'));
  const client = new OpenAI({ adminAPIKey, apiKey: adminAPIKey, baseURL, maxRetries: 0 });
  const { organization } = client.admin;
  const { projects } = organization;
  const calling = (apiKey: string) => async (model: string, maxTokens?: number) => {
    const caller = new OpenAI({ apiKey, baseURL, maxRetries: 0 });
    const body = {
      model,
      messages: [{ role: 'user', content: 'Hello' }],
    } as OpenAI.ChatCompletionCreateParamsNonStreaming;
    await caller.chat.completions.create({ ...body, ...(maxTokens !== undefined && { max_tokens: maxTokens }) });
    for await (const _ of await caller.chat.completions.create({ ...body, stream: true }));
  };

  // A project, whose service account calls.
  const project = (await projects.create({ name: 'search' })).id;
  const account = await projects.serviceAccounts.create(project, { name: 'ci' });
  const keyId = account.api_key!.id;
  const secret = account.api_key!.value;
  await calling(secret)('small');
  await calling(secret)('large');

  // Another secret, beside the one that goes on; then that ends.
  const rotate = (overlap_seconds: number) =>
    client.post<{ value: string }>(`/organization/projects/${project}/api_keys/${keyId}/rotate`, {
      body: { overlap_seconds },
    });
  const second = (await rotate(60)).value;
  await calling(second)('small');
  await calling(secret)('small');
  const third = (await rotate(0)).value;
  for (const ended of [secret, second]) await untilRefused(401, () => calling(ended)('small'));
  await calling(third)('small');

  // What it may spend, and who is told.
  const endpoint = await client.webhooks.create({
    name: 'ours',
    url: receiver.url,
    event_types: ['spend_limit.reached'] as never,
  });
  await projects.spendLimit.update(project, { ...MONTH, threshold_amount: 100 });
  const email = { type: 'email' as const, recipients: ['lead@example.com'] };
  await projects.spendAlerts.create(project, { ...MONTH, threshold_amount: 50, notification_channel: email });
  assert.equal(await untilRefused(429, () => calling(third)('large', 1_000_000)), 'insufficient_quota');
  for (let calls = 0; calls < 40; calls += 1) {
    const refused = await calling(third)('large', 23).then(
      () => null,
      (error: unknown) => error,
    );
    if (refused !== null) break;
  }
  await receiver.until(() => receiver.received.length > 0, 'the webhook of a limit that was reached');
  const { headers, body } = receiver.received[0]!;
  const event = await client.webhooks.unwrap(body, headers, endpoint.signing_secret);
  assert.equal(event.type as string, 'spend_limit.reached');
  await projects.spendLimit.delete(project);
  await untilAnswered(429, () => calling(third)('small'));

  // Somebody is invited, gets a role by a group, and makes a key of theirs.
  const invite = await organization.invites.create({
    email: 'ines@example.com',
    role: 'reader',
    projects: [{ id: project, role: 'member' }],
  });
  const ines = new TestBrowser(headgate);
  const link = linkIn((invite as unknown as { invite_link: string }).invite_link);
  assert.equal(
    (await ines.post('/auth/link/open', { link, name: 'Ines', password: 'a password of Ines' })).status,
    200,
  );
  const userId = String((await ines.get('/auth/session')).at('person.id'));
  assert.equal((await ines.get('/organization/spend_limits')).status, 403);
  const group = (await organization.groups.create({ name: 'billing' })).id;
  await organization.groups.roles.create(group, { role_id: 'role_billing' });
  await organization.groups.users.create(group, { user_id: userId });
  assert.equal((await ines.get('/organization/spend_limits')).status, 200);
  const own = await ines.post(`/organization/projects/${project}/api_keys`, { name: 'mine', user_id: userId });
  const inesKey = String(own.at('value'));
  await calling(inesKey)('small');

  // The bill is what the ledger says, to the nano-dollar, in all and of each.
  const records = await allRecords(client);
  assert.ok(records.length > 10);
  for (const group_by of [undefined, ['line_item'], ['project_id', 'api_key_id', 'user_id']] as const) {
    const page = await organization.usage.costs({ start_time: HOUR_AGO, ...(group_by && { group_by: [...group_by] }) });
    const rows = page.data.flatMap(({ results }) => results) as unknown as CostRow[];
    assert.equal(sum(rows), sum(records.map(({ cost_usd }) => ({ amount: { value_decimal: nine(cost_usd) } }))));
    if (group_by?.[0] !== 'project_id') continue;
    const ofInes = rows.filter(({ user_id }) => user_id === userId);
    assert.equal(sum(ofInes), sum(records.filter(({ api_key_id }) => api_key_id === own.at('id')).map(asRow)));
  }

  // Keys and people end, and the log tells of all.
  await projects.apiKeys.delete(keyId, { project_id: project });
  await untilRefused(401, () => calling(third)('small'));
  await organization.users.delete(userId);
  await untilRefused(401, () => calling(inesKey)('small'));
  assert.equal((await ines.get('/auth/session')).status, 401);
  // A vendor is added with its key, which is encrypted, and its models are called.
  const vendorKey = 'sk-of-a-vendor-0123456789';
  await client.post('/organization/providers', {
    body: { id: 'added', base_url: vendor.url, models: [{ id: 'new-model' }], credentials: [{ key: vendorKey }] },
  });
  await client.post('/organization/providers', {
    body: { id: 'bad', base_url: 'https://10.0.0.1/', credentials: [{ key: vendorKey }] },
  });
  const spare = (await projects.serviceAccounts.create(project, { name: 'spare' })).api_key!.value;
  await untilAnswered(404, () => calling(spare)('added/new-model'));
  assert.equal(vendor.requests.at(-1)?.headers.authorization, `Bearer ${vendorKey}`);

  const entries = await allOf(organization.auditLogs.list({ limit: 100 }));
  const types = new Set(entries.map(({ type }) => type as string));
  for (const type of [
    'invite.accepted',
    'group.user.added',
    'role.assignment.created',
    'api_key.rotated',
    'user.deleted',
  ])
    assert.ok(types.has(type), type);
  const { json } = await headgate.command('audit', 'verify', '--json');
  assert.equal((json as { fault: unknown }).fault, null);
  const exported = (await headgate.command('audit', 'list', '--limit', '1000', '--json')).stdout;

  // None of the secrets of this life is in what was answered later, in the log, or in what a copy of the data would have.
  const secrets = {
    ...{ secret, second, third, inesKey, adminAPIKey, spare, vendorKey },
    password: ADA.password,
    invite: link.split('.')[2]!,
    session: owner.cookie!.split('=')[1]!,
    webhooks: endpoint.signing_secret,
    raw: Buffer.from(endpoint.signing_secret.slice('whsec_'.length), 'base64').toString('latin1'),
  };
  await headgate.stop();
  const places: Record<string, string> = {
    ...{ entries: JSON.stringify(entries), exported, log: headgate.stderr() },
    ...Object.fromEntries(
      readdirSync(headgate.data)
        .filter((name) => statSync(join(headgate.data, name)).isFile())
        .map((name) => [name, readFileSync(join(headgate.data, name), 'latin1')]),
    ),
  };
  assert.ok('headgate.db' in places);
  for (const [what, told] of Object.entries(secrets))
    for (const [place, kept] of Object.entries(places)) assert.ok(!kept.includes(told), `${what} in ${place}`);
});

type Row = { api_key_id: string; cost_usd: number };
type CostRow = { amount: { value_decimal: string }; user_id?: string | null };

/** An amount as JSON has it, with its nine decimals. */
function nine(dollars: number): string {
  return dollars.toFixed(9);
}

function asRow({ cost_usd }: Row): CostRow {
  return { amount: { value_decimal: nine(cost_usd) } };
}

/** In nano-dollars. */
function sum(rows: readonly CostRow[]): bigint {
  return rows.reduce((all, { amount: { value_decimal: text } }) => {
    const [whole = '0', fraction = ''] = text.split('.');
    return all + BigInt(whole) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0'));
  }, 0n);
}

async function allRecords(client: OpenAI): Promise<Row[]> {
  const records: (Row & { id: string })[] = [];
  for (;;) {
    const query = { limit: 100, ...(records.length > 0 && { after: records.at(-1)!.id }) };
    const page = await client.get<{ data: (Row & { id: string })[]; has_more: boolean }>('/usage', { query });
    records.push(...page.data);
    if (!page.has_more) return records;
  }
}

/**
 * Every process goes by a change within a second: calls until one is refused so, and tells its code.
 * A stream that the change ends on its way has no status, and another call is made.
 */
async function untilRefused(status: number, call: () => Promise<void>): Promise<string | null> {
  for (;;) {
    const error = await outcomeOf(call);
    if (error === null || error.status === undefined) continue;
    assert.equal(error.status, status, error.message);
    return error.code ?? null;
  }
}

/** The same, until one is refused no more. */
async function untilAnswered(refusal: number, call: () => Promise<void>): Promise<void> {
  for (;;) {
    const error = await outcomeOf(call);
    if (error === null) return;
    assert.equal(error.status, refusal, error.message);
  }
}

async function outcomeOf(call: () => Promise<void>): Promise<InstanceType<typeof OpenAI.APIError> | null> {
  try {
    await call();
    return null;
  } catch (error) {
    assert.ok(error instanceof OpenAI.APIError, String(error));
    return error;
  }
}
