import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parse, parseDocument } from 'yaml';
import { type FakeProvider, startFakeProvider } from '../src/testing/fake-provider.ts';
import { DIALECTS, PATHS } from './support/dialects.ts';
import { type Running, startHeadgate } from './support/headgate.ts';
import { scripted } from './translation/vendors.ts';

const FOLDER = fileURLToPath(new URL('../examples', import.meta.url));
const KEY_VARIABLE = /\b[A-Z]+_(?:API_)?KEY(?:_[A-Z]+)?\b/g;
const run = promisify(execFile);
const usage = { input: 1000, output: 100 };

let vendor: FakeProvider;
before(async () => {
  vendor = await startFakeProvider();
});
after(() => vendor.close());

/** Answers in every dialect: with a call of the tool that it is offered, and once that has a result, or there is none, with a text. */
function planAnswers() {
  vendor.forget();
  for (const dialect of DIALECTS) {
    vendor.plan(
      (request) => {
        const wantsTool = request.body.includes('"stock"') && !request.body.includes('call_1');
        const calls = [{ id: 'call_1', name: 'stock', input: { article: 'red kettle' } }];
        const turn = wantsTool ? { calls, usage } : { text: 'Three are left.', usage };
        return scripted(dialect, [turn])(request);
      },
      { path: PATHS[dialect] },
    );
  }
}

/** A gateway with an example of a configuration: its variables are set as its head says, and all its vendors are the fake one. */
async function start(name: string): Promise<Running> {
  planAnswers();
  const text = readFileSync(join(FOLDER, `${name}.yaml`), 'utf8');
  const head = text.slice(0, text.indexOf('\n\n'));
  const config = parseDocument(text);
  for (const id of Object.keys(parse(text).providers)) config.setIn(['providers', id, 'base_url'], vendor.url);
  const env = Object.fromEntries((head.match(KEY_VARIABLE) ?? []).map((variable) => [variable, `key-of-${variable}`]));
  return startHeadgate({ config: config.toString(), env });
}

type Asked = { status: number; model: string | null; cost: string | null; text: string };

/** One call of a model, for an answer or for an embedding as its name says. */
async function call({ url, key }: Pick<Running, 'url' | 'key'>, model: string): Promise<Asked> {
  const isEmbedding = model.includes('embedding');
  const response = await fetch(`${url}/v1/${isEmbedding ? 'embeddings' : 'chat/completions'}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model,
      ...(isEmbedding ? { input: 'Hello' } : { messages: [{ role: 'user', content: 'Hello' }] }),
    }),
  });
  const { headers, status } = response;
  const [served, cost] = [headers.get('service-model'), headers.get('service-cost-usd')];
  return { status, model: served, cost, text: await response.text() };
}

/** What a program of the examples prints. */
async function output(gateway: Running, command: string, file: string): Promise<string> {
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    HEADGATE_URL: gateway.url,
    HEADGATE_API_KEY: gateway.key,
  };
  const { stdout } = await run(command, [join(FOLDER, file)], { env });
  return stdout;
}

const names = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => file.replace('.yaml', ''));

/** What is to be seen of some of them beside that all their names answer. */
const FURTHER: Readonly<Record<string, (gateway: Running) => Promise<void>>> = {
  'one-vendor': async (gateway) => {
    const streamed = await output(gateway, process.execPath, 'stream.mjs');
    assert.match(streamed, /^Three are left\.\n\ngpt-5\.4-mini at openai: 1000 \+ 100 tokens, \$0\.00\d+\n$/);
    await reported(gateway);
  },
  'smart-route': async (gateway) => {
    for (const model of ['gpt-6-luna', 'mistral-small-latest']) vendor.plan('rate-limited', { model });
    assert.equal((await call(gateway, 'acme/cheap')).model, 'claude-haiku-4-5');
  },
  teams: teamsAreApart,
  'local-and-hosted': async (gateway) => {
    const told = await output(gateway, process.execPath, 'tool.mjs');
    assert.equal(told, '(stock of red kettle: 3)\nThree are left.\n');
    assert.equal(vendor.requests.at(-1)?.model, 'meta-llama/Llama-3.3-70B-Instruct');
    for (const model of ['meta-llama/Llama-3.3-70B-Instruct', 'qwen3:8b']) vendor.plan('rate-limited', { model });
    assert.equal((await call(gateway, 'local/first')).model, 'gpt-5.4-mini');
    const hosted = () => vendor.requests.filter(({ model }) => model === 'gpt-5.4-mini').length;
    const before = hosted();
    assert.notEqual((await call(gateway, 'local/only')).status, 200);
    assert.equal(hosted(), before, 'no call leaves the house');
  },
  'several-keys': async (gateway) => {
    const keyOf = () => vendor.requests.at(-1)?.headers.authorization;
    await call(gateway, 'acme/batch');
    assert.equal(keyOf(), 'Bearer key-of-OPENAI_KEY_BATCH');
    await call(gateway, 'default');
    assert.match(keyOf() ?? '', /^Bearer key-of-OPENAI_KEY_(MAIN|SECOND)$/);
  },
};

async function reported(gateway: Running) {
  if (spawnSync('python3', ['--version']).status !== 0) return;
  const report = await output(gateway, 'python3', 'usage_report.py');
  const [title, ...lines] = report.trimEnd().split('\n');
  assert.match(title ?? '', /^KEY +MODEL +CALLS +TOKENS +COST +BEFORE$/);
  assert.match(lines.join('\n'), /gpt-5\.4-mini +2 +2200 +\$0\.00\d+ +\$0/);
  assert.match(lines.at(-1) ?? '', /^all +4 /);
}

/** Runs the commands that the head of the example shows, and calls with their keys. */
async function teamsAreApart(gateway: Running) {
  const commands = [...readFileSync(join(FOLDER, 'teams.yaml'), 'utf8').matchAll(/^# +npx headgate (.+)$/gm)];
  const results = [];
  for (const [, command] of commands) results.push(await gateway.command(...command!.split(/ +/), '--json'));
  for (const { code, stderr } of results) assert.equal(code, 0, stderr);
  const [support, research] = results.map(({ json }) => ({ url: gateway.url, key: (json as { key: string }).key }));
  assert.equal((await call(support!, 'support/answers')).status, 200);
  assert.equal((await call(support!, 'research/deep')).status, 403);
  assert.equal((await call(research!, 'research/deep')).status, 200);
}

describe('examples of configurations', () => {
  test('there are five', () => assert.equal(names.length, 5));

  for (const name of names) {
    test(`${name}.yaml: every name in it answers, at a known cost`, async () => {
      await using gateway = await start(name);
      const { aliases = {}, routes = {} } = parse(readFileSync(join(FOLDER, `${name}.yaml`), 'utf8'));
      for (const model of [...Object.keys(aliases), ...Object.keys(routes)]) {
        const { status, cost, text } = await call(gateway, model);
        assert.equal(status, 200, `${model}: ${text}`);
        assert.ok(cost !== null, `${model} has a cost`);
      }
      assert.doesNotMatch(gateway.stdout(), / is off|leads nowhere|until now/);
      await FURTHER[name]?.(gateway);
    });
  }
});
