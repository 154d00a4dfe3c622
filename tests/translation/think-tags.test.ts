import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { RecordedDialect } from '../../src/testing/recordings.ts';
import { DIALECTS, PATHS, startTranslationLab, type TranslationLab } from '../support/dialects.ts';
import { scripted } from './vendors.ts';

/** A model that writes its thinking into its text, and one beside it of which nobody says so. */
const TEXT = '<think>\nTwo towns.</think>\n\nIt rains.';
const ASKED: Record<RecordedDialect, object> = {
  'openai-chat': { messages: [{ role: 'user', content: 'Weather?' }] },
  'openai-responses': { input: 'Weather?', store: false },
  'anthropic-messages': { messages: [{ role: 'user', content: 'Weather?' }], max_tokens: 99 },
};

/** What a caller reads as reasoning and as text, of all deltas or of the whole answer. */
const READ: Record<RecordedDialect, (json: never) => { reasoning: string; text: string }> = {
  'openai-chat': ({ choices }: { choices: { delta?: ChatWords; message?: ChatWords }[] }) => {
    const words = choices[0]?.delta ?? choices[0]?.message;
    return { reasoning: words?.reasoning_content ?? '', text: words?.content ?? '' };
  },
  'openai-responses': (event: { type?: string; delta?: string; output?: OutputItem[] }) => {
    const of = (name: string) =>
      event.type?.includes(name) && event.type.endsWith('.delta') ? (event.delta ?? '') : '';
    const items = event.output ?? [];
    return {
      reasoning:
        of('reasoning') +
        items
          .flatMap(({ summary, content }) => (summary ? [...summary, ...(content ?? [])] : []))
          .map(({ text }) => text)
          .join(''),
      text:
        of('output_text') +
        items
          .flatMap(({ summary, content }) => (summary ? [] : (content ?? [])))
          .map(({ text }) => text)
          .join(''),
    };
  },
  'anthropic-messages': ({ delta, content = [] }: { delta?: Block; content?: Block[] }) => {
    const blocks = [...(delta ? [delta] : []), ...content];
    return {
      reasoning: blocks.map(({ thinking = '' }) => thinking).join(''),
      text: blocks.map(({ text = '' }) => text).join(''),
    };
  },
};
type ChatWords = { reasoning_content?: string; content?: string };
type OutputItem = { summary?: { text: string }[]; content?: { text: string }[] };
type Block = { thinking?: string; text?: string };

describe('thinking in the text', () => {
  let lab: TranslationLab;
  before(async () => {
    lab = await startTranslationLab(
      '',
      (id) => `${id}-r: { base_url: "URL", dialects: [${id}], only: [{ id: m, think_tags: true }] }`,
    );
  });
  after(() => lab[Symbol.asyncDispose]());

  async function ask(surface: RecordedDialect, model: string, stream: boolean) {
    const response = await fetch(`${lab.headgate.url}${PATHS[surface]}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${lab.headgate.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, ...ASKED[surface], stream }),
    });
    const body = await response.text();
    assert.equal(response.status, 200, body);
    const lines = stream ? body.split('\n').flatMap((line) => /^data: (\{.*)/.exec(line)?.[1] ?? []) : [body];
    const read = lines.map((line) => READ[surface](JSON.parse(line) as never));
    return { reasoning: read.map((each) => each.reasoning).join(''), text: read.map((each) => each.text).join('') };
  }

  for (const spoken of DIALECTS) {
    for (const surface of DIALECTS) {
      for (const stream of [false, true]) {
        test(`${surface} of ${spoken}, ${stream ? 'streamed' : 'whole'}: is reasoning`, async () => {
          lab.vendor.forget();
          lab.vendor.plan(scripted(spoken, [{ text: TEXT, usage: { input: 5, output: 9 } }]));
          assert.deepEqual(await ask(surface, `${spoken}-r/m`, stream), {
            reasoning: '\nTwo towns.',
            text: 'It rains.',
          });
        });
      }
    }
  }

  test('a model of which nobody says so keeps its text', async () => {
    lab.vendor.forget();
    lab.vendor.plan(scripted('openai-chat', [{ text: TEXT, usage: { input: 5, output: 9 } }]));
    assert.deepEqual(await ask('openai-chat', 'openai-chat/m', false), { reasoning: '', text: TEXT });
  });
});
