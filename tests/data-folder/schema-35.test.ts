import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ask } from '../http/client.ts';
import { runHeadgate, startHeadgate } from '../support/headgate.ts';

/**
 * The data folder of a gateway of schema 35 that was killed during a call: an administrator's key, one for calls, a project, an
 * invite, a route of the file, and five calls, of which a journal has the last. The database is kept as SQL.
 */
const KEPT = fileURLToPath(new URL('schema-35/', import.meta.url));
const FIRST_KEY = 'hg_live_08Dz91wxYU8YJoCHKbJVTq4ib76WcUS6fqQlPTwHTa63V455I';
const CALLING_KEY = 'hg_live_jjtWsD6JUJ0OuDyBLkcr2iwiOeKdoPJ5gUWIKtp2VqN13XtLn';
const ADMIN_KEY = 'hg_live_ZetSWARpPrYZtcL0Qw44OBsoaKZiJmzM0u16C2oNZq612C1ZI';
/** The day of its calls, in Unix seconds. */
const DAY = Date.UTC(2026, 10, 28) / 1_000;

const CONFIG = `
providers:
  lab:
    base_url: http://127.0.0.1:9/v1
    models: [{ id: small, price: { input_per_1m: 1, output_per_1m: 2 } }]
routes:
  acme/fast: { targets: [small, echo] }
`;

const folder = mkdtempSync(join(tmpdir(), 'headgate-'));
after(() => rmSync(folder, { recursive: true, force: true }));
for (const file of readdirSync(KEPT)) {
  if (file.endsWith('.sql')) {
    using database = new DatabaseSync(join(folder, file.replace('.sql', '.db')));
    database.exec(readFileSync(join(KEPT, file), 'utf8'));
  } else copyFileSync(join(KEPT, file), join(folder, file));
}

type Json = Record<string, unknown>;
type List = { data: Json[] };

test('a data folder of schema 35 is served with its keys, settings, calls and audit log', async () => {
  await using server = await startHeadgate({ config: CONFIG, data: folder });
  const get = async <Body>(path: string, key: string) => {
    const { status, json, text } = await ask(`${server.url}${path}`, { key });
    assert.equal(status, 200, `${path}: ${text}`);
    return json as Body;
  };
  const records = async (query = '') => (await get<List>(`/v1/usage?limit=100${query}`, FIRST_KEY)).data;
  assert.deepEqual(
    (await records()).map(({ model, status }) => [model, status]),
    [
      ['echo', 'interrupted'],
      ['small', 'failed'],
      ['acme/fast', 'succeeded'],
      ['echo', 'succeeded'],
      ['echo', 'succeeded'],
    ],
  );
  assert.deepEqual((await records('&status=failed')).length, 1);

  const days = `start_time=${DAY}&end_time=${DAY + 86_400}`;
  const summary = () => get<{ totals: Json }>(`/v1/usage/summary?by=model&${days}`, FIRST_KEY);
  assert.equal((await summary()).totals.calls, 5);
  const routed = (await records()).find(({ model }) => model === 'acme/fast')!;
  const found = await get<{ attempt_details: Json[] }>(`/v1/usage/${routed.id}`, FIRST_KEY);
  assert.equal(found.attempt_details.length, 2);

  const projects = await get<List>('/v1/organization/projects', ADMIN_KEY);
  assert.deepEqual(projects.data.map(({ name }) => name).sort(), ['Apollo', 'Default project']);
  const invites = await get<List>('/v1/organization/invites', ADMIN_KEY);
  assert.deepEqual(
    invites.data.map(({ email }) => email),
    ['ada@example.com'],
  );

  const body = { model: 'acme/fast', messages: [{ role: 'user', content: 'Hello' }] };
  const answer = await ask(`${server.url}/v1/chat/completions`, { key: CALLING_KEY, body });
  assert.equal(answer.status, 200, answer.text);
  assert.equal((await records()).length, 6);
  assert.equal(await server.stop(), 0);
  const verified = await runHeadgate(['audit', 'verify'], { config: CONFIG, data: folder });
  assert.equal(verified.code, 0, verified.stderr);
});
