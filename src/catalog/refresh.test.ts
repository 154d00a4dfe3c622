import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { listen } from '../testing/listen.ts';
import { download } from '../upstream/download.ts';
import { parseCatalog } from './catalog-file.ts';
import { CatalogRefresh, type CatalogRefreshParts } from './refresh.ts';

const folder = await mkdtemp(join(tmpdir(), 'headgate-refresh-'));
after(() => rm(folder, { recursive: true }));

/** A models.dev list of one model with this price. */
function listAt(input: number): string {
  return JSON.stringify({ openai: { models: { sol: { name: 'Sol', cost: { input, output: 2 * input } } } } });
}

type Heard = { what: 'changed' | 'failed'; words: string };

/** Collects the reports in order. */
function makeRefresh(path: string) {
  const waiting: ((heard: Heard) => void)[] = [];
  const told: Heard[] = [];
  const tell = (heard: Heard) => {
    const next = waiting.shift();
    if (next === undefined) told.push(heard);
    else next(heard);
  };
  const parts: CatalogRefreshParts = {
    files: () => ({
      shipped: new Map(),
      imported: existsSync(path) ? parseCatalog(readFileSync(path, 'utf8'), path) : new Map(),
      path,
    }),
    download,
    onChange: ({ added, changed }) => tell({ what: 'changed', words: `${added.length} ${changed.length}` }),
    onError: (error) => tell({ what: 'failed', words: String(error) }),
  };
  const heard = async () => told.shift() ?? new Promise<Heard>((resolve) => waiting.push(resolve));
  return { refresh: new CatalogRefresh(parts), heard };
}

function priceAt(path: string): unknown {
  return parseCatalog(readFileSync(path, 'utf8'), path).get('openai')?.get('sol')?.cost?.input;
}

test('a list in a file is taken up at once, and again when it has changed; a bad one changes nothing', async () => {
  const [source, path] = [join(folder, 'list.json'), join(folder, 'catalog.json')];
  const { refresh, heard } = makeRefresh(path);
  writeFileSync(source, listAt(3));
  refresh.follow({ everyMs: 5, source });
  assert.deepEqual(await heard(), { what: 'changed', words: '1 0' });
  assert.equal(priceAt(path), 3);

  for (const [bad, why] of [
    ['{"openai":', /is not JSON/],
    ['{}', /has no models of a vendor that is known here/],
    ['[]', /has no models of a vendor that is known here/],
    ['{"nobody": {"models": {"a": {"name": "A"}}}}', /has no models of a vendor that is known here/],
  ] as const) {
    writeFileSync(source, bad);
    let last = await heard();
    // A round may have read the file while it was being written.
    while (!why.test(last.words)) last = await heard();
    assert.equal(last.what, 'failed');
    assert.equal(priceAt(path), 3);
  }
  await rm(source);
  let last = await heard();
  while (!/ENOENT/.test(last.words)) last = await heard();
  writeFileSync(source, listAt(4));
  while (last.what !== 'changed') last = await heard();
  assert.equal(last.words, '0 1');
  assert.equal(priceAt(path), 4);
  refresh.stop();
});

test('a list at an address is read; one that is refused is told, and one that never ends is let go at a stop', async () => {
  let isRefusing = false;
  const left = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    if (request.url === '/endless') {
      response.writeHead(200).write('{');
      response.once('close', left.resolve);
    } else if (isRefusing) response.writeHead(503).end();
    else response.end(listAt(7));
  });
  const port = await listen(server, 0);
  const path = join(folder, 'from-address.json');
  const { refresh, heard } = makeRefresh(path);
  refresh.follow({ everyMs: 5, source: `http://127.0.0.1:${port}/list` });
  assert.equal((await heard()).what, 'changed');
  assert.equal(priceAt(path), 7);
  isRefusing = true;
  assert.match((await heard()).words, /\/list answered 503/);
  const arrived = new Promise((resolve) => server.once('request', resolve));
  refresh.follow({ everyMs: 5, source: `http://127.0.0.1:${port}/endless` });
  await arrived;
  refresh.stop();
  await left.promise;
  server.close();
});

test('who follows nothing asks nobody', () => {
  const { refresh } = makeRefresh(join(folder, 'none.json'));
  refresh.follow(null);
  refresh.stop();
  assert.equal(existsSync(join(folder, 'none.json')), false);
});
