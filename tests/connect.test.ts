import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { DEFAULT_TEXT } from '../src/testing/answers.ts';
import { startFakeProvider } from '../src/testing/fake-provider.ts';
import { blocksFor, PAGE } from './support/connect.ts';
import { startHeadgate } from './support/headgate.ts';
import { runProcess } from './support/process.ts';

/** The blocks of docs/connect.md. Those of Python are run by tests/python, those of Codex and Claude Code by tests/tools. */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MODEL = /\b(?:gpt-\d[\d.]*\d|claude-[a-z]+-\d[\d-]*)/g;

const models = [...new Set(PAGE.match(MODEL))];
const vendor = await startFakeProvider();
const gateway = await startHeadgate({
  config: `providers: { lab: { base_url: "${vendor.url}", dialects: [openai-chat], only: [${models.join(', ')}] } }\n`,
});
after(async () => {
  await gateway[Symbol.asyncDispose]();
  await vendor.close();
});
const blocks = blocksFor(gateway.url);

test('docs/connect.md names models that the catalog knows', () => {
  const catalog = readFileSync(fileURLToPath(new URL('../src/catalog/catalog.json', import.meta.url)), 'utf8');
  const unknown = models.filter((model) => !catalog.includes(`"${model}"`));
  assert.deepEqual(unknown, []);
  assert(models.length > 1);
});

test('docs/connect.md makes a key for developer tools by a command that works', async () => {
  const command = blocks.find(({ text }) => text.startsWith('npx headgate '));
  const words = command?.text.trim().split(/\s+/).slice(2) ?? [];
  const { code, stdout, stderr } = await gateway.command(...words, '--json');
  assert.equal(code, 0, stderr);
  assert.equal((JSON.parse(stdout) as { source: string }).source, 'developer_tool');
});

for (const [index, { heading, text }] of blocks.filter(({ language }) => language === 'js').entries()) {
  test(`block ${index + 1} of JavaScript in docs/connect.md works: ${heading}`, async () => {
    const args = ['--input-type=module', '--eval', text];
    const program = runProcess(args, ROOT, { PATH: process.env.PATH, HEADGATE_API_KEY: gateway.key });
    assert.equal(await program.ended, 0, program.stderr());
    assert.equal(program.stdout(), `${DEFAULT_TEXT}\n`);
  });
}
