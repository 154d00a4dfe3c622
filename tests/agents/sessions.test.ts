import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { field } from '../../src/testing/json.ts';
import type { RecordedDialect } from '../../src/testing/recordings.ts';
import { ask } from '../http/client.ts';
import { DIALECTS } from '../support/dialects.ts';
import { type Running, startHeadgate } from '../support/headgate.ts';
import { type Agent, claudeCode, codex, type Outcome } from './clients.ts';
import { actor, newStage, type Stage, type Step, SUMMARY, sealOf } from './stage.ts';
import { STRICT_VENDORS } from './vendor-rules.ts';

/**
 * Coding agents have a whole session through a route of two strict vendors: a tool of an MCP server, a picture that is read, a vendor
 * that fails in the middle and comes back, a prompt that gets too long and is compacted, a stream that breaks.
 */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const PATCH = '*** Begin Patch\n*** End Patch\n';
const AGENTS = { 'Claude Code': claudeCode, Codex: codex } as const;
type AgentName = keyof typeof AGENTS;

function stepsOf(name: AgentName, dialect: RecordedDialect): readonly Step[] {
  const isCodex = name === 'Codex';
  const command = isCodex ? { tool: 'exec_command', input: { cmd: 'ls' } } : { tool: 'Bash', input: { command: 'ls' } };
  // To vendors without custom tools a patch is a function of one string.
  const patch = isCodex && dialect !== 'openai-responses' ? { tool: 'apply_patch', input: { input: PATCH } } : command;
  return [
    { tool: 'look_up', input: { city: 'Rome' } },
    { tool: isCodex ? 'view_image' : 'Read', input: { path: 'pixel.png' }, text: 'Now the picture.' },
    command,
    patch,
    command,
    { text: 'All is done.' },
  ];
}

const vendors = { a: await startFakeProvider(), b: await startFakeProvider() };
after(() => Promise.all([vendors.a.close(), vendors.b.close()]));

/** Tools that pass are changed for vendors that are known to refuse them. */
const PRESETS: Readonly<Record<string, string>> = {
  'openai-responses': ', preset: openai',
  'anthropic-messages': ', preset: anthropic',
};

function config(server: string, key = 'one'): string {
  const provider = (by: 'a' | 'b', dialect: string) =>
    `  ${by}-${dialect}: { base_url: "${vendors[by].url}", api_keys: [{ name: ${key}, key: sk-${by}-${key} }], dialects: [${dialect}], only: [m]${PRESETS[dialect] ?? ''} }\n`;
  const strict = (by: 'a' | 'b', vendor: string) =>
    provider(by, 'openai-chat')
      .replace(`${by}-openai-chat`, `${by}-${vendor}`)
      .replace(', only', `, preset: ${vendor}, only`);
  const route = (id: string) => `  ${id}: { targets: [a-${id}/m, b-${id}/m], strategy: [priority] }\n`;
  return [
    `server: { ${server} }\nlimits: { requests_per_minute: 1000000, tokens_per_minute: 1000000000 }\n`,
    `providers:\n${DIALECTS.map((id) => provider('a', id) + provider('b', id)).join('')}`,
    ...STRICT_VENDORS.map((id) => strict('a', id) + strict('b', id)),
    `routes:\n${[...DIALECTS, ...STRICT_VENDORS].map(route).join('')}`,
  ].join('');
}

function stageFor(dialect: RecordedDialect, stage: Stage): Stage {
  for (const by of ['a', 'b'] as const) {
    vendors[by].forget();
    vendors[by].plan(actor(by, dialect, stage));
  }
  return stage;
}

type Turn = {
  status: number;
  dropped: readonly string[];
  calls: readonly { name: string; input: string }[];
  text: string;
};

type Play = {
  gateway: Running;
  agent: Agent;
  stage: Stage;
  model: string;
  stream: boolean;
  /** Done before the call of each turn. */
  between?: (turn: number) => Promise<void>;
};

