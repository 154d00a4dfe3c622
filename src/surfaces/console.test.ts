import assert from 'node:assert/strict';
import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import fastify from 'fastify';
import type { PublicAddress } from '../core/people.ts';
import { temporaryFolder } from '../store/fixtures.test.ts';
import { ConsolePages } from './console.ts';

const BROWSER = { accept: 'text/html' };

test('where the console is not built, browsers are told how; once it is, they are given it, and then what is built anew', async (t) => {
  const { ask, build } = setUp(t);
  const unbuilt = await ask('/usage');
  assert.equal(unbuilt.statusCode, 200);
  assert.match(unbuilt.body, /npm start/);
  assert.equal(unbuilt.headers['cache-control'], 'no-store');
  assert.equal((await ask('/assets/one.js')).body, unbuilt.body, 'nothing else is there yet');

  build('one');
  assert.equal((await ask('/usage')).body, 'one');
  assert.equal((await ask('/assets/one.js')).body, 'script one');
  build('two');
  assert.equal((await ask('/')).body, 'two');
  assert.equal((await ask('/assets/two.js')).body, 'script two');
  assert.equal((await ask('/assets/one.js')).body, 'two', 'what is gone is a page like any address');
});

test('tools, other methods and the API’s paths are not for the console', async (t) => {
  const { app, build } = setUp(t);
  build('one');
  const refused = [
    { method: 'GET', url: '/usage', headers: { accept: '*/*' } },
    { method: 'POST', url: '/usage', headers: BROWSER },
    { method: 'GET', url: '/v1/usage', headers: BROWSER },
    { method: 'GET', url: '/index.html', headers: { accept: '*/*' } },
  ] as const;
  for (const request of refused) assert.equal((await app.inject(request)).statusCode, 404, request.url);
});

test('a page at a numeric address of this machine leads to localhost, where people can sign in', async (t) => {
  const at = { origin: 'http://localhost:8080', host: 'localhost' };
  const { app, build } = setUp(t, at);
  build('one');
  const asked = async (host: string, url = '/usage?x=1', accept = 'text/html') => {
    const { statusCode, headers } = await app.inject({ method: 'GET', url, headers: { host, accept } });
    return [statusCode, headers.location ?? null];
  };
  const there = [307, 'http://localhost:8080/usage?x=1'];
  assert.deepEqual(await asked('127.0.0.1:8080'), there);
  assert.deepEqual(await asked('[::1]:8080'), there);
  for (const host of ['localhost:8080', '127.0.0.1:9000', 'gate.example.com', '127.0.0.1:8080.example.com'])
    assert.deepEqual(await asked(host), [200, null], host);
  assert.deepEqual(await asked('127.0.0.1:8080', '/assets/one.js'), [200, null]);
  assert.deepEqual(await asked('127.0.0.1:8080', '/usage', '*/*'), [404, null]);
  const elsewhere = setUp(t, { origin: 'https://gate.example.com', host: 'gate.example.com' });
  elsewhere.build('one');
  const { statusCode } = await elsewhere.app.inject({ url: '/', headers: { ...BROWSER, host: '127.0.0.1:8080' } });
  assert.equal(statusCode, 200);
});

/** `build` writes a console that is newer than the previous one. */
function setUp(t: TestContext, address: PublicAddress | null = null) {
  const folder = temporaryFolder(t);
  const pages = new ConsolePages(folder, () => address);
  const app = fastify();
  t.after(() => app.close());
  app.all('*', (request, reply) => {
    if (!pages.answer(request, reply)) reply.code(404).send();
    return reply;
  });
  let builds = 0;
  function build(text: string): void {
    builds += 1;
    rmSync(join(folder, 'assets'), { recursive: true, force: true });
    mkdirSync(join(folder, 'assets'));
    writeFileSync(join(folder, 'assets', `${text}.js`), `script ${text}`);
    writeFileSync(join(folder, 'index.html'), text);
    utimesSync(join(folder, 'index.html'), builds, builds);
  }
  return { app, build, ask: (url: string) => app.inject({ method: 'GET', url, headers: BROWSER }) };
}
