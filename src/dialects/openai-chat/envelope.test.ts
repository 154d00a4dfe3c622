import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../../core/errors.ts';
import { pick, seeded } from '../../testing/seeded.ts';
import type { Envelope, PassOptions } from '../dialect.ts';
import { passCall, promptText, readEnvelope } from './envelope.ts';

const LIMITS = { maxJsonDepth: 512, maxEmbeddingInputs: 1 };
const MESSAGES = [{ role: 'user', content: 'Hi' }];

function read(fields: object, limits = LIMITS): Envelope {
  return readEnvelope(Buffer.from(JSON.stringify({ model: 'm', messages: MESSAGES, ...fields })), limits);
}

function refusedAsJson(body: string | Buffer, message: RegExp, limits = LIMITS): void {
  assert.throws(
    () => readEnvelope(Buffer.from(body), limits),
    (error) => error instanceof GatewayError && error.kind === 'invalid_json' && message.test(error.message),
  );
}

test('what the gateway must know of a call is read', () => {
  const { body: _, index: __, estimatedInputTokens, ...plain } = read({});
  assert.deepEqual(plain, { model: 'm', stream: false, maxOutputTokens: null, choices: 1, wantsUsage: false });
  assert.ok(estimatedInputTokens > 5 && estimatedInputTokens < 40, String(estimatedInputTokens));
  const full = read({ stream: true, n: 3, max_completion_tokens: 7, stream_options: { include_usage: true } });
  const { stream, choices, maxOutputTokens, wantsUsage } = full;
  assert.deepEqual([stream, choices, maxOutputTokens, wantsUsage], [true, 3, 7, true]);
});

test('null is as good as nothing', () => {
  const call = read({ stream: null, n: null, max_tokens: null, max_completion_tokens: null, stream_options: null });
  assert.deepEqual([call.stream, call.choices, call.maxOutputTokens, call.wantsUsage], [false, 1, null, false]);
});

test('of all names of the limit the largest counts, and none but the dialect’s own lowers what is held', () => {
  for (const name of ['max_tokens', 'max_completion_tokens']) assert.equal(read({ [name]: 5 }).maxOutputTokens, 5);
  assert.equal(read({ max_tokens: 5, max_completion_tokens: 9 }).maxOutputTokens, 9);
  assert.equal(read({ max_tokens: 9, max_completion_tokens: 5 }).maxOutputTokens, 9);
  assert.equal(read({ max_tokens: 5, max_completion_tokens: null }).maxOutputTokens, 5);
  for (const other of ['max_output_tokens', 'max_new_tokens', 'n_predict']) {
    assert.equal(read({ [other]: 9 }).maxOutputTokens, null);
    assert.equal(read({ max_completion_tokens: 5, [other]: 9 }).maxOutputTokens, 9);
    assert.equal(read({ max_completion_tokens: 50, [other]: 9 }).maxOutputTokens, 50);
  }
  assert.equal(read({ max_tokens: 5, options: { num_predict: 9 } }).maxOutputTokens, 9);
  for (const least of [{ min_tokens: 9 }, { reasoning: { max_tokens: 9 } }, { thinking: { budget_tokens: 9 } }]) {
    const call = read({ max_tokens: 5, ...least });
    assert.deepEqual([call.maxOutputTokens, call.leastOutputTokens], [5, 9]);
  }
  const { maxOutputTokens, thinkingTokens, bestOf } = read({ max_tokens: 5, thinking_budget: 70, best_of: 3 });
  assert.deepEqual([maxOutputTokens, thinkingTokens, bestOf], [5, 70, 3]);
});

test('a limit below 1 is none, and passes as it came', () => {
  for (const none of [0, -1, -1e300]) {
    const call = read({ max_tokens: none, max_completion_tokens: none });
    assert.equal(call.maxOutputTokens, null);
    assert.equal(passCall(call, { upstreamModel: 'm', provider: 'p', streamUsage: 'as-sent' }).body, call.body);
    assert.equal(read({ max_tokens: 5, max_completion_tokens: none }).maxOutputTokens, null);
  }
});

test('a limit beyond exact numbers is told the bound that it breaks', () => {
  assert.equal(read({ max_tokens: Number.MAX_SAFE_INTEGER }).maxOutputTokens, Number.MAX_SAFE_INTEGER);
  assert.throws(() => read({ max_tokens: 1e300 }), {
    code: 'integer_above_max_value',
    param: 'max_tokens',
    message: '`max_tokens` must be at most 9007199254740991; 1e+300 is not.',
  });
});