/** Plays the agent to its last word. */
async function play({ gateway, agent, stage, model, stream, between }: Play) {
  const call = (body: object) =>
    ask(`${gateway.url}${agent.path}`, { key: gateway.key, headers: agent.headers, body: { ...body, model, stream } });
  const read = ({ text, json }: Awaited<ReturnType<typeof call>>) =>
    agent.said(stream ? text : (json as Record<string, unknown>));
  let turns = agent.begin('Read the note and the picture.');
  let before: string | null = null;
  let compactions = 0;
  let breaks = 0;
  const history: Turn[] = [];
  for (let turn = 0; turn < stage.steps.length + 3; turn += 1) {
    await between?.(turn);
    const answer = await call(agent.body(turns, before));
    if (agent.isTooLong(answer.status, answer.json)) {
      const summary = await call(agent.summarize(turns));
      assert.equal(summary.status, 200, summary.text);
      turns = agent.begin(`The conversation so far: ${read(summary).text}`);
      compactions += 1;
      continue;
    }
    assert.equal(answer.status, 200, answer.text);
    if (stream && agent.broke(answer.text)) {
      breaks += 1;
      continue;
    }
    const said = read(answer);
    before = said.id;
    const dropped = answer.headers.get('service-dropped')?.split(', ') ?? [];
    history.push({ status: answer.status, dropped, calls: said.calls, text: said.text });
    if (said.calls.length === 0) return { history, compactions, breaks };
    turns = [...turns, ...said.items, ...agent.results(said, outcomeOf)];
  }
  throw new Error(`no last word: ${JSON.stringify(history)}`);
}

function outcomeOf(tool: string): Outcome {
  if (tool.endsWith('Read') || tool.endsWith('view_image')) return { image: PIXEL };
  return { text: tool.includes('look_up') ? 'Rain in Rome.' : `${tool} did it.` };
}

const SERVERS = [
  'workers: 1, http_layer: fast',
  'workers: 4, http_layer: fast',
  'workers: 1, http_layer: node',
  'workers: 4, http_layer: node',
];

for (const server of SERVERS) {
  describe(server, () => {
    let gateway: Running;
    before(async () => {
      gateway = await startHeadgate({ config: config(server) });
    });
    after(() => gateway[Symbol.asyncDispose]());

    for (const name of Object.keys(AGENTS) as AgentName[]) {
      for (const dialect of DIALECTS) {
        for (const stream of [true, false]) {
          test(`${name} with vendors of ${dialect}, ${stream ? 'streamed' : 'whole'}`, async () => {
            const steps = stepsOf(name, dialect);
            const stage = stageFor(dialect, newStage({ steps, failsAt: { a: 2, b: 3 }, tooLongAt: 4, breaksAt: 5 }));
            const { history, compactions, breaks } = await play({
              gateway,
              agent: AGENTS[name],
              stage,
              model: dialect,
              stream,
            });
            assert.deepEqual(stage.faults, []);
            assert.deepEqual([compactions, breaks], [1, stream ? 1 : 0]);
            checkCalls(name, history, steps);
            checkVendors(stage, dialect, history);
          });
        }
      }
    }
  });
}

/** The agent was called with its own tools, by their own names, and nothing of what they were called with was lost. */
function checkCalls(name: AgentName, history: readonly Turn[], steps: readonly Step[]): void {
  assert.equal(history.at(-1)?.text, 'All is done.');
  assert.equal(history[1]?.text, 'Now the picture.');
  const prefix = name === 'Codex' ? 'mcp__notes' : 'mcp__notes__';
  const called = history.slice(0, -1).map(({ calls }) => calls[0]!);
  assert.equal(called[0]?.name, `${prefix}look_up_the_note_that_somebody_wrote_about_the_weather_in_a_city`);
  for (const [index, { tool, input }] of steps.slice(0, -1).entries()) {
    if (tool === 'apply_patch')
      assert.deepEqual([called[index]?.name, called[index]?.input], ['custom apply_patch', PATCH]);
    else assert.deepEqual(JSON.parse(called[index]!.input), input);
  }
}

function bodyOf(stage: Stage, step: number): string {
  return stage.asked.find((asked) => asked.step === step)!.request.body.toString();
}

/** Each vendor was asked in its turn, and got its own proofs of reasoning and no others. */
function checkVendors(stage: Stage, dialect: RecordedDialect, history: readonly Turn[]): void {
  const by = (step: number) => stage.asked.find((asked) => asked.step === step)?.by;
  assert.deepEqual([0, 1, 2, 3].map(by), ['a', 'a', 'b', 'a']);
  assert.match(bodyOf(stage, 1), /Rain in Rome/);
  assert.ok(bodyOf(stage, 2).includes(PIXEL), 'the picture reaches whoever goes on');
  const back = bodyOf(stage, 3);
  for (const step of [0, 1]) {
    assert.ok(
      back.includes(JSON.stringify(sealOf('a', step))),
      `the proof of step ${step} comes back to its maker: ${back}`,
    );
  }
  for (const step of [2, 3]) assert.ok(history[step]?.dropped.includes('seal'), `${history[step]?.dropped}`);
  assert.ok(bodyOf(stage, 4).includes(SUMMARY));
  assert.ok(dialect !== 'openai-chat' || [0, 1, 2, 3].every((step) => hasOneSystem(bodyOf(stage, step))));
}

