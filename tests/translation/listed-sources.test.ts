import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { frame, jsonReply, streamReply } from '../../src/testing/reply.ts';
import { startTranslationLab } from '../support/dialects.ts';

/** Sources that vendors of chat list beside their words, whole and in any piece of a stream. */
const lab = await startTranslationLab();
after(() => lab[Symbol.asyncDispose]());

const URL = 'https://a.invalid/rain';
const HEAD = { id: 'c', object: 'chat.completion', created: 1, model: 'm' };
const USAGE = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 };
const PLACES = {
  '/v1/messages': { max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] },
  '/v1/responses': { input: 'Hi', store: false },
};

async function told(path: keyof typeof PLACES, stream: boolean, words: object, beside: object) {
  const choice = (word: 'message' | 'delta', said: object, finish_reason: string | null) => ({
    choices: [{ index: 0, [word]: said, finish_reason }],
  });
  const pieces = [
    { ...HEAD, ...choice('delta', { role: 'assistant', content: 'It ' }, null) },
    { ...HEAD, ...choice('delta', words, null) },
    { ...HEAD, ...choice('delta', { content: 'rains.' }, null) },
    { ...HEAD, ...choice('delta', words, 'stop'), ...beside },
    { ...HEAD, choices: [], usage: USAGE },
  ];
  lab.vendor.forget();
  lab.vendor.plan(() =>
    stream
      ? streamReply([...pieces.map(frame), frame('[DONE]')])
      : jsonReply(200, {
          ...HEAD,
          ...choice('message', { content: 'It rains.', ...words }, 'stop'),
          ...beside,
          usage: USAGE,
        }),
  );
  const response = await fetch(`${lab.headgate.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${lab.headgate.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'openai-chat/m', stream, ...PLACES[path] }),
  });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  const [record] = (await lab.headgate.usage({ limit: '1' })).data;
  const json = await (
    await fetch(`${lab.headgate.url}/v1/usage/${record?.id}`, {
      headers: { authorization: `Bearer ${lab.headgate.key}` },
    })
  ).json();
  return { text, dropped: (json as { dropped: string[] }).dropped };
}

const PAGE = { url: URL, title: 'Rain', content: 'It rains.', filepath: null };
const OTHER = { start: 0, end: 2, text: 'It', sources: [{ type: 'document', id: 'd1' }] };
const LISTED: readonly [string, object, object, string[]][] = [
  ['pages of Azure', { context: { citations: [PAGE] } }, {}, [URL]],
  ['pages of LiteLLM', { provider_specific_fields: { citations: [[PAGE], [PAGE]] } }, {}, [URL]],
  ['what has no address', { citations: [OTHER] }, {}, []],
  ['pages and others, beside the choices', {}, { citations: [URL], search_results: [OTHER, PAGE] }, [URL]],
  ['nothing', { context: {}, provider_specific_fields: { citations: null } }, { citations: [] }, []],
];

for (const [what, words, beside, pages] of LISTED) {
  for (const stream of [false, true]) {
    test(`${what}, ${stream ? 'streamed' : 'whole'}`, async () => {
      const lost = JSON.stringify([words, beside]).includes('"start"') ? ['citations'] : [];
      for (const path of Object.keys(PLACES) as (keyof typeof PLACES)[]) {
        const { text, dropped } = await told(path, stream, words, beside);
        assert.deepEqual([...new Set(text.match(/https:\/\/a\.invalid\/rain/g))], pages, text);
        assert.deepEqual(
          dropped.filter((name) => name === 'citations'),
          lost,
          `${path} ${dropped}`,
        );
      }
    });
  }
}
