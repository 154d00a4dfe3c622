import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { field } from '../../src/testing/json.ts';
import { startHeadgate } from '../support/headgate.ts';
import { scripted } from './vendors.ts';

const vendor = await startFakeProvider();
const headgate = await startHeadgate({
  config: `providers:
  anthropic: { base_url: "${vendor.url}", api_key: sk-test, models: [claude-a] }
  own: { base_url: "${vendor.url}", dialects: [anthropic-messages], models: [o] }`,
});
after(async () => {
  await headgate[Symbol.asyncDispose]();
  await vendor.close();
});

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const PDF = 'JVBERi0xLjQKJcOkw7zDtsOfCjIgMCBvYmoK';
const text = (words: string, more: object = {}) => ({ type: 'text', text: words, ...more });
const user = (...content: object[]) => ({ role: 'user', content });
const model = (...content: object[]) => ({ role: 'assistant', content });
const image = (media_type: string, data: string) => ({ type: 'image', source: { type: 'base64', media_type, data } });
const thinking = { type: 'thinking', thinking: 'Hm', signature: 'c2ln' };
const HI = user(text('Hi'));
const BLANKS = ['', ' ', '\n\t ', '\u00a0', '\u3000\u2003', '\ufeff'];

/** What the vendor got of a call, and what was told. */
async function sent(body: object, name = 'anthropic/claude-a') {
  vendor.forget();
  vendor.plan(scripted('anthropic-messages', [{ text: 'Fine.', usage: { input: 9, output: 5 } }]));
  const whole = { model: name, max_tokens: 50, ...body };
  const response = await fetch(`${headgate.url}/v1/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${headgate.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(whole),
  });
  assert.equal(response.status, 200, await response.clone().text());
  await response.text();
  const { json, body: bytes } = vendor.requests.at(-1)!;
  const isSame = bytes.toString() === JSON.stringify({ ...whole, model: name.slice(name.indexOf('/') + 1) });
  return { json, isSame, dropped: response.headers.get('service-dropped') };
}

test('blank texts are left out of turns, results of tools and system texts', async () => {
  const call = model({ type: 'tool_use', id: 't1', name: 'a', input: { text: ' ' } });
  const result = (content: unknown) => user({ type: 'tool_result', tool_use_id: 't1', content });
  for (const blank of BLANKS) {
    for (const name of ['anthropic/claude-a', 'own/o']) {
      const messages = [
        user(text(blank), text('Hi'), text(blank, { cache_control: { type: 'ephemeral' } })),
        model(text(blank)),
        { role: 'user', content: blank },
        call,
        result([text(blank), text('Done')]),
      ];
      const { json, dropped } = await sent({ system: [text(blank), text('Be brief.')], messages }, name);
      assert.deepEqual(field(json, 'messages'), [HI, call, result([text('Done')])], JSON.stringify(blank));
      assert.deepEqual(field(json, 'system'), [text('Be brief.')]);
      assert.equal(dropped, null);
    }
  }
});

test('white space at the end of the last turn, and thinking that ends a turn, are left out', async () => {
  for (const end of [' ', '\n', '\n\n\u00a0']) {
    const { json } = await sent({ messages: [HI, model(text(`So${end}`))] });
    assert.deepEqual(field(json, 'messages', '1'), model(text('So')));
    const { json: plain } = await sent({ messages: [HI, { role: 'assistant', content: `So${end}` }] });
    assert.equal(field(plain, 'messages', '1', 'content'), 'So');
  }
  const { json, dropped } = await sent({ messages: [HI, model(text('A'), thinking), HI, model(thinking), HI] });
  assert.deepEqual(field(json, 'messages'), [HI, model(text('A')), HI, HI]);
  assert.equal(dropped, 'reasoning');
});

test('an image gets the type that its bytes show', async () => {
  for (const named of [
    'image/jpeg',
    'image/jpg',
    'IMAGE/PNG',
    'image/png; a=b',
    'application/octet-stream',
    'image/*',
  ]) {
    const result = { type: 'tool_result', tool_use_id: 't1', content: [image(named, PNG)] };
    const call = model({ type: 'tool_use', id: 't1', name: 'a', input: {} });
    const { json } = await sent({ messages: [user(image(named, PNG)), call, user(result)] });
    assert.deepEqual(field(json, 'messages', '0'), user(image('image/png', PNG)));
    assert.deepEqual(field(json, 'messages', '2', 'content', '0', 'content'), [image('image/png', PNG)]);
  }
  const { json } = await sent({ messages: [user(image('application/pdf', PDF), text('Hi'))] });
  const source = { type: 'base64', media_type: 'application/pdf', data: PDF };
  assert.deepEqual(field(json, 'messages', '0', 'content', '0'), { type: 'document', source });
});

test('what Anthropic takes passes byte for byte', async () => {
  const messages = [
    user(text('\n Hi \n'), image('image/png', PNG), text('\u3000\u65e5\u672c')),
    model(thinking, text('A \n')),
    user(text('\\n'), { type: 'document', source: { type: 'text', media_type: 'text/plain', data: ' ' } }),
    model(thinking, { type: 'tool_use', id: 't1', name: 'a', input: { content: [{ text: '' }] } }),
    user({ type: 'tool_result', tool_use_id: 't1', content: '' }),
    model(text('So')),
  ];
  const { isSame, dropped } = await sent({ system: '', messages });
  assert.equal(isSame, true);
  assert.equal(dropped, null);
});

test('a translated turn of thinking alone does not reach Anthropic', async () => {
  vendor.forget();
  const cut = { ...scriptedThoughts() };
  vendor.plan(scripted('anthropic-messages', [cut, { text: 'Fine.', usage: { input: 9, output: 5 } }]));
  const ask = async (input: object[]) => {
    const response = await fetch(`${headgate.url}/v1/responses`, {
      method: 'POST',
      headers: { authorization: `Bearer ${headgate.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'anthropic/claude-a', input, include: ['reasoning.encrypted_content'] }),
    });
    assert.equal(response.status, 200, await response.clone().text());
    return { json: await response.json(), dropped: response.headers.get('service-dropped') };
  };
  const question = { role: 'user', content: 'Go on.' };
  const { json } = await ask([question]);
  const { dropped } = await ask([question, ...(field(json, 'output') as object[]), question]);
  assert.match(String(dropped), /reasoning/);
  const roles = (field(vendor.requests.at(-1)?.json, 'messages') as object[]).map((each) => field(each, 'role'));
  assert.ok(!roles.includes('assistant'), JSON.stringify(roles));
});

/** An answer that was cut while the model thought. */
function scriptedThoughts() {
  return { reasoning: { id: 'r1', text: 'Hm', seal: 'c2lnbmVk' }, usage: { input: 9, output: 5 } };
}
