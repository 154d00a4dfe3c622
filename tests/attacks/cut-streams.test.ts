import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { Agent, request } from 'undici';
import { field } from '../../src/testing/json.ts';
import type { RecordedDialect } from '../../src/testing/recordings.ts';
import { streamReply, type VendorRequest } from '../../src/testing/reply.ts';
import { DIALECTS, PATHS, startTranslationLab, type TranslationLab } from '../support/dialects.ts';
import { IS_NIGHTLY } from '../support/nightly.ts';

/**
 * A vendor whose body ends in order at each byte of its stream, in every way from its dialect to a surface. The official
 * clients judge what the gateway makes of it: only a whole answer may end without an exception.
 */

/**
 * Every so many bytes, and at each byte around the ends of frames. By day a stream is cut at each byte only where it is
 * passed on, since the translators of a dialect's events see whole frames.
 */
const STEP = IS_NIGHTLY ? 1 : 7;

/** Calls at one time. */
const AT_ONCE = 16;
const PAGE = '100';

/** What the caller must get: an ordinary error, an error behind a part of the answer, or the whole answer. */
type Verdict = 'refused' | 'failed' | 'complete';
type Frame = { text: string; carries?: boolean; finishes?: boolean };
type Got = { status: number; body: string; text: string; error: unknown };

const PLACE = { item_id: 'msg_1', output_index: 0, content_index: 0 };
const WORDS = 'Héllo';
const CONTENT = [{ type: 'output_text', text: WORDS, annotations: [] }];
const MESSAGE = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: CONTENT };

