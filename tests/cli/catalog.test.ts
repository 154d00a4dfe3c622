import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { runHeadgate, startHeadgate } from '../support/headgate.ts';

const VENDORS = { OPENAI_API_KEY: 'sk-secret', GROQ_API_KEY: 'gsk-secret' };

type List = { object: string; data: { id: string; provider: string; pricing: Record<string, unknown> }[] };

/** A models.dev file in which one shipped model costs otherwise and one is new, and a place to import it to. */
async function makeImport() {
  const folder = await mkdtemp(join(tmpdir(), 'headgate-catalog-'));
  const file = join(folder, 'api.json');
  const models = {
    'gpt-4o-mini': { name: 'GPT-4o mini', cost: { input: 0.2, output: 0.8 }, limit: { context: 128_000 } },
    'brand-new': { name: 'Brand new', cost: { input: 1, output: 2 } },
  };
  const source = 'our own list, of 2026-11-01';
  const unknown = { models: { a: { name: 'A' } } };
  await writeFile(file, JSON.stringify({ source, providers: { openai: { models }, 'nobody-here': unknown } }));
  return { file, data: join(folder, 'data'), [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}

test('the catalog of a configuration is listed without a gateway, as the gateway would list it', async () => {
  await using gateway = await startHeadgate({ env: { ...VENDORS, HEADGATE_DISCOVERY: 'false' } });
  const { code, json, stderr } = await gateway.command('catalog', 'list', '--json');
  assert.equal(code, 0, stderr);
  const headers = { authorization: `Bearer ${gateway.key}` };
  const served = await fetch(`${gateway.url}/v1/models/catalog`, { headers });
  assert.deepEqual(json, await served.json());
});

test('the list is filtered by provider and by words, whatever their capitals', async () => {
  const list = async (...args: string[]) =>
    ((await runHeadgate(['catalog', 'list', '--json', ...args], { env: VENDORS })).json as List).data;
  const openai = await list('--provider', 'OpenAI');
  assert.ok(openai.length > 10 && openai.every(({ provider }) => provider === 'openai'));
  const mini = await list('--search', 'MINI');
  assert.ok(mini.some(({ id }) => id === 'gpt-4o-mini') && mini.length < openai.length);
  assert.deepEqual(await list('--search', 'no such model'), []);
});

/** What is told beside the list, behind that no gateway has run there. */
function notesOf(stderr: string): string {
  const [first, ...notes] = stderr.split('\n');
  assert.match(first!, /^No gateway has run with the data folder .*\. A gateway started here would serve this\.$/);
  return notes.join('\n');
}

test('for people it is a table; providers that list their own models are named', async () => {
  const { stdout, stderr } = await runHeadgate(['catalog', 'list', '--search', 'gpt-4o-mini'], {
    env: { ...VENDORS, OPENROUTER_API_KEY: 'or-secret' },
  });
  const [title, row] = stdout.split('\n');
  assert.match(title ?? '', /^MODEL +PROVIDER +CONTEXT +IN\/1M +OUT\/1M +NOTE$/);
  assert.match(row ?? '', /^gpt-4o-mini +openai +128000 +\$0\.15 +\$0\.6$/);
  assert.equal(notesOf(stderr), 'openrouter has its own list of models. A running gateway reads it.\n');
});

test('where nothing is found, it is told whether any vendor is on', async () => {
  const find = (env: Record<string, string>) => runHeadgate(['catalog', 'list', '--search', 'nobody-has-it'], { env });
  const [none, some, unasked] = await Promise.all([find({}), find(VENDORS), find({ OPENROUTER_API_KEY: 'or-secret' })]);
  assert.equal(none.stdout, 'No model matches.\n');
  assert.equal(
    notesOf(none.stderr),
    'No vendor is enabled. Set a key such as OPENAI_API_KEY, or add a provider to headgate.yaml.\n',
  );
  assert.deepEqual([some.stdout, notesOf(some.stderr)], [none.stdout, '']);
  assert.equal(notesOf(unasked.stderr), 'openrouter has its own list of models. A running gateway reads it.\n');
});

test('an import without a terminal shows what it would change and writes nothing', async () => {
  await using made = await makeImport();
  const { code, stdout, stderr } = await runHeadgate(['catalog', 'import', made.file], made);
  assert.equal(code, 1);
  assert.match(stdout, /^\+ openai\/brand-new {2}\$1 in, \$2 out per 1M tokens$/m);
  assert.match(stdout, /^~ openai\/gpt-4o-mini .*cost\.input \$0\.15 → \$0\.2/m);
  assert.match(stderr, /Skipped: 1 models? of vendors without a preset \(nobody-here\)/);
  assert.match(stderr, /Nothing was written. Add --yes to write it\.\n$/);

  const { code: again, json } = await runHeadgate(['catalog', 'import', made.file, '--json'], made);
  const { written, added, error } = json as { written: boolean; added: string[]; error: { message: string } };
  assert.deepEqual([again, written, added], [1, false, ['openai/brand-new']]);
  assert.match(error.message, /--yes/);
  assert.ok(!existsSync(made.data));
});

test('an import with --yes is taken up by a running gateway at its next reload', async () => {
  await using made = await makeImport();
  await using gateway = await startHeadgate({ config: 'providers: { openai: {} }\n', env: VENDORS, data: made.data });
  const { code, json, stderr } = await gateway.command('catalog', 'import', made.file, '--yes', '--json');
  assert.equal(code, 0, stderr);
  const { source, date, written } = json as { source: string; date: string; written: boolean };
  assert.deepEqual({ source, date, written }, { source: 'our own list', date: '2026-11-01', written: true });
  assert.match(await readFile(join(made.data, 'catalog.json'), 'utf8'), /"brand-new"/);

  await gateway.reload('providers: { openai: {} }\naliases: { newest: brand-new }\n');
  const headers = { authorization: `Bearer ${gateway.key}` };
  const response = await fetch(`${gateway.url}/v1/models/catalog?search=gpt-4o-mini`, { headers });
  const { data } = (await response.json()) as List;
  assert.equal(data[0]?.pricing.input_per_1m, 0.2);
  assert.equal(data[0]?.pricing.source, 'our own list');

  const same = await gateway.command('catalog', 'import', made.file, '--yes');
  assert.deepEqual([same.code, same.stdout], [0, 'Nothing differs, and nothing was written.\n']);
});

test('a file that is not there, or is no catalog, is a sentence', async () => {
  await using made = await makeImport();
  const missing = await runHeadgate(['catalog', 'import', 'nowhere.json'], made);
  assert.deepEqual([missing.code, missing.stderr], [1, 'nowhere.json: no such file or directory (ENOENT).\n']);
  await writeFile(made.file, '[]');
  const { code, json } = await runHeadgate(['catalog', 'import', made.file, '--json'], made);
  assert.equal(code, 1);
  assert.match((json as { error: { message: string } }).error.message, /in the shape of models\.dev/);
});
