// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are part of the file.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import OpenAI from 'openai';
import { ask } from '../http/client.ts';
import { type Running, startHeadgate } from '../support/headgate.ts';
import { documentedFetch } from './documented.ts';

type Json = Record<string, unknown>;

const CONFIG = `server:
  metrics_token: "\${METRICS}"
limits:
  max_body: 8MB
mail: { smtp_url: "\${SMTP}", from: "Headgate <gate@example.com>" }
`;
const SECRETS = { METRICS: 'token-of-the-metrics', SMTP: 'smtp://ada:secret-of-mail@localhost:1' };

let headgate: Running;
let client: OpenAI;
before(async () => {
  headgate = await startHeadgate({ config: CONFIG, env: { ...SECRETS, HEADGATE_LOG_LEVEL: 'warn' } });
  client = await clientOf(headgate, headgate.key);
});
after(() => headgate[Symbol.asyncDispose]());

async function clientOf({ url }: Running, apiKey: string): Promise<OpenAI> {
  return new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0, fetch: await documentedFetch(url) });
}

async function statusOf(asked: Promise<unknown>): Promise<[number | undefined, string]> {
  const error = await asked.then(
    () => assert.fail('was not refused'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof OpenAI.APIError, String(error));
  return [error.status, error.message];
}

test('an organization gets another name, once for each version, and the audit log tells of it', async () => {
  const first = await client.get<Json>('/organization');
  assert.partialDeepStrictEqual(first, { object: 'organization', name: 'Default', name_set_in: null, version: 1 });
  const renamed = await client.post<Json>('/organization', { body: { name: 'Acme 🚀', if_version: 1 } });
  assert.partialDeepStrictEqual(renamed, { id: first.id, name: 'Acme 🚀', version: 2 });
  const [late] = await statusOf(client.post('/organization', { body: { name: 'Other', if_version: 1 } }));
  assert.equal(late, 409);
  const again = await client.post<Json>('/organization', { body: { name: 'Acme', if_version: 2 } });
  assert.deepEqual(await client.get('/organization'), again);
  const { json } = await ask(`${headgate.url}/v1/organization/audit_logs?event_types[]=organization.updated`, {
    key: headgate.key,
  });
  const entries = (json as { data: Json[] }).data;
  assert.deepEqual(entries[0]?.['organization.updated'], {
    id: first.id,
    changes_requested: { name: 'Acme' },
    before: { name: 'Acme 🚀' },
  });
});

test('a name that the file rules is shown with its line, and refused', async () => {
  await using named = await startHeadgate({ config: 'echo: true\norganizations:\n  acme: { name: Acme }\n' });
  const there = await clientOf(named, named.key);
  const place = { file: 'headgate.yaml', line: 3 };
  assert.partialDeepStrictEqual(await there.get<Json>('/organization'), { name: 'Acme', name_set_in: place });
  const [status, message] = await statusOf(there.post('/organization', { body: { name: 'Other' } }));
  assert.equal(status, 400);
  assert.match(message, /`name` is set in headgate\.yaml, line 3 and can be changed only there\./);
});

test('every setting of the configuration is told, with who says it; no secret is', async () => {
  const list = await client.get<{ data: Json[] }>('/organization/configuration');
  const settings = new Map(list.data.map((each) => [each.name, each]));
  const told = (name: string) => {
    const { value, from, set_in } = settings.get(name) ?? {};
    return { value, from, set_in };
  };
  assert.deepEqual(told('limits.max_body'), {
    value: '8MB',
    from: 'file',
    set_in: { file: 'headgate.yaml', line: 4 },
  });
  assert.deepEqual(told('limits.max_header'), { value: '32KB', from: 'default', set_in: null });
  assert.deepEqual(told('server.log_level'), { value: 'warn', from: 'environment', set_in: null });
  assert.deepEqual(told('retention.usage'), { value: null, from: 'default', set_in: null });
  assert.equal(told('mail.from').from, 'file');
  assert.ok([...settings.values()].every(({ description }) => description !== ''));
  const text = JSON.stringify(list);
  for (const secret of [...Object.values(SECRETS), headgate.data]) assert.equal(text.includes(secret), false);
  for (const name of ['server.metrics_token', 'server.data', 'mail.smtp_url']) assert.equal(settings.has(name), false);
});

test('what runs here is told', async () => {
  const about = await client.get<Json>('/organization/about');
  assert.equal(about.node, process.version);
  assert.partialDeepStrictEqual(about, { workers: 1, storage: { kind: 'embedded' } });
  assert.ok((about.storage as { bytes: number }).bytes > 0);
  assert.equal(JSON.stringify(about).includes(headgate.data), false);
});
