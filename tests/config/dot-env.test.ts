import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { type HeadgateOptions, runHeadgate, startHeadgate } from '../support/headgate.ts';
import { chat } from './ask.ts';

/** A configuration in a folder of its own, with this `.env` beside it. */
async function makePlace(config: string, dotEnv: string) {
  const folder = await mkdtemp(join(tmpdir(), 'headgate-env-'));
  const file = join(folder, 'headgate.yaml');
  await writeFile(file, config);
  await writeFile(join(folder, '.env'), dotEnv);
  return {
    options: (env: Record<string, string> = {}): HeadgateOptions => ({ env: { HEADGATE_CONFIG: file, ...env } }),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

for (const workers of ['1', '2']) {
  test(`what .env beside the configuration says is used by a gateway of ${workers} process(es)`, async () => {
    await using vendor = await startFakeProvider();
    const config = `providers: { lab: { base_url: "${vendor.url}", api_key: "\${LAB_KEY}", models: [small] } }\n`;
    await using place = await makePlace(config, '# vendors\nLAB_KEY="sk-of-the-file"\n');
    await using gateway = await startHeadgate({ ...place.options(), args: ['--workers', workers] });
    assert.equal((await chat(gateway, 'small')).status, 200);
    assert.equal(vendor.requests.at(-1)?.headers.authorization, 'Bearer sk-of-the-file');
  });
}

test('the environment goes before .env, and one that is too large is refused in a sentence', async () => {
  await using place = await makePlace('providers: { openai: {} }\n', 'OPENAI_API_KEY=sk-1\nHEADGATE_LOG_LEVEL=bogus\n');
  const wrong = await runHeadgate(['config', 'check'], place.options());
  assert.equal(wrong.code, 1);
  assert.match(wrong.stderr, /HEADGATE_LOG_LEVEL/);
  const right = await runHeadgate(['config', 'check'], place.options({ HEADGATE_LOG_LEVEL: 'info' }));
  assert.deepEqual([right.code, right.stdout.includes('is off')], [0, false], right.stderr);
  const emptied = await runHeadgate(['config', 'check'], place.options({ HEADGATE_LOG_LEVEL: '', OPENAI_API_KEY: '' }));
  assert.match(emptied.stdout, /Provider openai is off: OPENAI_API_KEY is not set/);

  await using large = await makePlace('{}\n', `# ${'x'.repeat(1024 * 1024)}\n`);
  const refused = await runHeadgate(['config', 'check'], large.options());
  assert.deepEqual([refused.code, /\.env is larger than 1024 KB\.\n$/.test(refused.stderr)], [1, true], refused.stderr);
});