const STREAMS: Record<RecordedDialect, readonly Frame[]> = {
  'openai-chat': [
    { text: chunk({ role: 'assistant', content: '' }) },
    { text: chunk({ content: 'Hé' }), carries: true },
    { text: ': a comment\n\n' },
    { text: `id: 7\n${chunk({ content: 'llo' })}` },
    { text: chunk({}, 'stop'), finishes: true },
    { text: 'data: {"id":"c","choices":[],"usage":{"prompt_tokens":9,"completion_tokens":2,"total_tokens":11}}\n\n' },
    { text: 'data: [DONE]\n\n' },
  ],
  'openai-responses': [
    { text: named({ type: 'response.created', response: response('in_progress', []) }) },
    { text: named({ type: 'response.output_text.delta', ...PLACE, delta: 'Hé' }), carries: true },
    { text: ': a comment\n\n' },
    { text: `id: 7\n${named({ type: 'response.output_text.delta', ...PLACE, delta: 'llo' })}` },
    {
      text: named({ type: 'response.completed', response: response('completed', [MESSAGE]) }),
      finishes: true,
    },
  ],
  'anthropic-messages': [
    { text: named({ type: 'message_start', message: { id: 'm', role: 'assistant', content: [], usage: {} } }) },
    { text: named({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }) },
    {
      text: named({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hé' } }),
      carries: true,
    },
    { text: ': a comment\n\n' },
    { text: `id: 7\n${named({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'llo' } })}` },
    { text: named({ type: 'content_block_stop', index: 0 }) },
    { text: named({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } }) },
    { text: named({ type: 'message_stop' }), finishes: true },
  ],
};

describe('a vendor’s body that ends at each byte of its stream', () => {
  let lab: TranslationLab;
  let agent: Agent;
  before(async () => {
    agent = new Agent();
    lab = await startTranslationLab(
      'limits: { requests_per_minute: 1000000, tokens_per_minute: 1000000000 }\nretries: { attempts: 1 }\n',
    );
    for (const spoken of DIALECTS) {
      lab.vendor.plan((asked) => streamReply([bytesOf(spoken).subarray(0, cutIn(asked))]), { path: PATHS[spoken] });
    }
  });
  after(async () => {
    await agent.close();
    await lab[Symbol.asyncDispose]();
  });

  for (const surface of DIALECTS) {
    for (const spoken of DIALECTS) {
      test(`${surface}, of ${spoken}: whole events alone, and no clean end before the answer’s own`, async () => {
        const ask = clientOf(surface);
        const judged = new Map<string, Verdict>();
        const cuts = cutsOf(spoken, surface === spoken ? 1 : STEP);
        await inTurn(cuts.length, async (index) => {
          const at = cuts[index]!;
          const expected = verdictAt(spoken, at);
          const name = `${surface}.${spoken}.${at}`;
          const got = await ask(`${spoken}/m`, at, name);
          assertVerdict(got, surface, expected, name);
          if (surface === spoken) assertPassed(got, spoken, at, name);
          judged.set(name, expected);
        });
        assert.deepEqual(new Set(judged.values()), new Set(['refused', 'failed', 'complete']));
        await assertRecords(judged);
      });
    }
  }

  /** The surface's official client, which asks for an answer that is cut, and tells what it read and what it threw. */
  function clientOf(surface: RecordedDialect): (model: string, at: number, name: string) => Promise<Got> {
    return async (model, at, name) => {
      const got: Got = { status: 0, body: '', text: '', error: null };
      const options = {
        apiKey: lab.headgate.key,
        maxRetries: 0,
        logLevel: 'off',
        defaultHeaders: { 'x-request-id': name },
        fetch: async (url: string | URL | Request, init?: RequestInit) => {
          const headers = Object.fromEntries(new Headers(init?.headers));
          const sent = { method: 'POST', headers, body: String(init?.body), dispatcher: agent } as const;
          const answer = await request(String(url), sent);
          got.status = answer.statusCode;
          got.body = await answer.body.text();
          const type = String(answer.headers['content-type']);
          return new Response(got.body, { status: got.status, headers: { 'content-type': type } });
        },
      } as const;
      try {
        const body = { model, prompt: `cut at ${at}.` };
        for await (const text of wordsOf(surface, options, lab.headgate.url, body)) got.text += text;
      } catch (error) {
        got.error = error;
      }
      return got;
    };
  }

  /** Each call has one record, which says what its caller saw. */
  async function assertRecords(judged: ReadonlyMap<string, Verdict>): Promise<void> {
    const found = new Map<string, unknown>();
    for (let after: string | null = ''; after !== null && found.size < judged.size; ) {
      const { data, has_more } = await lab.headgate.usage({ limit: PAGE, ...(after !== '' && { after }) });
      for (const row of data) {
        const name = String(row.client_request_id);
        if (!judged.has(name)) continue;
        assert.ok(!found.has(name), `${name} has two records`);
        found.set(name, row.status);
      }
      after = has_more ? String(data.at(-1)?.id) : null;
    }
    for (const [name, verdict] of judged) {
      assert.equal(found.get(name), verdict === 'complete' ? 'succeeded' : 'failed', name);
    }
  }
});

type ClientOptions = NonNullable<ConstructorParameters<typeof OpenAI>[0] & ConstructorParameters<typeof Anthropic>[0]>;

/** The text that a surface's official client reads, piece by piece, of a plain stream. */
async function* wordsOf(
  surface: RecordedDialect,
  options: ClientOptions,
  url: string,
  body: { model: string; prompt: string },
): AsyncGenerator<string> {
  const { model, prompt } = body;
  const messages = [{ role: 'user' as const, content: prompt }];
  switch (surface) {
    case 'openai-chat': {
      const openai = new OpenAI({ ...options, baseURL: `${url}/v1` });
      const asked = { model, messages, stream: true, stream_options: { include_usage: true } } as const;
      for await (const { choices } of await openai.chat.completions.create(asked))
        yield choices[0]?.delta.content ?? '';
      return;
    }
    case 'openai-responses': {
      const openai = new OpenAI({ ...options, baseURL: `${url}/v1` });
      const asked = { model, input: prompt, stream: true, store: false } as const;
      for await (const event of await openai.responses.create(asked)) {
        if (event.type === 'response.output_text.delta') yield event.delta;
      }
      return;
    }
    case 'anthropic-messages': {
      const anthropic = new Anthropic({ ...options, baseURL: url });
      const asked = { model, messages, max_tokens: 9, stream: true } as const;
      for await (const event of await anthropic.messages.create(asked)) {
        if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') yield event.delta.text;
      }
      return;
    }
    default:
      surface satisfies never;
  }
}

function assertVerdict(got: Got, surface: RecordedDialect, expected: Verdict, name: string): void {
  const told = `${name}: ${got.status} ${got.body}`;
  if (expected === 'refused') {
    assert.equal(got.status, 502, told);
    assert.ok(got.error instanceof Error && field(JSON.parse(got.body), 'error') !== undefined, told);
    return;
  }
  assert.equal(got.status, 200, told);
  const events = eventsIn(got.body, told);
  const ends = events.filter(({ data }) => ENDS[surface].includes(data === '[DONE]' ? data : field(data, 'type')));
  const last = events.at(-1)!;
  if (expected === 'complete') {
    assert.deepEqual([got.error, got.text, ends.at(-1)], [null, WORDS, last], told);
    return;
  }
  assert.ok(got.error instanceof Error, `${told}: the client ended without an exception`);
  assert.deepEqual([ends, isError(last.data)], [[], true], told);
  assert.equal(events.filter(({ data }) => isError(data)).length, surface === 'openai-responses' ? 2 : 1, told);
}

const ENDS: Record<RecordedDialect, readonly unknown[]> = {
  'openai-chat': ['[DONE]'],
  'openai-responses': ['response.completed', 'response.incomplete', '[DONE]'],
  'anthropic-messages': ['message_stop'],
};

function isError(data: unknown): boolean {
  const isFailed = field(data, 'type') === 'response.failed' || field(data, 'type') === 'error';
  return isFailed || (field(data, 'error') ?? null) !== null;
}

/** The events of a body that is nothing but whole frames: each has JSON (or `[DONE]`) for data, or is a comment. */
function eventsIn(body: string, told: string): { data: unknown }[] {
  assert.ok(body.endsWith('\n\n'), `${told}: the last frame has no end`);
  const frames = body.slice(0, -2).split('\n\n');
  return frames.flatMap((frame) => {
    if (/^:.*$/.test(frame)) return [];
    const found = /^(?:id: \d+\n)?(?:event: [a-z._]+\n)?data: (.*)$/.exec(frame);
    assert.ok(found !== null, `${told}: ${JSON.stringify(frame)} is no whole event`);
    return [{ data: found[1] === '[DONE]' ? found[1] : JSON.parse(found[1]!) }];
  });
}

/** Where a caller of the vendor's own dialect gets the bytes as they came: all whole frames, and of the cut one nothing. */
function assertPassed({ status, body }: Got, spoken: RecordedDialect, at: number, name: string): void {
  if (status !== 200) return;
  const whole = framesAt(spoken, at).map(({ text }) => text);
  assert.ok(body.startsWith(whole.join('')), `${name}: ${body}`);
  const behind = body.slice(whole.join('').length);
  assert.equal(behind.replace(/^data: \[DONE\]\n\n$|^(event: [a-z.]+\n)?data: \{.*"error".*\}\n\n/s, ''), '', name);
}

function verdictAt(spoken: RecordedDialect, at: number): Verdict {
  const whole = framesAt(spoken, at);
  if (!whole.some(({ carries }) => carries === true)) return 'refused';
  if (!whole.some(({ finishes }) => finishes === true)) return 'failed';
  // Behind its finish, and without its end, a chat stream must at least not stop in the middle of an event.
  const length = Buffer.byteLength(whole.map(({ text }) => text).join(''));
  return spoken !== 'openai-chat' || at <= length ? 'complete' : 'failed';
}

/** The frames whose data had come whole by an offset, also those that only lack their blank line. */
function framesAt(spoken: RecordedDialect, at: number): readonly Frame[] {
  let end = 0;
  return STREAMS[spoken].filter(({ text }) => {
    end += Buffer.byteLength(text);
    return at >= (text.startsWith(':') ? end : end - 2);
  });
}

/** Where a stream is cut: every `step` bytes, and at each byte around the end of a frame. */
function cutsOf(spoken: RecordedDialect, step: number): number[] {
  const { length } = bytesOf(spoken);
  let end = 0;
  const ends = STREAMS[spoken].map(({ text }) => {
    end += Buffer.byteLength(text);
    return end;
  });
  const isNearEnd = (at: number) => ends.some((each) => Math.abs(each - at) <= 3);
  return Array.from({ length: length + 1 }, (_, at) => at).filter((at) => at % step === 0 || isNearEnd(at));
}

/** The end of the vendor's body, which the prompt tells. */
function cutIn({ body }: VendorRequest): number {
  return Number(/cut at (\d+)\./.exec(body.toString())?.[1]);
}

function bytesOf(spoken: RecordedDialect): Buffer {
  return Buffer.from(STREAMS[spoken].map(({ text }) => text).join(''));
}

/** Does the work for 0 up to `count`, several at one time. */
async function inTurn(count: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) {
      next += 1;
      await work(next - 1);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

function chunk(delta: object, finish: string | null = null): string {
  return `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
}

function named(event: { type: string; [member: string]: unknown }): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

function response(status: string, output: readonly object[]): object {
  return { id: 'resp_1', status, model: 'm', output };
}