test('a limit is the same number however it is written', () => {
  const limitIn = (written: string) => {
    const body = `{"model":"m","messages":[{"role":"user","content":"hi"}],"max_tokens": ${written} }`;
    return readEnvelope(Buffer.from(body), LIMITS).maxOutputTokens;
  };
  for (const written of ['7', '64', '100', '999999999999999', '1000000000000000', '9007199254740991', '1e2', '64.0']) {
    assert.equal(limitIn(written), JSON.parse(written), written);
  }
  for (const written of ['0', '-0', '-1']) assert.equal(limitIn(written), null, written);
  for (const written of ['01', '6_4', '٦', '0x40', '6 4'])
    assert.throws(() => limitIn(written), { kind: 'invalid_json' });
  assert.throws(() => limitIn('9007199254740993'), { code: 'integer_above_max_value' });
  for (const written of ['6.4', '"64"', '[64]', 'true'])
    assert.throws(() => limitIn(written), { code: 'invalid_type' });
});

test('a body that is not one object of JSON is refused, and told where', () => {
  for (const body of ['', ' ', '[]', 'null', '"x"', '7', '{', '{"model":"m"', "{'model':'m'}"])
    refusedAsJson(body, /byte \d+/);
  refusedAsJson('\ufeff{"model":"m","messages":[{}]}', /byte 0/);
  refusedAsJson('{"model":"m","messages":[{}]} x', /follows the end of the object \(byte 30\)/);
  refusedAsJson('{"model":"m\\x","messages":[{}]}', /not valid JSON/);
});

test('every temperature from 0 to 2 passes, and null', () => {
  for (const temperature of [0, 0.7, 2, null]) assert.match(read({ temperature }).body.toString(), /"temperature":/);
});

test('nesting is held to its limit, however deep it goes', () => {
  const nested = (depth: number) => `{"model":"m","messages":${'['.repeat(depth)}${']'.repeat(depth)}}`;
  readEnvelope(Buffer.from(nested(511)), LIMITS);
  refusedAsJson(nested(512), /deeper than 512 levels/);
  refusedAsJson(nested(100_000), /deeper than 512 levels/);
});

test('nothing to change gives back the very same bytes', () => {
  const call = read({ stream: true, stream_options: { include_usage: true } });
  for (const streamUsage of ['ask', 'as-sent'] as const) {
    assert.equal(passCall(call, { upstreamModel: 'm', provider: 'p', streamUsage }).body, call.body);
  }
});

test('bytes that are no UTF-8 pass as they are', () => {
  const body = Buffer.from([...Buffer.from('{"model":"a","messages":["'), 0xff, 0xfe, ...Buffer.from('"]}')]);
  const { body: written } = passCall(readEnvelope(body, LIMITS), {
    upstreamModel: 'b',
    provider: 'p',
    streamUsage: 'as-sent',
  });
  assert.deepEqual(written, Buffer.from(body.toString('latin1').replace('"a"', '"b"'), 'latin1'));
});

test('what is written means what was sent, but for model and stream_options', () => {
  const random = seeded(20_260_101);
  for (let round = 0; round < 3000; round += 1) {
    const sent = randomBody(random);
    const options = {
      upstreamModel: pick(random, ['m', 'vendor/model', 'modèle "x" 🙂']),
      provider: 'p',
      streamUsage: pick(random, ['ask', 'as-sent', 'never'] as const),
    };
    const call = readEnvelope(Buffer.from(sent), LIMITS);
    const written = passCall(call, options).body.toString();
    assert.equal(JSON.stringify(JSON.parse(written)), JSON.stringify(expected(sent, call, options)), sent);
  }
});

/** What a body is to mean at the vendor, from its full parse. */
function expected(sent: string, call: Envelope, { upstreamModel, streamUsage }: PassOptions): unknown {
  const fields = JSON.parse(sent) as Record<string, unknown>;
  fields.model = upstreamModel;
  if (streamUsage === 'never') delete fields.stream_options;
  if (streamUsage === 'ask' && call.stream) {
    fields.stream_options = { ...(fields.stream_options as object | null), include_usage: true };
  }
  return fields;
}

