import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCatalog, shippedCatalogText } from './catalog.ts';
import { formatCatalog, parseCatalog } from './catalog-file.ts';

const text = shippedCatalogText();
const shipped = loadCatalog([{ text, place: 'shipped' }]);

/** A catalog file with one vendor. */
function fileOf(vendor: string, models: object): { text: string; place: string } {
  return { text: JSON.stringify({ vendors: { [vendor]: models } }), place: 'test.json' };
}

const STAMP = { source: 'test', date: '2026-01-01' };

test('at least 300 models of 20 vendors ship, and every entry has a source and a date', () => {
  assert.ok(shipped.vendors.length >= 20);
  assert.ok(shipped.vendors.flatMap((vendor) => shipped.modelsOf(vendor)).length >= 300);
  const priced = shipped.vendors.flatMap((vendor) => shipped.modelsOf(vendor)).filter(({ price }) => price !== null);
  assert.ok(priced.length >= 300);
  for (const rows of parseCatalog(text, 'shipped').values()) {
    for (const { source, date } of rows.values()) {
      assert.match(
        source,
        /^(models\.dev|litellm 1\.109\.1(: https:\/\/.*)?|https:\/\/.*|second-hand of https:\/\/.*)$/,
      );
      assert.match(date, /^\d{4}-\d\d-\d\d$/);
    }
  }
});

test('what ships is as the importer writes it, with one model a line and the notice of its source', () => {
  assert.equal(formatCatalog(parseCatalog(text, 'shipped')), text);
  assert.match(text.slice(0, 2000), /MIT License\. Copyright \(c\) 2025 models\.dev.*Copyright \(c\) 2023 Berri AI/);
  assert.match(text, /^"gpt-4o-mini": \{.*\},?$/m);
});

test('known prices, to the pico-dollar', () => {
  const rates = (vendor: string, model: string) => shipped.lookup(vendor, model)?.price?.rates;
  assert.deepEqual(rates('openai', 'gpt-4o-mini'), { input: 150_000n, output: 600_000n, cache_read: 75_000n });
  assert.deepEqual(rates('anthropic', 'claude-opus-4-8'), {
    input: 5_000_000n,
    output: 25_000_000n,
    cache_read: 500_000n,
    cache_write: 6_250_000n,
    cache_write_1h: 10_000_000n,
  });
  assert.deepEqual(rates('gemini', 'gemini-2.5-flash'), {
    input: 300_000n,
    output: 2_500_000n,
    cache_read: 30_000n,
    reasoning: 2_500_000n,
    audio_input: 1_000_000n,
  });
  assert.deepEqual(rates('openai', 'text-embedding-3-small'), { input: 20_000n, output: 0n });
  assert.deepEqual(rates('alibaba', 'qwen-plus'), { input: 400_000n, output: 1_200_000n, reasoning: 4_000_000n });
});

test('the newest models have their prices, windows and abilities', () => {
  const newest: readonly [
    vendor: string,
    model: string,
    window: number,
    input: bigint,
    output: bigint,
    read: bigint,
  ][] = [
    ['anthropic', 'claude-fable-5-2', 1_000_000, 8_000_000n, 40_000_000n, 200_000n],
    ['anthropic', 'claude-mythos-5-2', 1_000_000, 8_000_000n, 40_000_000n, 200_000n],
    ['openai', 'gpt-6.2-astra', 1_050_000, 8_000_000n, 40_000_000n, 400_000n],
    ['openai', 'gpt-6.2-sol', 1_050_000, 2_000_000n, 10_000_000n, 100_000n],
    ['gemini', 'gemini-4-neon', 1_048_576, 3_000_000n, 15_000_000n, 150_000n],
    ['gemini', 'gemini-4-hydrogen', 1_048_576, 1_500_000n, 7_500_000n, 75_000n],
  ];
  for (const [vendor, name, window, input, output, read] of newest) {
    const model = shipped.lookup(vendor, name);
    assert.ok(model, name);
    assert.equal(model.contextWindow, window, name);
    assert.equal(model.capabilities?.reasoning, true, name);
    const { rates } = model.price!;
    assert.deepEqual([rates.input, rates.output, rates.cache_read], [input, output, read], name);
  }
});

