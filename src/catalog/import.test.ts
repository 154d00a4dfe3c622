import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadCatalog } from './catalog.ts';
import { type CatalogCost, type CatalogFile, type CatalogRow, parseCatalog } from './catalog-file.ts';
import { diffCatalog, formatDiff, planImport, writeCatalog } from './import.ts';

const OLD = { source: 'models.dev', date: '2026-01-01' };
const NEW = { source: 'models.dev', date: '2026-07-02' };
const NONE: CatalogFile = new Map();

function file(vendors: Record<string, Record<string, CatalogRow>>): CatalogFile {
  return new Map(Object.entries(vendors).map(([vendor, rows]) => [vendor, new Map(Object.entries(rows))] as const));
}

const before = file({
  openai: {
    cheaper: { name: 'Cheaper', cost: { input: 2, output: 4 }, limit: { context: 8000 }, ...OLD },
    gone: { name: 'Gone', cost: { input: 1, output: 1 }, ...OLD },
    same: { name: 'Same', cost: { input: 1, output: 2 }, ...OLD },
  },
  groq: { kept: { name: 'Kept', ...OLD } },
});

const imported = file({
  openai: {
    cheaper: { name: 'Cheaper', cost: { input: 1.5, output: 4, cache_read: 0.1 }, limit: { context: 16000 }, ...NEW },
    fresh: { name: 'Fresh', cost: { input: 3, output: 6 }, ...NEW },
    same: { name: 'Same', cost: { input: 1, output: 2 }, ...NEW },
  },
});

test('the diff names what comes, what goes and what changes, prices as old and new', () => {
  assert.equal(
    formatDiff(planImport(before, NONE, imported).diff),
    [
      '+ openai/fresh  $3 in, $6 out per 1M tokens',
      '~ openai/cheaper  cost.cache_read none → $0.1, cost.input $2 → $1.5, limit.context 8000 → 16000',
      '1 added, 0 removed, 1 changed (1 of them in price).',
      '',
    ].join('\n'),
  );
});

test('a catalog differs in nothing from itself, and a new source or date alone is no difference', () => {
  assert.deepEqual(diffCatalog(before, before), { added: [], removed: [], changed: [] });
  const restamped = file({ groq: { kept: { name: 'Kept', ...NEW } } });
  assert.deepEqual(diffCatalog(file({ groq: { kept: { name: 'Kept', ...OLD } } }), restamped).changed, []);
});

test('a price that appears or goes, and tiers, are differences in price', () => {
  const priced = { name: 'M', cost: { input: 1, output: 2 }, ...OLD };
  const tiered = { name: 'M', cost: { input: 1, output: 2, tiers: [{ above: 5, input: 2 }] }, ...OLD };
  const text = (was: CatalogRow, is: CatalogRow) =>
    formatDiff(diffCatalog(file({ v: { m: was } }), file({ v: { m: is } })));
  assert.match(
    text(priced, { name: 'M', ...OLD }),
    /cost\.input \$1 → none, cost\.output \$2 → none[\s\S]*1 of them in price/,
  );
  assert.match(text(priced, tiered), /cost\.tiers none → \[\{"above":5,"input":2\}\][\s\S]*1 of them in price/);
  assert.match(text({ name: 'M', ...OLD }, { name: 'N', ...OLD }), /name M → N[\s\S]*0 of them in price/);
});

test('the file holds what the import changes, and nothing that ships as it is', () => {
  const { file: written } = planImport(before, NONE, imported);
  assert.deepEqual([...written.keys()], ['openai']);
  assert.deepEqual([...(written.get('openai')?.keys() ?? [])].sort(), ['cheaper', 'fresh']);
  assert.equal(written.get('openai')?.get('cheaper')?.date, NEW.date);
});

test('vendors of an earlier import stay, and are compared with', () => {
  const earlier = file({ groq: { kept: { name: 'Kept', family: 'llama', ...OLD } } });
  const { file: written, diff } = planImport(before, earlier, file({ groq: { kept: { name: 'Kept it', ...NEW } } }));
  assert.deepEqual(diff.changed, [
    { model: 'groq/kept', fields: [{ field: 'name', before: 'Kept', after: 'Kept it' }] },
  ]);
  assert.equal(written.get('groq')?.get('kept')?.family, 'llama', 'what the import does not state stays');
  assert.deepEqual([...planImport(before, earlier, imported).file.keys()], ['groq', 'openai']);
  assert.equal(written.get('groq')?.get('kept')?.date, NEW.date);
});

test('what is written is read back, wins over what ships, and leaves no draft behind', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'headgate-catalog-'));
  t.after(() => rm(folder, { recursive: true }));
  const path = join(folder, 'catalog.json');
  const { file: written } = planImport(before, NONE, imported);
  await writeCatalog(path, before);
  await writeCatalog(path, written);
  assert.deepEqual(await readdir(folder), ['catalog.json']);
  const text = await readFile(path, 'utf8');
  assert.deepEqual(parseCatalog(text, path), written);
  assert.equal(loadCatalog([{ text, place: path }]).lookup('openai', 'fresh')?.price?.rates.input, 3_000_000n);
});

test('a write that fails leaves the old file and no draft', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'headgate-catalog-'));
  t.after(() => rm(folder, { recursive: true }));
  const path = join(folder, 'taken');
  await writeCatalog(join(folder, 'catalog.json'), before);
  await mkdir(join(path, 'full'), { recursive: true });
  await assert.rejects(writeCatalog(path, before));
  assert.deepEqual((await readdir(folder)).sort(), ['catalog.json', 'taken']);
});

test('an import that replaces speaks for its vendors wholly: what it does not have goes, and stays gone', () => {
  const { file: written, diff } = planImport(before, NONE, imported, true);
  assert.deepEqual(
    diff.removed.map(({ model }) => model),
    ['openai/gone'],
  );
  assert.equal(written.get('openai')?.get('gone')?.removed, true);
  const again = planImport(before, written, imported, true);
  assert.deepEqual(again.diff, { added: [], removed: [], changed: [] });
  const back = planImport(before, written, file({ openai: { gone: { name: 'Back', ...NEW } } }));
  assert.deepEqual(
    back.diff.added.map(({ model }) => model),
    ['openai/gone'],
  );
});

test('an older row adds what the newer does not state, and changes nothing that it does', () => {
  const older = { source: 'a list', date: '2020-01-01' };
  const row = { name: 'same', family: 'gpt', cost: { input: 9, output: 9 }, limit: { output: 5 }, ...older };
  const { file: written } = planImport(before, NONE, file({ openai: { same: row } }));
  assert.deepEqual(written.get('openai')?.get('same'), {
    name: 'Same',
    family: 'gpt',
    limit: { output: 5 },
    cost: { input: 1, output: 2 },
    ...OLD,
  });
});

test('a price that names fewer rates keeps the others where input and output cost what they did', () => {
  const shipped = file({ v: { m: { name: 'M', cost: { input: 1, output: 2, cache_read: 0.1 }, ...OLD } } });
  const plan = (cost: CatalogCost) =>
    planImport(shipped, NONE, file({ v: { m: { name: 'M', cost, ...NEW } } }))
      .file.get('v')
      ?.get('m')?.cost;
  assert.deepEqual(plan({ input: 1, output: 2, reasoning: 3 }), { input: 1, output: 2, cache_read: 0.1, reasoning: 3 });
  assert.deepEqual(plan({ input: 2, output: 2 }), { input: 2, output: 2 });
});