/** A body that is valid and as odd as JSON allows: any order, spaces, escapes, names twice, names inside names. */
function randomBody(random: () => number): string {
  const fields: [string, string][] = [
    ['model', randomString(random, pick(random, ['m', 'sent', 'ü"\\']))],
    ['messages', `[${randomValue(random, 3)}]`],
    ['stream', pick(random, ['true', 'true', 'false', 'null'])],
  ];
  const options = ['null', '{}', '{"include_usage":true}', '{ "include_usage" :false,"x":[1]}', '{"a":{"b":"}"}}'];
  if (random() < 0.6) fields.push(['stream_options', pick(random, options)]);
  for (let extra = Math.floor(random() * 4); extra > 0; extra -= 1) {
    const name = pick(random, ['model', 'stream_options', 'tools', '__proto__', '1', 'é', '"', 'seed']);
    const isOwn = name === 'model' || name === 'stream_options';
    if (isOwn && random() < 0.7) continue;
    fields.push([
      name,
      name === 'model' ? '"twice"' : name === 'stream_options' ? pick(random, options) : randomValue(random, 3),
    ]);
  }
  const space = () => pick(random, ['', '', ' ', '\n', '\t', '\r\n  ']);
  const shuffled = fields.map((field) => ({ field, at: random() })).sort((one, other) => one.at - other.at);
  const members = shuffled.map(
    ({ field: [name, value] }) => `${space()}${randomString(random, name)}${space()}:${space()}${value}${space()}`,
  );
  return `${space()}{${members.join(',')}}${space()}`;
}

function randomValue(random: () => number, depth: number): string {
  const kind = Math.floor(random() * (depth === 0 ? 4 : 6));
  const items = () => Array.from({ length: Math.floor(random() * 3) }, () => randomValue(random, depth - 1));
  if (kind === 0) return pick(random, ['true', 'false', 'null']);
  if (kind === 1) return pick(random, ['0', '-1.50', '1e5', '12345678901234567890', '1E-7']);
  if (kind < 4) return randomString(random, pick(random, ['', 'model', '"model":"x"', '日本 🙂', '\\', '}]', 'a\nb']));
  if (kind === 4) return `[${items().join(', ')}]`;
  const names = ['model', 'stream_options', 'content', '}'];
  return `{${items()
    .map((item) => `${randomString(random, pick(random, names))}:${item}`)
    .join(',')}}`;
}

/** A string in JSON, with some of its characters escaped that need not be. */
function randomString(random: () => number, text: string): string {
  const escaped = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const units = text.split('').map((char) => (random() < 0.03 ? escaped(char) : JSON.stringify(char).slice(1, -1)));
  return `"${units.join('')}"`;
}

test('the words of a prompt are its texts and its tools, not its files and ids', () => {
  const words = promptText(
    read({
      messages: [
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
          ],
        },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'call_secret', type: 'function', function: { name: 'look', arguments: '{"x":1}' } }],
        },
        { role: 'tool', tool_call_id: 'call_secret', content: 'data:image/png;base64,BBBB' },
      ],
      tools: [{ type: 'function', function: { name: 'look', description: 'Looks closer.' } }],
    }),
  );
  for (const said of ['Be brief.', 'What is this?', '{"x":1}', 'Looks closer.']) assert.ok(words.includes(said), said);
  for (const unsaid of ['AAAA', 'BBBB', 'call_secret', 'assistant']) assert.ok(!words.includes(unsaid), unsaid);
});

test('the words of a prompt nested as deep as a setting allows are looked for without an end of the stack', () => {
  const depth = 9_990;
  const body = `{"model":"m","messages":["Hello",${'['.repeat(depth)}"deep"${']'.repeat(depth)}]}`;
  const call = readEnvelope(Buffer.from(body), { ...LIMITS, maxJsonDepth: 10_000 });
  assert.equal(promptText(call), 'Hello\ndeep');
});

test('the words of a prompt that no parser takes are its raw text, without its files', () => {
  for (const odd of ['a\tb', 'a\\qb']) {
    const body = `{"model":"m","messages":[{"content":"${odd}"},{"url":"data:image/png;base64,AAAA"}]}`;
    const words = promptText(readEnvelope(Buffer.from(body), LIMITS));
    assert.ok(words.includes(odd), words);
    assert.ok(!words.includes('AAAA'), words);
  }
});

test('the guess at a prompt counts an inline file at a flat rate, whatever its size', () => {
  const withImage = (bytes: number) =>
    read({
      messages: [{ role: 'user', content: [{ image_url: { url: `data:image/png;base64,${'A'.repeat(bytes)}` } }] }],
    });
  const [small, large] = [withImage(4), withImage(4_000_000)].map(({ estimatedInputTokens }) => estimatedInputTokens);
  assert.equal(small, large);
  assert.ok(small! > 1000 && small! < 1100, String(small));
  assert.ok(read({ messages: [{ content: 'x'.repeat(4000) }] }).estimatedInputTokens >= 1000);
});
