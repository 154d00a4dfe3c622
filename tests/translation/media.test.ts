import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { field } from '../../src/testing/json.ts';
import { startHeadgate } from '../support/headgate.ts';
import { scripted } from './vendors.ts';

/** Images, files and sound, as each vendor is given them. */
const DIALECTS = ['openai-chat', 'openai-responses', 'anthropic-messages'] as const;
type Id = (typeof DIALECTS)[number];
const PATHS: Record<Id, string> = {
  'openai-chat': '/v1/chat/completions',
  'openai-responses': '/v1/responses',
  'anthropic-messages': '/v1/messages',
};

const vendor = await startFakeProvider();
const providers = DIALECTS.map((id) => `  ${id}: { base_url: "${vendor.url}", dialects: [${id}], models: [m] }`);
const headgate = await startHeadgate({
  config: `providers:
${providers.join('\n')}
  mistral: { base_url: "${vendor.url}", api_key: sk-mistral, models: [m] }
routes:
  rt/sound: { targets: [anthropic-messages/m, openai-chat/m] }`,
});
after(async () => {
  await headgate[Symbol.asyncDispose]();
  await vendor.close();
});
beforeEach(() => vendor.forget());

/** The body that the vendor got, and the answer to the caller. */
async function call(from: Id, to: string, body: object): Promise<{ sent: unknown; answer: Response }> {
  const spoken = DIALECTS.find((id) => to.startsWith(id)) ?? 'openai-chat';
  vendor.plan(scripted(spoken, [{ text: 'Fine.', usage: { input: 1, output: 1 } }]), { times: 1 });
  const answer = await fetch(`${headgate.url}${PATHS[from]}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${headgate.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: to, ...(from === 'anthropic-messages' && { max_tokens: 50 }), ...body }),
  });
  return { sent: vendor.requests.at(-1)?.json, answer };
}

const PNG = 'iVBORw0KGgo=';
const PDF = 'JVBERi0xLjQK';
const WAV = 'UklGRiQAAABXQVZFZm10';
const base64 = (media_type: string, data: string) => ({ type: 'base64', media_type, data });
const TOOLS = [{ name: 'read', input_schema: { type: 'object', properties: {} } }];
const use = (id: string) => ({ type: 'tool_use', id, name: 'read', input: {} });

const READ_TWO = {
  tools: TOOLS,
  messages: [
    { role: 'user', content: 'Look' },
    { role: 'assistant', content: [use('call_one'), use('call_two')] },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'call_one',
          content: [
            { type: 'text', text: 'a.png' },
            { type: 'image', source: base64('image/png', PNG) },
          ],
        },
        {
          type: 'tool_result',
          tool_use_id: 'call_two',
          content: [{ type: 'document', source: base64('application/pdf', PDF) }],
        },
        { type: 'text', text: 'Which is it?' },
      ],
    },
  ],
};

const SHOWN = (one: string, two: string) => [
  { type: 'text', text: `From the result of call ${one}:` },
  { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } },
  { type: 'text', text: `From the result of call ${two}:` },
  { type: 'file', file: { filename: 'file.pdf', file_data: `data:application/pdf;base64,${PDF}` } },
  { type: 'text', text: 'Which is it?' },
];
const POINTER = 'The result follows in the next user message.';

test('media in results of tools follow them in a user turn, each named by its call', async () => {
  const { sent, answer } = await call('anthropic-messages', 'openai-chat/m', READ_TWO);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('service-dropped'), null);
  assert.deepEqual((field(sent, 'messages') as unknown[]).slice(2), [
    { role: 'tool', tool_call_id: 'call_one', content: 'a.png' },
    { role: 'tool', tool_call_id: 'call_two', content: POINTER },
    { role: 'user', content: SHOWN('call_one', 'call_two') },
  ]);
});

test('and behind a word of the assistant, where the vendor takes no user turn behind a result', async () => {
  const { sent, answer } = await call('anthropic-messages', 'mistral/m', READ_TWO);
  assert.equal(answer.status, 200);
  const [one, two, ...rest] = (field(sent, 'messages') as unknown[]).slice(2);
  const [first, second] = [one, two].map((result) => String(field(result, 'tool_call_id')));
  assert.deepEqual(rest, [
    { role: 'assistant', content: 'I have the results.' },
    { role: 'user', content: SHOWN(first!, second!) },
  ]);
});

test('a PDF that is called an image, and an image that is bare base64, are what they are', async () => {
  const parts = [`data:image/png;base64,${PDF}`, PNG].map((url) => ({ type: 'image_url', image_url: { url } }));
  const { sent } = await call('openai-chat', 'anthropic-messages/m', { messages: [{ role: 'user', content: parts }] });
  assert.deepEqual(field((field(sent, 'messages') as object[])[0], 'content'), [
    { type: 'document', source: base64('application/pdf', PDF) },
    { type: 'image', source: base64('image/png', PNG) },
  ]);
});

test('sound in a result follows it, too', async () => {
  const { sent } = await call('openai-responses', 'openai-chat/m', {
    input: [
      { role: 'user', content: 'Listen' },
      { type: 'function_call', call_id: 'call_one', name: 'read', arguments: '{}' },
      {
        type: 'function_call_output',
        call_id: 'call_one',
        output: [{ type: 'input_file', file_data: `data:audio/x-wav;base64,${WAV}` }],
      },
    ],
  });
  assert.deepEqual(field(sent, 'messages', '3'), {
    role: 'user',
    content: [
      { type: 'text', text: 'From the result of call call_one:' },
      { type: 'input_audio', input_audio: { data: WAV, format: 'wav' } },
    ],
  });
});

/** Media under a name that its type denies, as each format says it. */
const asImage: Record<Id, (type: string, data: string) => object> = {
  'openai-chat': (type, data) => ({ type: 'image_url', image_url: { url: `data:${type};base64,${data}` } }),
  'openai-responses': (type, data) => ({ type: 'input_image', image_url: `data:${type};base64,${data}` }),
  'anthropic-messages': (type, data) => ({ type: 'image', source: base64(type, data) }),
};
const asFile: Record<Id, (type: string, data: string) => object> = {
  'openai-chat': (type, data) => ({ type: 'file', file: { file_data: `data:${type};base64,${data}` } }),
  'openai-responses': (type, data) => ({ type: 'input_file', file_data: `data:${type};base64,${data}` }),
  'anthropic-messages': (type, data) => ({ type: 'document', source: base64(type, data) }),
};
const WORDS: Record<Id, object> = {
  'openai-chat': { type: 'text', text: 'Sum up.' },
  'openai-responses': { type: 'input_text', text: 'Sum up.' },
  'anthropic-messages': { type: 'text', text: 'Sum up.' },
};
const turn = (id: Id, ...content: object[]) => ({
  [id === 'openai-responses' ? 'input' : 'messages']: [{ role: 'user', content }],
});
const KINDS: Record<Id, { image: string; file: string }> = {
  'openai-chat': { image: 'image_url', file: 'file' },
  'openai-responses': { image: 'input_image', file: 'input_file' },
  'anthropic-messages': { image: 'image', file: 'document' },
};
const PAIRS = DIALECTS.flatMap((from) => DIALECTS.filter((to) => to !== from).map((to) => [from, to] as const));

for (const [from, to] of PAIRS) {
  test(`the media type decides, from ${from} to ${to}`, async () => {
    const kinds: readonly [object, string][] = [
      [asImage[from]('application/pdf', PDF), KINDS[to].file],
      [asImage[from]('Application/PDF', PDF), KINDS[to].file],
      [asFile[from]('image/png', PNG), KINDS[to].image],
      [asFile[from]('application/octet-stream', PNG), KINDS[to].image],
    ];
    for (const [part, kind] of kinds) {
      const { sent, answer } = await call(from, `${to}/m`, turn(from, WORDS[from], part));
      assert.equal(answer.status, 200, JSON.stringify(part));
      const content = field(sent, to === 'openai-responses' ? 'input' : 'messages', '0', 'content') as object[];
      assert.deepEqual(
        content.map((each) => field(each, 'type')),
        [field(WORDS[to], 'type'), kind],
        JSON.stringify(part),
      );
    }
  });
}

/** Base64 in lines, as encoders for mail write it. */
const inLines = (data: string) => `${data.replace(/.{8}/g, '$&\r\n')}\n`;

for (const [from, to] of PAIRS) {
  test(`base64 in lines from ${from} is whole to ${to}`, async () => {
    const parts = [asImage[from]('image/png', inLines(PNG)), asFile[from]('application/pdf', inLines(PDF))];
    const { sent, answer } = await call(from, `${to}/m`, turn(from, WORDS[from], ...parts));
    assert.equal(answer.status, 200, await answer.text());
    const written = JSON.stringify(sent);
    assert.ok(written.includes(PNG) && written.includes(PDF), written);
    assert.doesNotMatch(written, /\\[rn]/);
  });
}

test('and in calls that pass to a vendor of messages, wherever it stands', async () => {
  const png = PNG.padEnd(120, 'A');
  const result = (content: object[]) => ({ type: 'tool_result', tool_use_id: 'call_one', content });
  for (const data of [inLines(png), png.replace(/.{76}/g, '$&\n'), `${png}\n`]) {
    const image = asImage['anthropic-messages']('image/png', data);
    const pdf = asFile['anthropic-messages']('application/pdf', `${PDF}\n`);
    const { sent } = await call('anthropic-messages', 'anthropic-messages/m', {
      tools: TOOLS,
      messages: [
        { role: 'user', content: 'Look' },
        { role: 'assistant', content: [use('call_one')] },
        { role: 'user', content: [result([image]), pdf] },
      ],
    });
    assert.deepEqual(field(sent, 'messages', '2', 'content'), [
      result([asImage['anthropic-messages']('image/png', png)]),
      asFile['anthropic-messages']('application/pdf', PDF),
    ]);
  }
});

const ZIP = 'UEsDBAoAAAAAAA==';
const ZIPPED = { type: 'file', file: { filename: 'all.zip', file_data: `data:application/zip;base64,${ZIP}` } };
const HEARD = { type: 'input_audio', input_audio: { data: WAV, format: 'wav' } };

test('a prompt of nothing but files that cannot be carried is refused by their names', async () => {
  const calls: readonly [Id, Id, object, RegExp, string][] = [
    ['openai-chat', 'anthropic-messages', turn('openai-chat', ZIPPED, HEARD), /all\.zip.*audio \(wav\)/, 'messages'],
    ['openai-chat', 'openai-responses', turn('openai-chat', HEARD), /audio \(wav\)/, 'messages'],
    ['openai-responses', 'anthropic-messages', turn('openai-responses', HEARD), /audio \(wav\)/, 'input'],
    [
      'openai-responses',
      'openai-chat',
      turn('openai-responses', { type: 'input_file', file_url: 'https://a.invalid/a.pdf' }),
      /a\.pdf/,
      'input',
    ],
    ['anthropic-messages', 'openai-chat', turn('anthropic-messages', byUrl()), /a\.pdf/, 'messages'],
    [
      'anthropic-messages',
      'openai-responses',
      turn('anthropic-messages', { type: 'document', source: { type: 'file', file_id: 'file_own' } }),
      /file/,
      'messages',
    ],
  ];
  for (const [from, to, body, named, param] of calls) {
    const before = vendor.requests.length;
    const { answer } = await call(from, `${to}/m`, body);
    const text = await answer.text();
    assert.equal(answer.status, 400, text);
    assert.match(text, named);
    if (from !== 'anthropic-messages') assert.equal(field(JSON.parse(text), 'error', 'param'), param);
    assert.equal(vendor.requests.length, before);
    vendor.forget();
  }
});

function byUrl(): object {
  return { type: 'document', source: { type: 'url', url: 'https://a.invalid/a.pdf' } };
}

test('so is a last turn of them, and one beside words is not', async () => {
  const last = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Hello' },
    { role: 'user', content: [HEARD] },
  ];
  const refused = await call('openai-chat', 'anthropic-messages/m', { messages: last });
  assert.equal(refused.answer.status, 400);
  vendor.forget();
  const told = await call('openai-chat', 'anthropic-messages/m', turn('openai-chat', WORDS['openai-chat'], HEARD));
  assert.equal(told.answer.status, 200);
  assert.equal(told.answer.headers.get('service-dropped'), 'audio');
});

test('the next target of a route takes what the first cannot be given', async () => {
  vendor.plan(scripted('openai-chat', [{ text: 'Fine.', usage: { input: 1, output: 1 } }]), { times: 1 });
  const { answer, sent } = await call('openai-chat', 'rt/sound', turn('openai-chat', HEARD));
  assert.equal(answer.status, 200, await answer.text());
  assert.equal(field(sent, 'messages', '0', 'content', '0', 'type'), 'input_audio');
});
