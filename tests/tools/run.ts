import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { type Running, startHeadgate } from '../support/headgate.ts';
import { execute } from './execute.ts';
import { install } from './install.ts';
import { actOut, DIALECTS, type ScriptedDialect } from './model.ts';
import { CONTENT, FILE, TASKS, type Task } from './programs.ts';
import { CALL_ID, INPUT_TOKENS, OUTPUT_TOKENS, SEAL } from './script.ts';

/**
 * `npm run test:tools`: Codex and Claude Code, unmodified and set up as docs/connect.md says or by `headgate connect`, each do
 * a small task through a gateway with a scripted model behind it, in every dialect. Installs the programs on the first run, and ends with 1
 * where it cannot. They reach nothing but the gateway.
 */
const REASONING = 'A command does it.';
const TEXT = 'The file is written.';
const MODELS = ['coder', 'gpt-5.5', 'claude-sonnet-5', 'claude-haiku-4-5'];

const vendor = await startFakeProvider();
after(() => vendor.close());
const programs = new Map(TASKS.map(({ program }) => [program, install(program.package)]));

for (const dialect of Object.keys(DIALECTS) as ScriptedDialect[]) {
  for (const task of TASKS) test(`${task.does} with a model of ${dialect}`, () => perform(task, dialect, byHand));
}
for (const task of TASKS) test(`${task.does}, connected`, () => perform(task, 'anthropic-messages', byCommand));

/** Gives what the program is to find in its environment. */
type SetUp = (task: Task, gateway: Running, home: string) => Promise<Record<string, string>>;

async function byHand({ program }: Task, gateway: Running, home: string): Promise<Record<string, string>> {
  const { key } = await gateway.createKey('--source', 'developer_tool');
  return program.setUp({ url: gateway.url, key, home });
}

async function byCommand({ program, model }: Task, gateway: Running): Promise<Record<string, string>> {
  const { code, stderr } = await gateway.command(
    'connect',
    program.tool,
    '--write',
    '--url',
    gateway.url,
    '--model',
    model,
  );
  assert.equal(code, 0, stderr);
  return {};
}

async function perform(task: Task, dialect: ScriptedDialect, setUp: SetUp): Promise<void> {
  const { program, model, call } = task;
  vendor.forget();
  vendor.plan(actOut({ reasoning: REASONING, call, text: TEXT }, dialect));
  const earlier = vendor.requests.length;
  const home = await mkdtemp(join(tmpdir(), 'headgate-tools-'));
  await using gateway = await startHeadgate({
    env: { HOME: home },
    config: `providers: { scripted: { base_url: "${vendor.url}", dialects: [${dialect}], only: [${MODELS.join(', ')}] } }\n`,
  });
  try {
    const work = join(home, 'work');
    await mkdir(work);
    const env = await setUp(task, gateway, home);
    const ended = await execute(programs.get(program)!, program.task(`Write hello into ${FILE}.`, model), {
      cwd: work,
      home,
      env,
    });
    assert.equal(ended.code, 0, ended.stderr);
    assert.match(ended.stdout, new RegExp(TEXT));
    assert.equal(await readFile(join(work, FILE), 'utf8'), CONTENT);

    const requests = vendor.requests.slice(earlier);
    assert.deepEqual([...new Set(requests.map(({ path }) => path))], [DIALECTS[dialect].path]);
    const last = requests.find(({ body }) => body.includes(`"${CALL_ID}"`));
    assert(last !== undefined, 'the result of the tool came to the model');
    // Chat has no place for a proof of reasoning, and so none to give.
    if (dialect !== 'openai-chat') assert(last.body.includes(SEAL), 'so did the proof of what it thought before');

    const { data } = await gateway.usage();
    assert.equal(data.length, requests.length);
    for (const { source, status, usage_source, input_tokens, output_tokens } of data) {
      assert.deepEqual(
        [source, status, usage_source, input_tokens, output_tokens],
        ['developer_tool', 'succeeded', 'provider', INPUT_TOKENS, OUTPUT_TOKENS],
      );
    }
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}
