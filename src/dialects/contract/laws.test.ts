import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERROR_KINDS, type ErrorKind, GatewayError } from '../../core/errors.ts';
import { usageOf } from '../../core/usage.ts';
import { loadRecordings, SAMPLES, usageIn } from '../../testing/recordings.ts';
import { DIALECTS } from '../built.ts';
import type { Dialect } from '../dialect.ts';

const LIMITS = { maxJsonDepth: 512, maxEmbeddingInputs: 2048 };

/** The laws that every dialect keeps. */
const LAWS = ['split anywhere', 'fold', 'return', 'pass', 'errors', 'faults'] as const;
type Law = (typeof LAWS)[number];

const HERE: Partial<Record<Law, (dialect: Dialect) => void | Promise<void>>> = { pass, errors };

/** Why a law is not looked at here. */
const ELSEWHERE: Readonly<Record<string, Partial<Record<Law, string>>>> = {
  'anthropic-messages': {
    'split anywhere': 'it is the way of a stream through upstream and pipeline: tests/laws',
    fold: 'its writers are held against its readers: anthropic-messages/translation.test.ts',
    return: 'its writer is held against its reader: anthropic-messages/translation.test.ts',
    faults: 'they need sockets: tests/faults',
  },
  'openai-chat': {
    'split anywhere': 'it is the way of a stream through upstream and pipeline: tests/laws',
    fold: 'its writers are held against its readers: openai-chat/translation.laws.test.ts',
    return: 'its writer is held against its reader: openai-chat/translation.laws.test.ts',
    faults: 'they need sockets: tests/faults',
  },
  'openai-responses': {
    'split anywhere': 'it is the way of a stream through upstream and pipeline: tests/laws',
    fold: 'beside the source: openai-responses/answer-laws.test.ts',
    return: 'beside the source: openai-responses/call-laws.test.ts',
    faults: 'they need sockets: tests/faults',
  },
  'openai-embeddings': {
    'split anywhere': 'vectors are never streamed',
    fold: 'vectors are never streamed',
    return: 'a call keeps the bytes it was read from, and is written by changing them: the golden cases hold how',
    faults: 'they need sockets: tests/faults',
  },
};

/** Calls of each dialect, with what the gateway does not know in them. */
const CALLS: Readonly<Record<string, readonly string[]>> = {
  'anthropic-messages': [
    '{"model":"m","max_tokens":1,"messages":[{}]}',
    '{ "stream":true , "max_tokens":64,"model":"m","messages":[{"role":"user","content":[{"type":"tomorrow","x":1.0}]}],\n"invented":{"a":[null]} }',
    '{"messages":[{"role":"user","content":"日本 \\ud83d\\ude42 🙂"}],"model":"m","max_tokens":10,"stream":false,"system":[]}',
  ],
  'openai-chat': [
    '{"model":"m","messages":[{}]}',
    '{ "stream":true , "model":"m","messages":[{"role":"user","content":[{"type":"tomorrow","x":1.0}]}],\n"invented":{"a":[null]} }',
    '{"messages":[{"role":"user","content":"日本 \\ud83d\\ude42 🙂"}],"model":"m","stream":false,"seed":12345678901234567890}',
  ],
  'openai-responses': [
    '{"model":"m","input":"a","store":false}',
    '{ "stream":true , "store" : false,"model":"m","input":[{"role":"user","content":[{"type":"tomorrow","x":1.0}]}],\n"invented":{"a":[null]} }',
    '{"input":[{"type":"invented","日本":"\\ud83d\\ude42 🙂"}],"model":"m","stream":false,"store":false,"seed":12345678901234567890}',
  ],
  'openai-embeddings': [
    '{"model":"m","input":"a"}',
    '{ "input" : [[1,2],[3]], "model":"m", "invented":{"a":[1.0]} }',
    '{"encoding_format":"base64","model":"m","input":["日本","🙂"],"dimensions":256}',
  ],
};

for (const dialect of DIALECTS) {
  for (const law of LAWS) {
    const skip = ELSEWHERE[dialect.id]?.[law];
    const keep = HERE[law];
    test(`${dialect.id} keeps the law “${law}”`, skip === undefined ? {} : { skip }, async () => {
      assert(keep !== undefined, 'a law is kept here, or there is a reason why not');
      await keep(dialect);
    });
  }
}

/** Bytes out are bytes in, and the same usage is read from them. */
async function pass(dialect: Dialect): Promise<void> {
  const calls = CALLS[dialect.id] ?? [];
  assert.ok(calls.length > 0);
  for (const sent of calls) {
    const body = Buffer.from(sent);
    const call = dialect.inbound.readEnvelope(body, LIMITS);
    assert.equal(call.model, 'm');
    assert.equal(
      dialect.outbound.passCall(call, { upstreamModel: 'm', streamUsage: 'as-sent', provider: 'p' }).body,
      body,
    );
    const { body: renamed } = dialect.outbound.passCall(call, {
      upstreamModel: 'v/é',
      streamUsage: 'as-sent',
      provider: 'p',
    });
    assert.equal(renamed.toString(), sent.replace('"m"', '"v/é"'));
  }
  for (const { body, usage, isError } of await wholeAnswers(dialect)) {
    const answer = dialect.outbound.peekAnswer(body);
    assert.equal(answer.error !== null, isError);
    const { serviceTier: _, ...counts } = answer.usage ?? { serviceTier: undefined };
    assert.deepEqual(answer.usage === null ? null : counts, usage);
  }
}

