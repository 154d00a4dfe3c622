import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { actor, newStage, type Stage, type Step, SUMMARY, sealOf } from '../agents/stage.ts';
import { DIALECTS } from '../support/dialects.ts';
import { startHeadgate } from '../support/headgate.ts';
import { type Ended, execute } from './execute.ts';
import { install } from './install.ts';
import { claudeCode, codex, type Program } from './programs.ts';

/**
 * Codex and Claude Code in a long session, through a route of two strict vendors: a tool of an MCP server, a picture that is read, a
 * vendor that fails in the middle and comes back, and a conversation that is compacted.
 */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const NOTES = fileURLToPath(new URL('notes-server.mjs', import.meta.url));
const LAST = 'All is done.';
const CITY = 'Rome';
const NOTE = 'look_up_the_note_that_somebody_wrote_about_the_weather_in_a_city';

type Agent = {
  program: Program;
  args(home: string, prompt: string): Promise<readonly string[]>;
  steps(work: string): readonly Step[];
  /** What it says before it ends where a prompt is too long, and how it is told to go on; without it, it goes on by itself. */
  ends?: { says: RegExp; goOn(args: readonly string[]): readonly string[] };
  env?: object;
};

const command = (words: string) => ({ command: words, description: 'Say something' });
const AGENTS: Readonly<Record<string, Agent>> = {
  'Claude Code': {
    program: claudeCode,
    env: { ANTHROPIC_DEFAULT_HAIKU_MODEL: 'coder' },
    async args(home, prompt) {
      const file = join(home, 'mcp.json');
      await writeFile(file, JSON.stringify({ mcpServers: { notes: { command: process.execPath, args: [NOTES] } } }));
      const tools = ['--allowedTools', 'Bash,Read,mcp__notes'];
      return ['-p', prompt, ...tools, '--mcp-config', file, '--strict-mcp-config', '--model', 'coder'];
    },
    steps: (work) => [
      // Tools of MCP servers are not declared before they were searched for.
      { tool: 'ToolSearch', input: { query: `select:mcp__notes__${NOTE}`, max_results: 1 } },
      { tool: 'look_up', input: { city: CITY } },
      { tool: 'Read', input: { file_path: join(work, 'pixel.png') }, text: 'Now the picture.' },
      { tool: 'Bash', input: command('echo third') },
      { tool: 'Bash', input: command('echo fourth'), tokens: 990_000 },
      { tool: 'Bash', input: command('echo fifth') },
      { text: LAST },
    ],
  },
  Codex: {
    program: codex,
    ends: {
      says: /ran out of room in the model's context window/,
      goOn: (args) => [...args, 'resume', '--last', 'Go on.'],
    },
    async args(_, prompt) {
      return [
        ...codex.task(prompt, 'coder').slice(0, -1),
        ...['-c', 'model_auto_compact_token_limit=100000'],
        ...['-c', `mcp_servers.notes.command=${JSON.stringify(process.execPath)}`],
        ...['-c', `mcp_servers.notes.args=${JSON.stringify([NOTES])}`],
        prompt,
      ];
    },
    steps: (work) => [
      { tool: 'exec_command', input: { cmd: 'echo first' } },
      { tool: 'look_up', input: { city: CITY } },
      { tool: 'view_image', input: { path: join(work, 'pixel.png') }, text: 'Now the picture.' },
      { tool: 'exec_command', input: { cmd: 'echo third' } },
      { tool: 'exec_command', input: { cmd: 'echo fourth' }, tokens: 990_000 },
      { tool: 'exec_command', input: { cmd: 'echo fifth' } },
      { text: LAST },
    ],
  },
};

const vendors = { a: await startFakeProvider(), b: await startFakeProvider() };
after(() => Promise.all([vendors.a.close(), vendors.b.close()]));
const commands = new Map([codex, claudeCode].map((program) => [program, install(program.package)]));

for (const [name, agent] of Object.entries(AGENTS)) {
  for (const [dialect, tooLongAt] of DIALECTS.flatMap((each) => [[each, null] as const, [each, 5] as const])) {
    const why = tooLongAt === null ? '' : ' that is told that its prompt is too long';
    test(`${name} has a session with vendors of ${dialect}${why}`, async () => {
      const home = await mkdtemp(join(tmpdir(), 'headgate-tools-'));
      const work = join(home, 'work');
      await mkdir(work);
      await writeFile(join(work, 'pixel.png'), Buffer.from(PIXEL, 'base64'));
      const steps = agent
        .steps(work)
        .map(({ tokens, ...step }) => ({ ...step, ...(tooLongAt === null && tokens && { tokens }) }));
      const stage = newStage({ steps, failsAt: { a: 3, b: 4 }, ...(tooLongAt !== null && { tooLongAt }) });
      for (const by of ['a', 'b'] as const) {
        vendors[by].forget();
        vendors[by].plan(actor(by, dialect, stage));
      }
      const provider = (by: 'a' | 'b') =>
        `  ${by}: { base_url: "${vendors[by].url}", api_key: sk-test, dialects: [${dialect}], only: [m]${dialect === 'openai-responses' ? ', preset: openai' : ''} }\n`;
      await using gateway = await startHeadgate({
        env: { HOME: home },
        config: `providers:\n${provider('a')}${provider('b')}routes: { coder: { targets: [a/m, b/m], strategy: [priority] } }\n`,
      });
      try {
        const { key } = await gateway.createKey('--source', 'developer_tool');
        const env = { ...(await agent.program.setUp({ url: gateway.url, key, home })), ...agent.env };
        const args = await agent.args(home, 'Read the note and the picture.');
        const run = (told: readonly string[]) => execute(commands.get(agent.program)!, told, { cwd: work, home, env });
        let ended = await run(args);
        if (tooLongAt !== null && agent.ends !== undefined) {
          assert.match(ended.stderr, agent.ends.says);
          ended = await run(agent.ends.goOn(args.slice(0, -1)));
        }
        check(stage, ended);
      } finally {
        await rm(home, { recursive: true, force: true });
      }
    });
  }
}

function check(stage: Stage, ended: Ended): void {
  assert.equal(ended.code, 0, ended.stderr);
  assert.match(ended.stdout, new RegExp(LAST));
  assert.deepEqual(stage.faults, []);
  assert.equal(stage.at, stage.steps.length);
  const of = (step: number) => stage.asked.filter((asked) => asked.step === step);
  assert.deepEqual(
    stage.steps.flatMap((_, step) => of(step).map(({ by }) => by)),
    ['a', 'a', 'a', 'b', 'a', 'a', 'a'],
  );
  const body = (step: number) => of(step)[0]!.request.body.toString();
  assert.match(body(2), new RegExp(`rain in ${CITY}`));
  assert.match(body(3), /iVBORw0KGgo|image\//, 'the picture came to the model');
  for (const step of [0, 1, 2])
    assert.ok(body(4).includes(sealOf('a', step)), `the proof of step ${step} came back to its maker`);
  assert.match(body(4), /third/);
  assert.ok(
    stage.asked.some(({ step }) => step === 'summary'),
    'the conversation was compacted',
  );
  assert.ok(
    stage.steps.some((_, step) => step > 4 && body(step).includes(SUMMARY)),
    'and went on from its summary',
  );
}
