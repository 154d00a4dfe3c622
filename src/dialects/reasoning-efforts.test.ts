import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Losses } from '../core/losses.ts';
import type { DialectId } from '../core/provider.ts';
import { EVERYWHERE } from '../providers/thinking.ts';
import { DIALECTS } from './built.ts';
import { caseWriteOptions } from './contract/cases.ts';
import { effortFor, effortOf } from './reasoning-efforts.ts';

const ASKED = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];

/** What is written for each of those, by the models' names. */
const WRITTEN: readonly [string, string][] = [
  ['o1 o1-pro o3 openai/o3-mini o4-mini o4-mini-2025-04-16', 'low low low medium high high high'],
  ['gpt-5 gpt-5-mini gpt-5-nano-2025-08-07 GPT-5 openai/gpt-5:free', 'minimal minimal low medium high high high'],
  ['gpt-5-codex gpt-5.1-codex gpt-5.1-codex-mini', 'low low low medium high high high'],
  ['gpt-5-pro gpt-5-pro-2025-10-06', 'high high high high high high high'],
  ['gpt-5.1 gpt-5.1-2025-11-13 azure/openai/gpt-5.1', 'none low low medium high high high'],
  ['gpt-5.1-codex-max gpt-5.2-codex gpt-5.3-codex-spark', 'low low low medium high xhigh xhigh'],
  ['gpt-5.1-chat-latest gpt-5.2-chat', 'medium medium medium medium medium medium medium'],
  ['gpt-5.2-pro gpt-5.4-pro-2026-03-05', 'medium medium medium medium high xhigh xhigh'],
  ['gpt-5.2 gpt-5.4-mini gpt-5.5', 'none low low medium high xhigh xhigh'],
  ['gpt-5.6 gpt-5.6-sol-2026-07-09', 'none low low medium high xhigh max'],
  [
    'gpt-6-astra gpt-6.1-sol-2026-09-29 openai.gpt-6-rosalind gpt-6.2-astra gpt-6.2-sol',
    'low low low medium high xhigh max',
  ],
  ['gpt-6-sol gpt-6-luna openai/gpt-6.1-terra', 'none low low medium high xhigh max'],
  ['gpt-oss-120b openai/gpt-oss-20b', 'low low low medium high high high'],
  // Not known, though some look alike: a deployment, other vendors' models, models that do not reason.
  ['m my-gpt-5 gpt-50 gpt-5o gpt-5.x gpt-6 gpt-4o solar-o3 o3x o5', ASKED.join(' ')],
];

for (const [names, written] of WRITTEN) {
  test(`efforts of ${names}: the nearest that is taken, told where it is another`, () => {
    for (const name of names.split(' ')) {
      const wanted = written.split(' ').map((effort, at) => [effort, effort !== ASKED[at]]);
      const found = ASKED.map((asked) => {
        const losses = new Losses();
        return [effortFor(name, asked, { thinking: EVERYWHERE }, losses), losses.names.includes('reasoning_effort')];
      });
      assert.deepEqual(found, wanted, name);
    }
  });
}

test('a word that is no effort is left to the vendor', () => {
  const losses = new Losses();
  assert.deepEqual([effortFor('gpt-5', 'odd', { thinking: EVERYWHERE }, losses), losses.names], ['odd', []]);
});

test('a thinking budget counts as an effort', () => {
  assert.deepEqual(
    [1, 4999, 5000, 9999, 10_000].map((budgetTokens) => effortOf({ budgetTokens })),
    ['low', 'low', 'medium', 'medium', 'high'],
  );
  assert.equal(effortOf({ budgetTokens: 1, effort: 'high' }), 'high');
  assert.equal(effortOf({}), undefined);
});

const THINKING = { disabled: 'none', between_tools: 'minimal' };

for (const [id, path] of [
  ['openai-chat', 'reasoning_effort'],
  ['openai-responses', 'reasoning.effort'],
] as const) {
  test(`messages to ${id}: thinking that is turned off is asked for in a word that the model takes`, () => {
    const found = (['disabled', 'between_tools'] as const).flatMap((type) =>
      ['gpt-5-mini', 'o4-mini', 'gpt-5.1', 'm'].map((model) => written(id, path, type, model)),
    );
    const lost = ['reasoning_effort'];
    assert.deepEqual(found, [
      ['minimal', lost],
      ['low', lost],
      [THINKING.disabled, []],
      [THINKING.disabled, []],
      [THINKING.between_tools, []],
      ['low', lost],
      ['low', lost],
      [THINKING.between_tools, []],
    ]);
  });

  test(`${id}: what a caller of this format wrote passes`, () => {
    const dialect = dialectOf(id);
    const [outer = '', inner] = path.split('.');
    const effort = inner === undefined ? 'none' : { [inner]: 'none' };
    const sent = {
      model: 'o3',
      messages: [{ role: 'user', content: 'Hi' }],
      input: 'Hi',
      store: false,
      [outer]: effort,
    };
    const envelope = readEnvelope(id, sent);
    const { body, dropped } = dialect.outbound.passCall(envelope, caseWriteOptions({ upstreamModel: 'o3' }));
    assert.deepEqual((JSON.parse(body.toString()) as Record<string, unknown>)[outer], effort);
    assert.deepEqual(dropped, []);
  });
}

/** The effort that is written of a caller's `thinking`, and what is told as lost. */
function written(id: DialectId, path: string, type: string, upstreamModel: string) {
  const sent = { model: 'a', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }], thinking: { type } };
  const call = dialectOf('anthropic-messages').translation!.readCall(readEnvelope('anthropic-messages', sent));
  const { body, dropped } = dialectOf(id).translation!.writeCall(
    call,
    caseWriteOptions({ upstreamModel, quirks: { thinking: EVERYWHERE } }),
  );
  const effort = path
    .split('.')
    .reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], JSON.parse(body.toString()));
  return [effort, dropped];
}

function readEnvelope(id: DialectId, sent: object) {
  const limits = { maxJsonDepth: 9, maxEmbeddingInputs: 1 };
  return dialectOf(id).inbound.readEnvelope(Buffer.from(JSON.stringify(sent)), limits);
}

function dialectOf(id: DialectId) {
  return DIALECTS.find((dialect) => dialect.id === id)!;
}