test('a call of a tool costs what the list says, however many decimals that has', () => {
  const per_call = { web_search: 0.0333333333333, fetch: 0.1 + 0.2, map: 1e-9, most: 1000 };
  const lab = fileOf('lab', { m: { name: 'M', cost: { input: 1, output: 2, per_call }, ...STAMP } });
  assert.deepEqual(loadCatalog([lab]).lookup('lab', 'm')?.price?.tools, {
    web_search: 33_333_333_333n,
    fetch: 300_000_000_000n,
    map: 1_000n,
    most: 1_000_000_000_000_000n,
  });
});

test('a tier replaces the rates above its length of prompt', () => {
  assert.deepEqual(shipped.lookup('openai', 'gpt-5.4')?.price?.tiers, [
    { abovePromptTokens: 272_000, rates: { input: 5_000_000n, output: 22_500_000n, cache_read: 500_000n } },
  ]);
});

test('a price with a part that cannot be billed is not known', () => {
  const model = shipped.lookup('perplexity', 'sonar-deep-research');
  assert.equal(model?.name, 'Perplexity Sonar Deep Research');
  assert.equal(model?.price, null);
});

test('embedding models have a length and no output, and what is not served is not there', () => {
  const small = shipped.lookup('openai', 'text-embedding-3-small');
  assert.deepEqual(small?.dialects, ['openai-embeddings']);
  assert.equal(small?.dimensions, 1536);
  assert.equal(small?.maxOutputTokens, null);
  assert.equal(shipped.lookup('openai', 'gpt-image-1'), undefined);
  assert.equal(shipped.lookup('groq', 'whisper-large-v3'), undefined);
  assert.equal(shipped.lookup('nobody', 'gpt-4o'), undefined);
  assert.deepEqual(shipped.modelsOf('nobody'), []);
});

test('a later file speaks for its models, and for no other; of two rows the newer one holds', () => {
  const mine = fileOf('openai', { 'gpt-9': { name: 'GPT-9', cost: { input: 1, output: 2 }, ...STAMP } });
  const catalog = loadCatalog([{ text, place: 'shipped' }, mine]);
  assert.deepEqual(catalog.lookup('openai', 'gpt-9')?.price, {
    rates: { input: 1_000_000n, output: 2_000_000n },
    tiers: [],
    services: {},
    ...STAMP,
  });
  assert.ok(catalog.lookup('openai', 'gpt-4o') !== undefined && catalog.modelsOf('groq').length > 0);
  const older = fileOf('openai', { 'gpt-4o': { name: 'Old', source: 'test', date: '2020-01-01' } });
  const newer = fileOf('openai', { 'gpt-4o': { name: 'New', source: 'test', date: '2099-01-01' } });
  const files = [{ text, place: 'shipped' }, newer, older];
  assert.equal(loadCatalog(files).lookup('openai', 'gpt-4o')?.name, 'New');
  const gone = fileOf('openai', { 'gpt-4o': { name: 'gpt-4o', removed: true, source: 'test', date: '2099-01-01' } });
  assert.equal(loadCatalog([{ text, place: 'shipped' }, gone]).lookup('openai', 'gpt-4o'), undefined);
});

test('a price that cannot be read is no price', () => {
  for (const cost of [
    { input: -1, output: 1 },
    { input: '1', output: 1 },
    { input: 1, output: 1e9 },
    { input: 1, output: 1, tiers: [{ input: 2 }] },
    'free',
  ]) {
    const catalog = loadCatalog([fileOf('lab', { m: { cost, ...STAMP } })]);
    assert.equal(catalog.lookup('lab', 'm')?.price, null, JSON.stringify(cost));
  }
});

test('a file that is no catalog is refused by its name', () => {
  assert.throws(() => parseCatalog('{', 'a.json'), /a\.json is not JSON/);
  assert.throws(() => parseCatalog('{}', 'a.json'), /a\.json is not a catalog/);
  assert.throws(() => parseCatalog('{"vendors":{"x":[]}}', 'a.json'), /a\.json: x is not an object of models/);
  assert.throws(
    () => parseCatalog('{"vendors":{"x":{"m":{"name":"M"}}}}', 'a.json'),
    /x\/m is not a model with a `source`/,
  );
});

test('a vendor or model named like a part of JavaScript is a name like any other', () => {
  const odd = { text: '{"vendors":{"__proto__":{"constructor":{"source":"s","date":"d"}}}}', place: 'odd.json' };
  assert.equal(loadCatalog([odd]).lookup('__proto__', 'constructor')?.name, 'constructor');
  assert.equal(shipped.lookup('constructor', 'name'), undefined);
});
