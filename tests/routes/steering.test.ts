import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { answer as normal } from '../../src/testing/answers.ts';
import type { RecordedDialect } from '../../src/testing/recordings.ts';
import type { Plan } from '../../src/testing/reply.ts';
import { PROMPT } from '../faults/lab.ts';
import { scripted } from '../translation/vendors.ts';
import { ROUTE_OF, type RouteLab, startRouteLab, VENDORS } from './lab.ts';

const TEXT = 'Hello there.';
const SURFACES = ['openai-chat', 'openai-responses', 'anthropic-messages'] as const;
/** The dialect of a call by its path at the vendor. */
const PATHS: Readonly<Record<string, RecordedDialect>> = {
  '/v1/chat/completions': 'openai-chat',
  '/v1/responses': 'openai-responses',
  '/v1/messages': 'anthropic-messages',
};
const ALL_DIALECTS = 'dialects: [openai-chat, openai-responses, anthropic-messages]';

/** Members of the body; `session` is none, but the conversation. */
type Extra = Readonly<Record<string, unknown>>;
type Reply = { text: string; provider: string | null; attempts: string | null };

/** Answers in whatever dialect it is asked in. */
const polyglot: Plan = (request) =>
  scripted(PATHS[request.path]!, [{ text: TEXT, usage: { input: 9, output: 3, cached: 8 } }])(request);

for (const [how, dialects] of Object.entries({ passed: `, ${ALL_DIALECTS}`, translated: '' })) {
  describe(`callers who steer a route, by the official clients, ${how}`, () => {
    let lab: RouteLab;
    before(async () => {
      lab = await startRouteLab({
        providers: {
          one: { more: `api_key: "\${KEY_ONE}", region: us${dialects}` },
          two: { more: `api_key: "\${KEY_TWO}"${dialects}` },
          three: { more: `api_key: "\${KEY_THREE}"${dialects}` },
        },
        routes: [
          'lab/rules: { strategy: [{ rules: [{ when: { stream: true }, use: [three-model], only: true }, { when: { metadata: { tier: gold } }, use: [two-model] }] }], targets: [one-model, two-model, three-model] }',
          'lab/split: { strategy: [weighted], targets: [one-model, two-model] }',
        ],
      });
    });
    after(() => lab[Symbol.asyncDispose]());
    afterEach(() => lab.forget());

    async function ask(surface: RecordedDialect, stream: boolean, model: string, extra: Extra): Promise<Reply> {
      for (const vendor of VENDORS) lab.vendors[vendor].plan(polyglot);
      return await CALLS[surface](lab, stream, model, extra);
    }

    /** The newest body of a vendor has none of the members that are for the gateway. */
    function assertNothingSentOn(vendor: (typeof VENDORS)[number]): void {
      const body = lab.vendors[vendor].requests.at(-1)?.json as Extra;
      assert.deepEqual([body.model, 'models' in body, 'provider' in body], [`${vendor}-model`, false, false]);
    }

    for (const surface of SURFACES) {
      for (const stream of [false, true]) {
        const kind = `${surface}, ${stream ? 'stream' : 'whole'}`;

        test(`${kind}: models put targets first, in the caller’s order`, async () => {
          const models = ['three-model', 'two/two-model'];
          const first = await ask(surface, stream, ROUTE_OF[3], { models });
          assert.deepEqual(first, { text: TEXT, provider: 'three', attempts: '1' });
          assertNothingSentOn('three');
          lab.vendors.three.plan('overloaded', { times: 1 });
          const second = await ask(surface, stream, ROUTE_OF[3], { models });
          assert.deepEqual(second, { text: TEXT, provider: 'two', attempts: '2' });
          assertNothingSentOn('two');
        });

        test(`${kind}: provider says who comes first, who may, and what it may cost`, async () => {
          for (const [provider, by] of [
            [{ order: ['Two', 'three'] }, 'two'],
            [{ only: ['three'] }, 'three'],
            [{ ignore: ['one', 'two'] }, 'three'],
            [{ sort: 'price' }, 'one'],
            [{ order: ['three'], max_price: { prompt: 3, completion: '5' } }, 'one'],
            [{ order: ['two'], allow_fallbacks: false }, 'two'],
            [{ order: [], only: [], ignore: [] }, 'one'],
          ] as const) {
            const reply = await ask(surface, stream, ROUTE_OF[3], { provider });
            assert.deepEqual(reply, { text: TEXT, provider: by, attempts: '1' }, JSON.stringify(provider));
            assertNothingSentOn(by);
          }
        });

        test(`${kind}: without fallbacks nobody else is asked`, async () => {
          lab.vendors.two.plan('bad-request', { times: 1 });
          const before = lab.counts();
          await assert.rejects(
            ask(surface, stream, ROUTE_OF[3], { provider: { order: ['two'], allow_fallbacks: false } }),
            { status: 400 },
          );
          const now = lab.counts();
          assert.deepEqual([now.one - before.one, now.two - before.two, now.three - before.three], [0, 1, 0]);
          lab.vendors.three.plan('server-error', { times: 1 });
          const provider = { order: ['three', 'two'], allow_fallbacks: false };
          assert.deepEqual(await ask(surface, stream, ROUTE_OF[3], { provider }), {
            text: TEXT,
            provider: 'two',
            attempts: '2',
          });
        });

        test(`${kind}: what is not known is refused by its name, and nobody is asked`, async () => {
          const before = lab.counts();
          for (const [extra, param] of [
            [{ provider: { zdr: true } }, 'provider.zdr'],
            [{ provider: { sort: 'quality' } }, 'provider.sort'],
            [{ provider: { max_price: { image: 1 } } }, 'provider.max_price.image'],
            [{ provider: ['two'] }, 'provider'],
            [{ provider: { order: ['nosuch'], allow_fallbacks: false } }, 'provider.order'],
            [{ models: ['two-model', 'nobody'] }, 'models[1]'],
            [{ models: 'two-model' }, 'models'],
          ] as const) {
            const error = await ask(surface, stream, ROUTE_OF[3], extra).then(
              () => assert.fail(`${param} was not refused`),
              (cause: unknown) => cause,
            );
            assertRefusal(error, surface, param);
          }
          assert.deepEqual(lab.counts(), before);
        });

        test(`${kind}: rules decide by what the call is`, async () => {
          const by = stream ? 'three' : 'one';
          assert.equal((await ask(surface, stream, 'lab/rules', {})).provider, by);
          if (surface === 'anthropic-messages') return;
          const gold = await ask(surface, stream, 'lab/rules', { metadata: { tier: 'gold' } });
          assert.equal(gold.provider, stream ? 'three' : 'two');
        });
      }

      test(`${surface}: a conversation leaves its vendor for none but a cheaper one`, async () => {
        const began = new Set<string | null>();
        for (let topic = 0; topic < 24; topic += 1) {
          const turns: (string | null)[] = [];
          for (let turn = 0; turn < 4; turn += 1) {
            turns.push((await ask(surface, false, 'lab/split', { session: `${how} ${surface} ${topic}` })).provider);
          }
          began.add(turns[0]!);
          assert.deepEqual(turns, turns.toSorted().reverse(), 'two is dearer than one');
        }
        assert.deepEqual([...began].sort(), ['one', 'two']);
      });
    }
  });
}

