import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { closedPort } from '../../src/testing/listen.ts';
import { runProcess } from '../../tests/support/process.ts';
import { OWNER, PASSWORD } from './seed.ts';

const DEV = fileURLToPath(new URL('dev.ts', import.meta.url));

test('npm run dev: a call, a sign-in at the console, and the end of all of it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'headgate-dev-'));
  const env = {
    ...{ PATH: process.env.PATH, HOME: folder, DEV_FOLDER: folder },
    ...{ DEV_PORT: String(await closedPort()), DEV_CONSOLE_PORT: String(await closedPort()) },
  };
  const dev = runProcess([DEV], folder, env);
  const site = `http://localhost:${env.DEV_CONSOLE_PORT}`;
  const post = (url: string, headers: Record<string, string>, body: object) =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  try {
    const key = /hg_live_\w+/.exec(await dev.waitForLine(/API key: hg_live_/))?.[0];
    const messages = [{ role: 'user', content: 'Hello' }];
    const chat = `http://127.0.0.1:${env.DEV_PORT}/v1/chat/completions`;
    const called = await post(chat, { authorization: `Bearer ${key}` }, { model: 'dev/route', messages });
    assert.equal(called.headers.get('service-provider'), 'fake', await called.text());

    assert.match(await (await fetch(site)).text(), /@vite\/client/);
    const signIn = { email: OWNER, password: PASSWORD };
    const signedIn = await post(`${site}/v1/auth/sign_in/password`, { origin: site }, signIn);
    assert.equal(signedIn.status, 200, await signedIn.text());
    const cookie = signedIn.headers.get('set-cookie')!.split(';')[0]!;
    const asked = async (path: string) => (await fetch(`${site}/v1${path}`, { headers: { cookie } })).json();
    const people = (await asked('/organization/users')) as { data: unknown[] };
    assert.equal(people.data.length, 2);
    const usage = (await asked('/usage/summary?by=key')) as { data: unknown[]; totals: { calls: number } };
    assert.deepEqual([usage.data.length, usage.totals.calls], [3, 41]);
  } finally {
    assert.equal(await dev.end('SIGTERM'), 0, dev.stderr());
    await rm(folder, { recursive: true, force: true });
  }
  for (const port of [env.DEV_PORT, env.DEV_CONSOLE_PORT]) await assert.rejects(fetch(`http://localhost:${port}/`));
});