function hasOneSystem(body: string): boolean {
  const { messages } = JSON.parse(body) as { messages: { role: string }[] };
  return messages.filter(({ role }) => role === 'system').length === 1;
}

describe('vendors of chat with rules of their own', () => {
  let gateway: Running;
  before(async () => {
    gateway = await startHeadgate({ config: config('workers: 1') });
  });
  after(() => gateway[Symbol.asyncDispose]());

  for (const vendor of STRICT_VENDORS) {
    for (const name of Object.keys(AGENTS) as AgentName[]) {
      for (const stream of [true, false]) {
        test(`${name} with ${vendor}, ${stream ? 'streamed' : 'whole'}`, async () => {
          const steps = stepsOf(name, 'openai-chat');
          const stage = stageFor(
            'openai-chat',
            newStage({ steps, failsAt: { a: 2, b: 3 }, tooLongAt: 4, breaksAt: 5, rulesOf: vendor }),
          );
          const { history, compactions } = await play({ gateway, agent: AGENTS[name], stage, model: vendor, stream });
          assert.deepEqual(stage.faults, []);
          assert.equal(compactions, 1);
          checkCalls(name, history, steps);
          checkVendors(stage, 'openai-chat', history);
        });
      }
    }
  }
});

describe('a credential that changes in the middle of a session', () => {
  const server = 'workers: 1';
  let gateway: Running;
  before(async () => {
    gateway = await startHeadgate({ config: config(server) });
  });
  after(() => gateway[Symbol.asyncDispose]());

  for (const name of Object.keys(AGENTS) as AgentName[]) {
    for (const dialect of DIALECTS) {
      test(`${name} with vendors of ${dialect}`, async () => {
        const stage = stageFor(dialect, newStage({ steps: stepsOf(name, dialect) }));
        const { history } = await play({
          gateway,
          agent: AGENTS[name],
          stage,
          model: dialect,
          stream: true,
          async between(turn) {
            if (turn === 3)
              assert.match(
                await gateway.reload(config(server, `${name === 'Codex' ? 'two' : 'three'}-${dialect}`)),
                /reloaded|Reloaded/,
              );
          },
        });
        assert.equal(history.at(-1)?.text, 'All is done.');
        const later = bodyOf(stage, 3);
        const kept = [0, 1, 2].map((step) => later.includes(JSON.stringify(sealOf('a', step))));
        // Proofs in responses hold for one account alone.
        const isBound = dialect === 'openai-responses';
        assert.deepEqual(
          kept,
          kept.map(() => !isBound),
        );
        assert.equal(history[3]?.dropped.includes('seal'), isBound);
        assert.ok(bodyOf(stage, 5).includes(JSON.stringify(sealOf('a', 4))), 'the new one has its own back');
      });
    }
  }
});

test('Claude Code counts the tokens of its session, and asks aside for a title', async () => {
  await using gateway = await startHeadgate({ config: config('workers: 1') });
  for (const dialect of DIALECTS) {
    const stage = stageFor(dialect, newStage({ steps: [{ text: 'Yes.' }] }));
    const { stream: _, max_tokens: __, diagnostics: ___, ...counted } = claudeCode.body(claudeCode.begin('Hi'), null);
    const sent = { key: gateway.key, headers: claudeCode.headers };
    const count = await ask(`${gateway.url}/v1/messages/count_tokens?beta=true`, {
      ...sent,
      body: { ...counted, model: dialect },
    });
    assert.equal(count.status, 200, count.text);
    assert.ok(Number(field(count.json, 'input_tokens')) > 0, count.text);
    const title = {
      model: dialect,
      max_tokens: 32_000,
      stream: true,
      system: [{ type: 'text', text: 'Give it a title.' }],
      tools: [],
    };
    const aside = await ask(`${gateway.url}${claudeCode.path}`, {
      ...sent,
      body: { ...title, messages: claudeCode.begin('Hi').slice(0, 1) },
    });
    assert.match(claudeCode.said(aside.text).text, /A small task/);
    assert.deepEqual(
      stage.asked.map(({ step }) => step),
      ['aside'],
    );
  }
});