test('who names a vendor’s model says nothing to the gateway: the members go on to the vendor', async () => {
  await using lab = await startRouteLab();
  const { one } = lab.vendors;
  one.plan(normal());
  const provider = { order: ['two'], zdr: true };
  await chat(lab, false, 'one-model', { models: ['two-model'], provider });
  const body = one.requests.at(-1)?.json as Extra;
  assert.deepEqual([body.models, body.provider], [['two-model'], provider]);
});

type Caller = (lab: RouteLab, stream: boolean, model: string, extra: Extra) => Promise<Reply>;

const CALLS: Record<RecordedDialect, Caller> = {
  'openai-chat': chat,
  'openai-responses': responses,
  'anthropic-messages': messages,
};

async function chat({ gateway }: RouteLab, stream: boolean, model: string, { session, ...extra }: Extra) {
  const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.key, maxRetries: 0 });
  const body = { model, messages: [{ role: 'user' as const, content: PROMPT }], ...extra };
  if (!stream) {
    const { data, response } = await client.chat.completions.create(body, named(session)).withResponse();
    return replyOf(data.choices[0]?.message.content, response);
  }
  const { data, response } = await client.chat.completions
    .create({ ...body, stream: true }, named(session))
    .withResponse();
  let text = '';
  for await (const chunk of data) text += chunk.choices[0]?.delta.content ?? '';
  return replyOf(text, response);
}

async function responses({ gateway }: RouteLab, stream: boolean, model: string, { session, ...extra }: Extra) {
  const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.key, maxRetries: 0 });
  const body = { model, input: PROMPT, ...extra };
  if (!stream) {
    const { data, response } = await client.responses.create(body, named(session)).withResponse();
    return replyOf(data.output_text, response);
  }
  const { data, response } = await client.responses.create({ ...body, stream: true }, named(session)).withResponse();
  let text = '';
  for await (const event of data) if (event.type === 'response.output_text.delta') text += event.delta;
  return replyOf(text, response);
}

async function messages({ gateway }: RouteLab, stream: boolean, model: string, { session, ...extra }: Extra) {
  const client = new Anthropic({ baseURL: gateway.url, apiKey: gateway.key, maxRetries: 0 });
  const turns = [{ role: 'user' as const, content: PROMPT }];
  const body = { model, max_tokens: 100, messages: turns, ...extra };
  if (!stream) {
    const { data, response } = await client.messages.create(body, named(session)).withResponse();
    const [block] = data.content;
    return replyOf(block?.type === 'text' ? block.text : null, response);
  }
  const { data, response } = await client.messages.create({ ...body, stream: true }, named(session)).withResponse();
  let text = '';
  for await (const event of data) {
    if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') text += event.delta.text;
  }
  return replyOf(text, response);
}

/** The conversation that a call belongs to, by a header. */
function named(session: unknown): { headers?: Record<string, string> } {
  return session === undefined ? {} : { headers: { 'service-session': String(session) } };
}

function replyOf(text: string | null | undefined, { headers }: Response): Reply {
  return { text: text ?? '', provider: headers.get('service-provider'), attempts: headers.get('service-attempts') };
}

/** In the words of the surface. */
function assertRefusal(error: unknown, surface: RecordedDialect, param: string): void {
  if (surface === 'anthropic-messages') {
    assert.ok(error instanceof Anthropic.BadRequestError, String(error));
    const body = error.error as { error: { type: string; message: string } };
    assert.equal(body.error.type, 'invalid_request_error');
    const named = param === 'models[1]' ? '`nobody`' : `\`${param}\``;
    assert.ok(body.error.message.includes(named), body.error.message);
    return;
  }
  assert.ok(error instanceof OpenAI.BadRequestError, String(error));
  assert.equal(error.param, param);
}
