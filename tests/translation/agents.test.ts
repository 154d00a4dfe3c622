import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { RecordedDialect } from '../../src/testing/recordings.ts';
import { DIALECTS, startTranslationLab } from '../support/dialects.ts';
import { type AgentClient, agentsAt, PROMPT, report } from './agents.ts';
import { received, type Step } from './received.ts';
import { scripted, type Turn } from './vendors.ts';

/** Agents as people build them run a loop of tools through the surface they speak, whatever the vendor speaks. */

/** The seals have letters that base64 has and base64url has not. */
const SCENES: Record<string, readonly Turn[]> = {
  'it thinks and speaks, and calls two tools at once': [
    {
      reasoning: { id: 'rs_vendor_1', text: 'Two cities: “Rome” and Oslo.', seal: 'gAAAAAB+/seal+of/the+vendor==' },
      text: 'Let me look.',
      calls: [call('call_1', 'Rome'), call('call_2', 'Oslo')],
      usage: { input: 20, output: 10 },
    },
    { text: 'It rains in both.', usage: { input: 40, output: 5 } },
  ],
  'it thinks twice, and calls without a word': [
    {
      reasoning: { id: 'rs_vendor_1', text: 'Rome first.', seal: 'gAAAAAB+/first==' },
      calls: [call('call_1', 'Rome')],
      usage: { input: 20, output: 10 },
    },
    {
      reasoning: { id: 'rs_vendor_2', text: 'Then Oslo.', seal: 'gAAAAAB+/second==' },
      calls: [call('call_2', 'Oslo')],
      usage: { input: 30, output: 10 },
    },
    { text: 'It rains in both.', usage: { input: 40, output: 5 } },
  ],
};

const lab = await startTranslationLab();
const { headgate, vendor } = lab;
after(() => lab[Symbol.asyncDispose]());

for (const [name, agent] of Object.entries(agentsAt(headgate.url, headgate.key))) {
  for (const [scene, turns] of Object.entries(SCENES)) {
    describe(`${name}: ${scene}`, () => {
      for (const spoken of DIALECTS) {
        for (const stream of [false, true]) {
          test(`${spoken}, ${stream ? 'streamed' : 'whole'}`, () => check(agent, turns, spoken, stream));
        }
      }
    });
  }
}

async function check(
  agent: AgentClient,
  turns: readonly Turn[],
  spoken: RecordedDialect,
  stream: boolean,
): Promise<void> {
  vendor.forget();
  vendor.plan(scripted(spoken, turns));
  const before = vendor.requests.length;
  const outcome = await agent.run(`${spoken}/m`, stream);
  assert.equal(outcome.text, 'It rains in both.');
  assert.deepEqual(outcome.asked, ['Rome', 'Oslo']);
  if (!(stream && agent.countsGuesses)) assert.deepEqual(outcome.usage, sumOf(turns));
  const requests = vendor.requests.slice(before);
  assert.deepEqual(
    requests.map((request) => request.stream),
    turns.map(() => stream),
  );
  const steps = turns.slice(0, -1).map((turn) => stepsOf(turn, agent, spoken));
  for (const [index, request] of requests.entries()) {
    assert.deepEqual(received(spoken, request), [{ kind: 'user', text: PROMPT }, ...steps.slice(0, index).flat()]);
  }
}

/** A turn as the vendor must receive it behind it: results under the ids of their calls, and nothing empty. */
function stepsOf({ reasoning, text, calls = [] }: Turn, agent: AgentClient, spoken: RecordedDialect): Step[] {
  return [
    ...(reasoning === undefined ? [] : thoughtBack(reasoning, agent, spoken)),
    ...textBack(text, agent, spoken),
    ...calls.map((call): Step => ({ kind: 'call', ...call })),
    ...calls.map(({ id, input }): Step => ({ kind: 'result', id, text: report(String(input.city)) })),
  ];
}

/** A vendor gets its own reasoning back with its proof, byte for byte, or none at all. */
function thoughtBack(
  { id, text, seal }: NonNullable<Turn['reasoning']>,
  { keepsSeals, keepsThoughts }: AgentClient,
  spoken: RecordedDialect,
): Step[] {
  if (keepsThoughts && spoken === 'openai-chat') return [{ kind: 'reasoning', text, seal: null }];
  if (!keepsSeals) return [];
  return [{ kind: 'reasoning', text, seal, ...(spoken === 'openai-responses' && { id }) }];
}

/** In its own dialect a caller's bytes pass, whatever it sends. */
function textBack(text: string | undefined, { saysNothing }: AgentClient, spoken: RecordedDialect): Step[] {
  if (text !== undefined) return [{ kind: 'text', text }];
  return saysNothing && spoken === 'openai-chat' ? [{ kind: 'text', text: '' }] : [];
}

function call(id: string, city: string) {
  return { id, name: 'weather', input: { city } };
}

function sumOf(turns: readonly Turn[]): Turn['usage'] {
  const sum = (name: 'input' | 'output') => turns.reduce((total, { usage }) => total + usage[name], 0);
  return { input: sum('input'), output: sum('output') };
}
