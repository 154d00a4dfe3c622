import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { answer as normal } from '../../src/testing/answers.ts';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { insert } from '../../src/testing/reply.ts';
import { ask } from '../http/client.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Runs `npm start` in a process group of its own, with a model whose answers the test holds. */
async function startNpm(t: TestContext) {
  const vendor = await startFakeProvider();
  t.after(() => vendor.close());
  const folder = mkdtempSync(join(tmpdir(), 'headgate-npm-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const config = join(folder, 'headgate.yaml');
  writeFileSync(config, `providers: { lab: { base_url: "${vendor.url}", api_key: lab-key, models: [small] } }`);
  const npm = spawn('npm', ['start'], {
    cwd: ROOT,
    env: {
      ...process.env,
      HEADGATE_CONFIG: config,
      HEADGATE_DATA: join(folder, 'data'),
      HEADGATE_PORT: '0',
      npm_command: undefined,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const lines: string[] = [];
  const output = createInterface({ input: npm.stdout });
  const { promise: shown, resolve: show } = Promise.withResolvers<{ url: string; key: string }>();
  output.on('line', (line) => {
    lines.push(line);
    const text = lines.join('\n');
    const url = /serves at (http:\/\/127\.0\.0\.1:\d+)/.exec(text)?.[1];
    const key = /hg_live_[0-9A-Za-z]{49}/.exec(text)?.[0];
    if (url !== undefined && key !== undefined) show({ url, key });
  });
  // The output ends once nobody can write to it any more.
  const closed = once(output, 'close').then(() => lines.join('\n'));
  return { npm, vendor, closed, ...(await shown) };
}

describe('a gateway that npm runs', { skip: process.platform === 'win32' }, () => {
  test('ends with npm', async (t) => {
    const { npm, closed } = await startNpm(t);
    npm.kill('SIGTERM');
    assert.match(await closed, /^SIGTERM: no new calls are accepted.*\nStopped\.$/m);
  });

  test('ends its open calls first, if a signal comes to npm and to itself', async (t) => {
    const { npm, closed, vendor, url, key } = await startNpm(t);
    vendor.plan(insert(normal(), 1, 'hold'));
    const body = { model: 'small', stream: true, messages: [{ role: 'user', content: 'Hello' }] };
    const calling = ask(`${url}/v1/chat/completions`, { key, body });
    await vendor.waitFor(({ heldCalls }) => heldCalls() === 1);
    process.kill(-npm.pid!, 'SIGTERM');
    await once(npm, 'exit');
    // Longer than the gateway takes to see that npm is gone.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    vendor.release();
    assert.match((await calling).text, /data: \[DONE\]/);
    assert.match(await closed, /^Stopped\.$/m);
  });
});
