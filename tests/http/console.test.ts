import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { startHeadgate } from '../support/headgate.ts';
import { connectRaw, requestBytes } from '../support/raw-http.ts';

const BUILT = fileURLToPath(new URL('../../console/dist/assets', import.meta.url));
const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

test('browsers are given the console at every address that is not the API’s, and tools what they got before', async () => {
  await using headgate = await startHeadgate({ config: 'echo: true' });
  for (const path of ['/', '/usage?by=model', '/settings/keys', '/no/such/page', '/welcome']) {
    const answer = await fetch(headgate.url + path, { headers: BROWSER });
    assert.equal(answer.status, 200, path);
    assert.match(answer.headers.get('content-type') ?? '', /^text\/html/);
    assert.match(
      answer.headers.get('content-security-policy') ?? '',
      /default-src 'none'; script-src 'self'; style-src 'self'/,
    );
    assert.match(await answer.text(), /<div id="root">/, path);
  }
  const hello = await fetch(headgate.url);
  assert.equal(((await hello.json()) as { object: string }).object, 'gateway');
  for (const path of ['/v1/nothing', '/v1']) {
    const refused = await fetch(headgate.url + path, { headers: BROWSER });
    assert.equal(refused.status, 404, path);
    assert.match(refused.headers.get('content-type') ?? '', /^application\/json/, path);
  }
  assert.equal((await fetch(`${headgate.url}/usage`)).status, 404);
  assert.equal((await fetch(`${headgate.url}/usage`, { method: 'POST', headers: BROWSER })).status, 404);
  const head = await fetch(`${headgate.url}/usage`, { method: 'HEAD', headers: BROWSER });
  assert.equal(head.status, 200);
  assert.equal(await head.text(), '');
});

test('files of the console are compressed beforehand and kept for good, and nothing beside them is given out', async () => {
  await using headgate = await startHeadgate({ config: 'echo: true' });
  const script = readdirSync(BUILT).find((name) => /^index-.*\.js$/.test(name));
  const raw = async (path: string, encoding: string) => {
    using client = await connectRaw(headgate.url);
    await client.send(requestBytes('GET', path, { 'accept-encoding': encoding }));
    return await client.answer();
  };
  const plain = await raw(`/assets/${script}`, 'identity');
  const text = plain.body().toString();
  assert.match(plain.header('cache-control') ?? '', /immutable/);
  const brotli = await raw(`/assets/${script}`, 'gzip, br');
  assert.equal(brotli.header('content-encoding'), 'br');
  assert.equal(brotliDecompressSync(brotli.body()).toString(), text);
  const gzip = await raw(`/assets/${script}`, 'gzip');
  assert.equal(gunzipSync(gzip.body()).toString(), text);
  const licenses = await raw('/licenses.txt', 'br');
  assert.match(licenses.header('content-type') ?? '', /^text\/plain/);
  assert.match(brotliDecompressSync(licenses.body()).toString(), /## react - .*MIT[\s\S]*Permission is hereby granted/);
  const beside = [
    '/../package.json',
    '/assets/../../package.json',
    '/assets/%2e%2e/%2e%2e/package.json',
    '/index.html.br',
    '//etc/passwd',
  ];
  for (const path of beside) assert.equal((await raw(path, 'identity')).status, 404, path);
});

test('the first page needs less than 200 kB, compressed', () => {
  const page = readFileSync(join(BUILT, '..', 'index.html'), 'utf8');
  const names = [...page.matchAll(/\/assets\/([^"]+)/g)].map(([, name]) => `${name}.br`);
  assert.ok(names.length >= 2, page);
  const bytes = names.map((name) => statSync(join(BUILT, name)).size).reduce((one, other) => one + other);
  assert.ok(bytes < 200_000, `${bytes} bytes`);
});

test('without the console, browsers get what tools get', async () => {
  await using headgate = await startHeadgate({ config: 'server: { console: false }' });
  const { headers } = await fetch(headgate.url, { headers: BROWSER });
  assert.match(headers.get('content-type') ?? '', /^application\/json/);
  assert.equal((await fetch(`${headgate.url}/usage`, { headers: BROWSER })).status, 404);
  assert.match(await (await fetch(`${headgate.url}/welcome`, { headers: BROWSER })).text(), /opens a link/);
});
