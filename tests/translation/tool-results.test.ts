import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { field } from '../../src/testing/json.ts';
import type { RecordedDialect } from '../../src/testing/recordings.ts';
import { DIALECTS, PATHS, startTranslationLab } from '../support/dialects.ts';
import { scripted } from './vendors.ts';

/** Conversations in which a call of a tool has no result behind it, and instructions that hold an image. */
const lab = await startTranslationLab();
after(() => lab[Symbol.asyncDispose]());

type Wire = Readonly<Record<string, unknown>>;
const PIXEL = 'data:image/png;base64,iVBORw0KGgo=';

async function ask(surface: RecordedDialect, spoken: RecordedDialect, body: object) {
  lab.vendor.forget();
  lab.vendor.plan(scripted(spoken, [{ text: 'Fine.', usage: { input: 5, output: 2 } }]));
  const response = await fetch(`${lab.headgate.url}${PATHS[surface]}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${lab.headgate.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: `${spoken}/m`, ...body }),
  });
  assert.equal(response.status, 200, await response.text());
  return { sent: lab.vendor.requests.at(-1)!.json as Wire, dropped: response.headers.get('service-dropped') };
}

/** Two calls, of which the first has a result that comes behind the user's next words, and the second none. */
const call = (id: string) => ({ id, type: 'function', function: { name: 'look', arguments: '{}' } });
const item = (call_id: string) => ({ type: 'function_call', call_id, name: 'look', arguments: '{}' });
const use = (id: string) => ({ type: 'tool_use', id, name: 'look', input: {} });
const HISTORIES: Record<RecordedDialect, object> = {
  'openai-chat': {
    messages: [
      { role: 'user', content: 'Look.' },
      { role: 'assistant', content: null, tool_calls: [call('call_1'), call('call_2')] },
      { role: 'user', content: 'Well?' },
      { role: 'tool', tool_call_id: 'call_1', content: 'Seen.' },
    ],
  },
  'openai-responses': {
    input: [
      { role: 'user', content: 'Look.' },
      item('call_1'),
      item('call_2'),
      { role: 'user', content: 'Well?' },
      { type: 'function_call_output', call_id: 'call_1', output: 'Seen.' },
    ],
  },
  'anthropic-messages': {
    max_tokens: 99,
    messages: [
      { role: 'user', content: 'Look.' },
      { role: 'assistant', content: [use('call_1'), use('call_2')] },
      { role: 'user', content: 'Well?' },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'Seen.' }] },
    ],
  },
};

/** What each vendor is sent behind the calls: the results by the ids of their calls. */
const RESULTS: Record<RecordedDialect, (sent: Wire) => unknown[]> = {
  'openai-chat': ({ messages }) =>
    (messages as Wire[]).slice(2, 4).map((each) => [each.role, each.tool_call_id, each.content]),
  'openai-responses': ({ input }) => (input as Wire[]).slice(3, 5).map((each) => ['tool', each.call_id, each.output]),
  'anthropic-messages': ({ messages }) =>
    (field((messages as Wire[])[2], 'content') as Wire[])
      .slice(0, 2)
      .map((each) => ['tool', each.tool_use_id, each.content]),
};

for (const surface of DIALECTS) {
  for (const spoken of DIALECTS.filter((each) => each !== surface)) {
    test(`${surface} to ${spoken}: every call has its result, and one that was not run says so`, async () => {
      const { sent, dropped } = await ask(surface, spoken, HISTORIES[surface]);
      const results = RESULTS[spoken](sent).toSorted();
      assert.deepEqual(results, [
        ['tool', 'call_1', 'Seen.'],
        ['tool', 'call_2', 'The tool was not run.'],
      ]);
      assert.equal(JSON.stringify(sent).split('"Seen."').length, 2);
      assert.equal(dropped, 'tool_result');
    });
  }
}

test('the calls at the end of a conversation have results, too, and calls with results are told nothing', async () => {
  const [question, calling] = (HISTORIES['openai-chat'] as { messages: object[] }).messages as [object, object];
  const ended = await ask('openai-chat', 'anthropic-messages', { messages: [question, calling] });
  assert.equal(JSON.stringify(ended.sent).split('The tool was not run.').length, 3);
  const results = ['call_1', 'call_2'].map((id) => ({ role: 'tool', tool_call_id: id, content: 'Seen.' }));
  const whole = await ask('openai-chat', 'anthropic-messages', { messages: [question, calling, ...results] });
  assert.equal(whole.dropped, null);
});

describe('an image in the developer’s instructions goes to the vendor in a turn of the user behind them', () => {
  const chat = [
    { type: 'text', text: 'Copy this style.' },
    { type: 'image_url', image_url: { url: PIXEL } },
  ];
  const items = [
    { type: 'input_text', text: 'Copy this style.' },
    { type: 'input_image', image_url: PIXEL },
  ];
  for (const role of ['developer', 'system']) {
    const turn = { role: 'user', content: 'Go.' };
    const bodies = {
      'openai-responses': { input: [{ role, content: items }, turn] },
      'openai-chat': { messages: [{ role, content: chat }, turn] },
    };
    for (const [surface, spoken] of [
      ['openai-responses', 'openai-chat'],
      ['openai-responses', 'anthropic-messages'],
      ['openai-chat', 'openai-responses'],
      ['openai-chat', 'anthropic-messages'],
    ] as const) {
      test(`${role}, ${surface} to ${spoken}`, async () => {
        const { sent, dropped } = await ask(surface, spoken, bodies[surface]);
        const turns = (sent.messages ?? sent.input) as Wire[];
        const holding = turns.findIndex((turn) => JSON.stringify(turn).includes('iVBORw0KGgo'));
        assert.equal(turns[holding]?.role, 'user');
        const text = JSON.stringify(sent);
        assert.ok(text.indexOf('Copy this style.') >= 0 && text.includes('Go.'), text);
        assert.equal(dropped, null);
      });
    }
  }
});
