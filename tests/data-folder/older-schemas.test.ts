import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ask } from '../http/client.ts';
import { runHeadgate, startHeadgate } from '../support/headgate.ts';

/**
 * The data folder of a gateway that was killed: an administrator's key, one for calls, a project, an invite, a route of the
 * file, and calls, of which its journal has the last. The database is kept as SQL.
 */
type KeptFolder = {
  schema: number;
  firstKey: string;
  callingKey: string;
  adminKey: string;
  /** The models and statuses of its calls, the latest first. */
  calls: readonly (readonly [model: string, status: string])[];
};

const FOLDERS: readonly KeptFolder[] = [
  {
    schema: 23,
    firstKey: 'hg_live_7NuRdAdsLVQeE1qrQmKcpwPv5JzcfVAg5eZDOxLvLsW1gYvFl',
    callingKey: 'hg_live_edNJQjuqU382ADNa5VkmDnor7AVwF9fL20rl0Yfoarh4TFASc',
    adminKey: 'hg_live_9X1XrUrID5f2cU7QhsCX55hp8fjDBHbxHvvExx0KL283yWrT8',
    calls: [
      ['small', 'failed'],
      ['acme/fast', 'succeeded'],
      ['echo', 'succeeded'],
      ['echo', 'succeeded'],
    ],
  },
  {
    schema: 35,
    firstKey: 'hg_live_08Dz91wxYU8YJoCHKbJVTq4ib76WcUS6fqQlPTwHTa63V455I',
    callingKey: 'hg_live_jjtWsD6JUJ0OuDyBLkcr2iwiOeKdoPJ5gUWIKtp2VqN13XtLn',
    adminKey: 'hg_live_ZetSWARpPrYZtcL0Qw44OBsoaKZiJmzM0u16C2oNZq612C1ZI',
    calls: [
      ['echo', 'interrupted'],
      ['small', 'failed'],
      ['acme/fast', 'succeeded'],
      ['echo', 'succeeded'],
      ['echo', 'succeeded'],
    ],
  },
];
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

type Json = Record<string, unknown>;
type List = { data: Json[] };

for (const { schema, firstKey, callingKey, adminKey, calls } of FOLDERS) {
  test(`a data folder of schema ${schema} is served with its keys, settings, calls and audit log`, async (t) => {
    const folder = copyOf(schema);
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    await using server = await startHeadgate({ config: CONFIG, data: folder });
    const get = async <Body>(path: string, key: string) => {
      const { status, json, text } = await ask(`${server.url}${path}`, { key });
      assert.equal(status, 200, `${path}: ${text}`);
      return json as Body;
    };
    const records = async (query = '') => (await get<List>(`/v1/usage?limit=100${query}`, firstKey)).data;
    assert.deepEqual(
      (await records()).map(({ model, status }) => [model, status]),
      calls,
    );
    assert.equal((await records('&status=failed')).length, 1);

    const days = `start_time=${DAY}&end_time=${DAY + 86_400}`;
    const summary = () => get<{ totals: Json }>(`/v1/usage/summary?by=model&${days}`, firstKey);
    assert.equal((await summary()).totals.calls, calls.length);
    const routed = (await records()).find(({ model }) => model === 'acme/fast')!;
    const found = await get<{ attempt_details: Json[] }>(`/v1/usage/${routed.id}`, firstKey);
    assert.equal(found.attempt_details.length, 2);

    const projects = await get<List>('/v1/organization/projects', adminKey);
    assert.deepEqual(projects.data.map(({ name }) => name).sort(), ['Apollo', 'Default project']);
    const invites = await get<List>('/v1/organization/invites', adminKey);
    assert.deepEqual(
      invites.data.map(({ email }) => email),
      ['ada@example.com'],
    );

    const body = { model: 'acme/fast', messages: [{ role: 'user', content: 'Hello' }] };
    const answer = await ask(`${server.url}/v1/chat/completions`, { key: callingKey, body });
    assert.equal(answer.status, 200, answer.text);
    assert.equal((await records()).length, calls.length + 1);
    assert.equal(await server.stop(), 0);
    const verified = await runHeadgate(['audit', 'verify'], { config: CONFIG, data: folder });
    assert.equal(verified.code, 0, verified.stderr);
  });
}

/** A copy of the kept data folder, in which a gateway can run. */
function copyOf(schema: number): string {
  const kept = fileURLToPath(new URL(`schema-${schema}/`, import.meta.url));
  const folder = mkdtempSync(join(tmpdir(), 'headgate-'));
  for (const file of readdirSync(kept)) {
    if (file.endsWith('.sql')) {
      using database = new DatabaseSync(join(folder, file.replace('.sql', '.db')));
      database.exec(readFileSync(join(kept, file), 'utf8'));
    } else copyFileSync(join(kept, file), join(folder, file));
  }
  return folder;
}
