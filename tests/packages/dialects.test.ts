import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { FORMATS, Format, TranslationError, translateCall } from '../../packages/dialects/src/index.ts';

/** The package as it is published, away from the repository. */
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PACKAGE = join(ROOT, 'packages', 'dialects');

let folder: string;
let published: { translateCall: typeof translateCall; FORMATS: typeof FORMATS };

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'headgate-dialects-'));
  const installed = join(folder, 'node_modules', '@headgate', 'dialects');
  mkdirSync(installed, { recursive: true });
  execFileSync(process.execPath, [join(ROOT, 'build', 'dialects.ts'), join(installed, 'dist')]);
  cpSync(join(PACKAGE, 'package.json'), join(installed, 'package.json'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  cpSync(join(PACKAGE, 'example.ts'), join(folder, 'example.ts'));
  published = await import(pathToFileURL(join(installed, 'dist', 'index.js')).href);
});
after(() => rmSync(folder, { recursive: true, force: true }));

const MODEL = 'the-model';
const CALLS: Readonly<Record<Format, object>> = {
  'openai-chat': { model: 'any', messages: [{ role: 'user', content: 'Hi there' }] },
  'openai-responses': { model: 'any', input: 'Hi there' },
  'anthropic-messages': { model: 'any', max_tokens: 100, messages: [{ role: 'user', content: 'Hi there' }] },
};
const ANSWERS: Readonly<Record<Format, object>> = {
  'openai-chat': {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: MODEL,
    choices: [{ index: 0, message: { role: 'assistant', content: 'Good day' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
  },
  'openai-responses': {
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    model: MODEL,
    status: 'completed',
    output: [
      {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'Good day', annotations: [] }],
      },
    ],
    usage: { input_tokens: 3, output_tokens: 2, total_tokens: 5 },
  },
  'anthropic-messages': {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: MODEL,
    content: [{ type: 'text', text: 'Good day' }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 3, output_tokens: 2 },
  },
};
const STREAMS: Readonly<Record<Format, readonly object[]>> = {
  'openai-chat': [
    {
      id: 'c',
      object: 'chat.completion.chunk',
      created: 1,
      model: MODEL,
      choices: [{ index: 0, delta: { role: 'assistant', content: 'Good' } }],
    },
    {
      id: 'c',
      object: 'chat.completion.chunk',
      created: 1,
      model: MODEL,
      choices: [{ index: 0, delta: { content: ' day' }, finish_reason: 'stop' }],
    },
  ],
  'openai-responses': [
    { type: 'response.created', response: { ...ANSWERS['openai-responses'], status: 'in_progress', output: [] } },
    {
      type: 'response.output_item.added',
      output_index: 0,
      item: { id: 'msg_1', type: 'message', role: 'assistant', content: [] },
    },
    {
      type: 'response.content_part.added',
      item_id: 'msg_1',
      output_index: 0,
      content_index: 0,
      part: { type: 'output_text', text: '', annotations: [] },
    },
    { type: 'response.output_text.delta', item_id: 'msg_1', output_index: 0, content_index: 0, delta: 'Good day' },
    { type: 'response.output_text.done', item_id: 'msg_1', output_index: 0, content_index: 0, text: 'Good day' },
    { type: 'response.completed', response: ANSWERS['openai-responses'] },
  ],
  'anthropic-messages': [
    { type: 'message_start', message: { ...ANSWERS['anthropic-messages'], content: [], stop_reason: null } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Good day' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } },
    { type: 'message_stop' },
  ],
};

/** How a whole stream ends. */
const ENDS: Readonly<Record<Format, RegExp>> = {
  'openai-chat': /data: \[DONE\]\n\n$/,
  'openai-responses': /event: response\.completed\n/,
  'anthropic-messages': /event: message_stop\ndata: .*\n\n$/,
};

/** A stream as its vendor sends it. */
function streamOf(format: Format): string {
  const events = STREAMS[format].map((event) => {
    const name = 'type' in event ? `event: ${event.type}\n` : '';
    return `${name}data: ${JSON.stringify(event)}\n\n`;
  });
  return events.join('') + (format === 'openai-chat' ? 'data: [DONE]\n\n' : '');
}

test('the example of the README runs with the package alone, and prints what the README says', () => {
  const example = readFileSync(join(PACKAGE, 'example.ts'), 'utf8');
  const readme = readFileSync(join(PACKAGE, 'README.md'), 'utf8');
  assert.ok(readme.includes(example.trimEnd()), 'the README has the example');
  const printed = execFileSync(process.execPath, ['example.ts'], { cwd: folder, encoding: 'utf8' });
  const [body = '', lost, answer, ...stream] = printed.split('\n');
  assert.ok(readme.includes(`${body}\n${lost}\n${answer}\n`));
  assert.equal(lost, 'lost: frequency_penalty');
  assert.equal(stream.at(-3), 'data: [DONE]');
});

const ALL: readonly Format[] = ['openai-chat', 'openai-responses', 'anthropic-messages'];

test('the formats are these', () => assert.deepEqual(published.FORMATS, ALL));

for (const from of ALL) {
  for (const to of ALL) {
    test(`a call, its answer, stream and errors: ${from} to ${to}`, () => {
      const call = published.translateCall(JSON.stringify(CALLS[from]), { from, to, model: MODEL });
      assert.equal(JSON.parse(call.body).model, MODEL);
      assert.match(call.body, /Hi there/);
      assert.deepEqual(call.lost, []);
      const { body, lost } = call.answer(JSON.stringify(ANSWERS[to]));
      assert.deepEqual([shapeOf(from, JSON.parse(body)), lost], [true, []]);

      const refused = call.error(429, '{"error":{"message":"Slow down","type":"rate_limit_error"}}');
      assert.deepEqual([refused.status, /Slow down/.test(refused.body)], [429, true]);
      const notJson = (error: TranslationError) => error.status === 502 && JSON.parse(error.body) !== null;
      assert.throws(() => call.answer('<html>'), notJson);

      const streamed = () =>
        published.translateCall(JSON.stringify({ ...CALLS[from], stream: true }), { from, to, model: MODEL }).stream();
      const whole = streamed();
      const frames = [...streamOf(to)].map((letter) => whole.push(letter)).join('') + whole.end();
      assert.match(frames, /Good/);
      assert.match(frames, ENDS[from]);
      const cut = streamed();
      const begun = streamOf(to)
        .split(/(?<=\n\n)/)
        .slice(0, -2)
        .join('');
      assert.match(cut.push(begun) + cut.end(), /error/);
    });
  }
}

/** Whether an answer has the form of a format, and the words. */
function shapeOf(format: Format, answer: Record<string, unknown>): boolean {
  const says = JSON.stringify(answer).includes('Good day');
  const has = { 'openai-chat': 'choices', 'openai-responses': 'output', 'anthropic-messages': 'stop_reason' }[format];
  return says && answer[has] !== undefined;
}

test('a call that cannot be read names its field', () => {
  const sides = { from: 'openai-chat', to: 'anthropic-messages', model: MODEL } as const;
  assert.throws(
    () => published.translateCall('{"model":"any","messages":"none"}', sides),
    (error: TranslationError) => error.status === 400 && error.param === 'messages',
  );
  assert.throws(() => published.translateCall('{', sides), { status: 400 });
  assert.throws(() => published.translateCall('{}', { ...sides, vendor: 'nobody' }), RangeError);
});

test('a vendor’s rules are followed', () => {
  const name = 'a'.repeat(80);
  const body = JSON.stringify({
    ...CALLS['openai-responses'],
    tools: [{ type: 'function', name, parameters: { type: 'object', properties: {} } }],
  });
  const call = published.translateCall(body, {
    from: 'openai-responses',
    to: 'openai-chat',
    model: MODEL,
    vendor: 'openai',
  });
  const [tool] = (JSON.parse(call.body) as { tools: { function: { name: string } }[] }).tools;
  assert.ok(tool!.function.name.length <= 64);
});

test('a vendor that refuses `stream_options` is not sent them', () => {
  const body = JSON.stringify({ ...CALLS['openai-responses'], stream: true });
  const asked = (vendor: string) =>
    published.translateCall(body, { from: 'openai-responses', to: 'openai-chat', model: MODEL, vendor }).body;
  assert.match(asked('openai'), /stream_options/);
  assert.doesNotMatch(asked('mistral'), /stream_options/);
});
