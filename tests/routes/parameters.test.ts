import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { field } from '../../src/testing/json.ts';
import { type Running, startHeadgate } from '../support/headgate.ts';
import { answering } from '../translation/vendors.ts';

/** `defaults` and `force` of models and routes, in every dialect of callers and vendors. */

const vendor = await startFakeProvider({ lenient: true });
vendor.plan(answering({ text: 'Hello', usage: { input: 5, output: 2 } }));
const modelsOf = (upstream: string) => [
  { id: 'plain', upstream },
  { id: 'usual', upstream, defaults: { temperature: 0.25, max_output_tokens: 77, reasoning_effort: 'low' } },
  { id: 'thinking', upstream, force: { reasoning_effort: 'high', max_output_tokens: 88 } },
  { id: 'own', upstream, defaults: { body: { vendor_knob: 1 } }, force: { body: { other_knob: { a: [1] } } } },
];
const providerOf = (dialect: string, upstream = 'm') => ({
  base_url: vendor.url,
  dialects: [dialect],
  models: modelsOf(upstream),
});
/** JSON is YAML. */
const config = (workers: number, layer = 'fast') =>
  JSON.stringify({
    server: { workers, http_layer: layer },
    limits: { requests_per_minute: 100_000 },
    providers: {
      chat: providerOf('openai-chat'),
      responses: providerOf('openai-responses'),
      messages: providerOf('anthropic-messages', 'claude-sonnet-4-5'),
    },
    routes: {
      both: { targets: ['chat/thinking'], defaults: { temperature: 0.5 }, force: { max_output_tokens: 99 } },
    },
  });

const VENDORS = ['chat', 'responses', 'messages'] as const;
const CALLERS = ['/v1/chat/completions', '/v1/responses', '/v1/messages'] as const;
const WORDS = [{ role: 'user', content: 'Hi' }];

type Said = { temperature?: number; most?: number; effort?: string; more?: Record<string, unknown> };

/** A call in a caller's own words. */
function bodyOf(path: string, model: string, stream: boolean, { temperature, most, effort, more = {} }: Said): object {
  const heat = temperature === undefined ? {} : { temperature };
  if (path === '/v1/responses') {
    return {
      ...{ model, stream, input: WORDS, ...heat, ...more },
      ...(most !== undefined && { max_output_tokens: most }),
      ...(effort !== undefined && { reasoning: { effort, summary: 'auto' } }),
    };
  }
  if (path === '/v1/messages') {
    return {
      ...{ model, stream, messages: WORDS, max_tokens: most ?? 4000, ...heat, ...more },
      ...(effort !== undefined && { thinking: { type: 'adaptive' }, output_config: { effort } }),
    };
  }
  return {
    ...{ model, stream, messages: WORDS, ...heat, ...more },
    ...(most !== undefined && { max_completion_tokens: most }),
    ...(effort !== undefined && { reasoning_effort: effort }),
  };
}

/** What the vendor was sent of the three. */
function sentTo(name: (typeof VENDORS)[number], json: unknown) {
  const of = (path: string) => field(json, path);
  if (name === 'responses') return [of('temperature'), of('max_output_tokens'), field(of('reasoning'), 'effort')];
  if (name === 'chat')
    return [of('temperature'), of('max_tokens') ?? of('max_completion_tokens'), of('reasoning_effort')];
  return [of('temperature'), of('max_tokens'), field(of('thinking'), 'budget_tokens')];
}

async function ask(headgate: Running, path: string, body: object) {
  const response = await fetch(`${headgate.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${headgate.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return { json: vendor.requests.at(-1)?.json, dropped: response.headers.get('service-dropped') ?? '' };
}

for (const [workers, layer] of [
  [1, 'fast'],
  [4, 'node'],
] as const) {
  const title = `${workers} workers, ${layer}`;
  const headgate = await startHeadgate({ config: config(workers, layer) });
  after(() => headgate[Symbol.asyncDispose]());

  test(`defaults hold where a caller says nothing, in every pair of dialects (${title})`, async () => {
    for (const path of CALLERS) {
      for (const name of VENDORS) {
        for (const stream of [false, true]) {
          const at = `${path} to ${name}, ${stream ? 'streamed' : 'whole'}`;
          const unsaid = await ask(headgate, path, bodyOf(path, `${name}/usual`, stream, {}));
          // Callers of messages always say their limit. A model with a budget takes no temperature beside it.
          const most = path === '/v1/messages' ? 4000 : 77;
          const expected =
            name === 'messages' ? [undefined, most + 2048 * Number(most < 2048), 2048] : [0.25, most, 'low'];
          if (name === 'messages' && most === 77) assert.equal(field(unsaid.json, 'max_tokens'), 77 + 2048, at);
          assert.deepEqual(sentTo(name, unsaid.json), expected, at);
          const said = await ask(
            headgate,
            path,
            bodyOf(path, `${name}/usual`, stream, { temperature: 0.75, most: 3000, effort: 'medium' }),
          );
          if (name !== 'messages') assert.deepEqual(sentTo(name, said.json), [0.75, 3000, 'medium'], at);
          const plain = await ask(headgate, path, bodyOf(path, `${name}/plain`, stream, { temperature: 0.75 }));
          assert.equal(field(plain.json, 'temperature'), 0.75, at);
          assert.doesNotMatch(said.dropped, /max_output_tokens/);
        }
      }
    }
  });

  test(`what is forced overrules the caller, who is told (${title})`, async () => {
    for (const path of CALLERS) {
      for (const name of VENDORS) {
        for (const stream of [false, true]) {
          const at = `${path} to ${name}, ${stream ? 'streamed' : 'whole'}`;
          const unsaid = await ask(headgate, path, bodyOf(path, `${name}/thinking`, stream, {}));
          const said = await ask(
            headgate,
            path,
            bodyOf(path, `${name}/thinking`, stream, { most: 3000, effort: 'medium' }),
          );
          for (const { json } of [unsaid, said]) {
            const [, most, effort] = sentTo(name, json);
            assert.deepEqual([most, effort], name === 'messages' ? [88 + 10_240, 10_240] : [88, 'high'], at);
          }
          assert.match(said.dropped, /max_output_tokens/, at);
          assert.match(said.dropped, /reasoning_effort/, at);
          if (path !== '/v1/messages') assert.equal(unsaid.dropped, '', at);
        }
      }
    }
  });

  test(`members in the vendor’s own words are put into its body (${title})`, async () => {
    for (const path of CALLERS) {
      for (const name of VENDORS) {
        const { json } = await ask(headgate, path, bodyOf(path, `${name}/own`, true, {}));
        assert.deepEqual([field(json, 'vendor_knob'), field(json, 'other_knob')], [1, { a: [1] }]);
      }
    }
    const said = await ask(
      headgate,
      '/v1/chat/completions',
      bodyOf('/v1/chat/completions', 'chat/own', false, { more: { vendor_knob: 2, other_knob: 3 } }),
    );
    assert.deepEqual([field(said.json, 'vendor_knob'), field(said.json, 'other_knob')], [2, { a: [1] }]);
    assert.equal(said.dropped, 'other_knob');
  });

  test(`what a route says goes before what its target says (${title})`, async () => {
    for (const path of CALLERS) {
      const { json } = await ask(headgate, path, bodyOf(path, 'both', false, {}));
      assert.deepEqual(sentTo('chat', json), [0.5, 99, 'high'], path);
    }
  });
}

after(() => vendor.close());