async function wholeAnswers(dialect: Dialect) {
  if (dialect.id === 'openai-embeddings') {
    const list = '{"object":"list","data":[{"object":"embedding","index":0,"embedding":[0.1]}],"model":"m"';
    return [
      {
        body: Buffer.from(`${list},"usage":{"prompt_tokens":8,"total_tokens":8}}`),
        usage: usageOf({ inputTokens: 8 }),
        isError: false,
      },
      { body: Buffer.from(`${list}}`), usage: null, isError: false },
    ];
  }
  if (dialect.id === 'anthropic-messages') {
    const message =
      '{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":"end_turn"';
    return [
      {
        body: Buffer.from(
          `${message},"usage":{"input_tokens":8,"cache_read_input_tokens":16,"cache_creation_input_tokens":4,"output_tokens":2}}`,
        ),
        usage: usageOf({ inputTokens: 28, cacheReadTokens: 16, cacheWriteTokens: 4, outputTokens: 2 }),
        isError: false,
      },
      { body: Buffer.from(`${message}}`), usage: null, isError: false },
    ];
  }
  if (dialect.id === 'openai-responses') {
    const response = '{"object":"response","status":"completed","error":null,"output":[]';
    const counts = '"input_tokens":8,"input_tokens_details":{"cached_tokens":3},"output_tokens":2,"total_tokens":10';
    return [
      {
        body: Buffer.from(`${response},"usage":{${counts}}}`),
        usage: usageOf({ inputTokens: 8, cacheReadTokens: 3, outputTokens: 2 }),
        isError: false,
      },
      { body: Buffer.from(`${response},"usage":null}`), usage: null, isError: false },
      { body: Buffer.from('{"status":"failed","error":null,"output":[]}'), usage: null, isError: true },
    ];
  }
  const { recordings } = await loadRecordings(SAMPLES, 'openai-chat');
  const whole = recordings.filter(({ stream }) => !stream);
  assert.ok(whole.length > 2);
  return whole.map((recording) => ({
    body: Buffer.concat(recording.frames),
    usage: usageIn(recording),
    isError: recording.status !== 200,
  }));
}

/** Every kind of error can be written, and is read as what was meant: in an answer, inside a 200, and in a stream. */
function errors(dialect: Dialect): void {
  for (const kind of Object.keys(ERROR_KINDS) as ErrorKind[]) {
    // Agents know a prompt that is too long by these words, and some dialects put them there.
    const front = kind === 'context_length_exceeded' ? 'Prompt is too long: ' : '';
    const meant = new GatewayError(kind, `${front}Words of “${kind}” 🙂`, { param: 'a[0].b' });
    const body = dialect.inbound.writeError(meant, 'req_1');
    const read = dialect.outbound.readError(meant.status, { 'retry-after-ms': '1500' }, body);
    const told = TELLS[dialect.id] ?? words;
    if (told === words && isQuota(meant)) {
      assert.deepEqual([read.kind, read.status], ['upstream_account_empty', 502]);
    } else if (!OF_THE_ACCOUNT.includes(meant.status)) {
      assert.deepEqual([read.status, ...told(read), read.retryAfterMs], [meant.status, ...told(meant), 1500]);
    } else {
      assert.deepEqual([read.kind, read.status], ['upstream_unauthorized', 502]);
    }
    inside(dialect, meant, dialect.outbound.peekAnswer(Buffer.from(body)).error);
    const stream = dialect.inbound.stream;
    if (stream !== undefined) inside(dialect, meant, fromFrame(dialect, stream.writeError(meant)));
  }
}

function fromFrame(dialect: Dialect, frame: string): GatewayError | undefined {
  const data = /^(?:event: error\n)?data: (.*)\n\n$/.exec(frame)?.[1];
  assert(data !== undefined, 'an error is one frame');
  const call = dialect.inbound.readEnvelope(Buffer.from(CALLS[dialect.id]?.[0] ?? ''), LIMITS);
  const watch = dialect.outbound.watch?.(call);
  assert.equal(watch?.see({ event: null, data }), 'fails');
  return watch?.error();
}

/** Errors of the operator's own account, whose words are for nobody else. */
const OF_THE_ACCOUNT = [401, 402, 403];

/** What a dialect's errors say beside their status, where that is not all. Anthropic's types follow from the status. */
const TELLS: Readonly<Record<string, (error: GatewayError) => (string | null)[]>> = {
  'anthropic-messages': ({ message }) => [message],
};

/** An error without a status of its own: its words are as they were, unless they speak of the operator's account. */
function inside(dialect: Dialect, meant: GatewayError, read: GatewayError | null | undefined): void {
  assert(read !== null && read !== undefined);
  const told = TELLS[dialect.id];
  const ofTheAccount = told === undefined ? meant.kind === 'invalid_api_key' : OF_THE_ACCOUNT.includes(meant.status);
  if (ofTheAccount) assert.equal(read.kind, 'upstream_unauthorized');
  else if (told === undefined && isQuota(meant)) assert.equal(read.kind, 'upstream_account_empty');
  else assert.deepEqual((told ?? words)(read), (told ?? words)(meant));
}

/** From a vendor it means the operator's account, whatever it meant there. Anthropic's format has no word for it. */
function isQuota({ code }: GatewayError): boolean {
  return code === 'insufficient_quota';
}

function words({ message, type, code, param }: GatewayError): (string | null)[] {
  return [message, type, code, param];
}
