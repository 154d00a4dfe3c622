import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { gateway, Headgate } from '@headgate/client';
import OpenAI, { APIConnectionError, AuthenticationError, BadRequestError, RateLimitError } from 'openai';
import { zodResponseFormat, zodTextFormat } from 'openai/helpers/zod';
import { z } from 'zod';

/* What the official client does, asked of ours: each release of it that is supported runs this. */

const client = new Headgate();
const messages = [{ role: 'user' as const, content: 'Hello' }];
const City = z.object({ city: z.string(), population: z.number() });

/** Answers in the order given, and what was asked. */
function answering(...answers: (() => Response)[]) {
  const asked: { url: string; init: RequestInit; headers: Headers }[] = [];
  const fetch = async (url: string | URL | Request, init: RequestInit = {}) => {
    asked.push({ url: String(url), init, headers: new Headers(init.headers) });
    return answers[Math.min(asked.length, answers.length) - 1]!();
  };
  return { asked, fetch };
}

function json(body: unknown, status = 200, headers: Record<string, string> = {}): () => Response {
  const init = { status, headers: { 'content-type': 'application/json', ...headers } };
  return () => new Response(JSON.stringify(body), init);
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

const error = (code: string) => ({ error: { message: 'No.', type: 'server_error', param: null, code } });
const COMPLETION = { id: 'c', object: 'chat.completion', model: 'm', created: 1, choices: [] };

test('it is the official client', () => {
  assert.ok(client instanceof OpenAI);
});

test('streams of chat completions, and their helper', async () => {
  const stream = await client.chat.completions.create({ model: 'echo', messages, stream: true });
  let said = '';
  for await (const chunk of stream) said += chunk.choices[0]?.delta?.content ?? '';
  assert.equal(said, 'Hello');
  const helper = client.chat.completions.stream({ model: 'echo', messages });
  assert.equal(await helper.finalContent(), 'Hello');
});

test('a stream can be split, and turned into bytes and back', async () => {
  const stream = await client.chat.completions.create({ model: 'echo', messages, stream: true });
  const halves = stream.tee();
  const lengths = await Promise.all(halves.map(async (half) => (await all(half)).length));
  assert.equal(lengths[0], lengths[1]);
  const again = await client.chat.completions.create({ model: 'echo', messages, stream: true });
  assert.match(await new Response(again.toReadableStream()).text(), /Hello/);
});

test('answers are parsed', async () => {
  const response_format = zodResponseFormat(City, 'city');
  const completion = await client.chat.completions.parse({ model: 'fake-json', messages, response_format });
  assert.deepEqual(completion.choices[0]?.message.parsed, { city: 'Paris', population: 2102650 });
  const text = { format: zodTextFormat(City, 'city') };
  const response = await client.responses.parse({ model: 'fake-json', input: 'Paris?', text });
  assert.equal(response.output_parsed?.city, 'Paris');
});

test('tools are called, and run', async () => {
  const parameters = { type: 'object', properties: { city: { type: 'string' } } };
  const described = { name: 'get_weather', description: 'Tells the weather.', parameters };
  const completion = await client.chat.completions.create({
    model: 'fake-tools',
    messages,
    tools: [{ type: 'function', function: described }],
  });
  const [call] = completion.choices[0]?.message.tool_calls ?? [];
  assert.equal(call?.type === 'function' && call.function.name, 'get_weather');
  const asked: string[] = [];
  const run = (args: { city: string }) => {
    asked.push(args.city);
    return 'Rain.';
  };
  const runner = client.chat.completions.runTools(
    {
      model: 'fake-tools',
      messages,
      tools: [{ type: 'function', function: { ...described, parse: JSON.parse, function: run } }],
    },
    { maxChatCompletions: 2 },
  );
  await runner.done().catch(() => undefined);
  assert.deepEqual([...new Set(asked)], ['Paris']);
  assert.equal(gateway(runner).provider, 'fake');
});

test('responses: the text of all output, events, and the helper', async () => {
  const response = await client.responses.create({ model: 'echo', input: 'Hello' });
  assert.equal(response.output_text, 'Hello');
  const types = new Set<string>();
  for await (const event of await client.responses.create({ model: 'echo', input: 'Hello', stream: true })) {
    types.add(event.type);
  }
  assert.ok(types.has('response.output_text.delta') && types.has('response.completed'), [...types].join());
  assert.equal((await client.responses.stream({ model: 'echo', input: 'Hello' }).finalResponse()).output_text, 'Hello');
});

test('embeddings', async () => {
  const { data } = await client.embeddings.create({ model: 'text-embedding-3-small', input: ['a', 'b'] });
  assert.deepEqual([data.length, data[0]?.embedding.length], [2, 1536]);
});

test('lists are walked through', async () => {
  const ids = (await all(client.models.list())).map(({ id }) => id);
  assert.ok(ids.includes('fake-small'), ids.join());
  const page = await client.models.list();
  assert.equal(page.data.length, ids.length);
  assert.equal(page.hasNextPage(), false);
});

test('raw responses', async () => {
  const raw = await client.chat.completions.create({ model: 'echo', messages }).asResponse();
  assert.deepEqual([raw.status, ((await raw.json()) as { object: string }).object], [200, 'chat.completion']);
  const { data, response, request_id } = await client.chat.completions
    .create({ model: 'echo', messages })
    .withResponse();
  assert.equal(data.choices[0]?.message.content, 'Hello');
  assert.equal(request_id, response.headers.get('x-request-id'));
  const whole = await client.chat.completions.create({ model: 'echo', messages });
  assert.equal(whole._request_id, gateway(whole).requestId);
});

test('copies with other options are clients of the same kind', async () => {
  const { fetch, asked } = answering(json(COMPLETION));
  const copy = client.withOptions({ maxRetries: 0, defaultHeaders: { 'x-team': 'a' }, fetch });
  assert.ok(copy instanceof Headgate);
  assert.deepEqual([copy.baseURL, copy.apiKey, copy.maxRetries], [client.baseURL, client.apiKey, 0]);
  await copy.withOptions({ timeout: 1234 }).chat.completions.create({ model: 'm', messages });
  assert.deepEqual(
    [asked[0]?.headers.get('x-team'), asked[0]?.headers.get('authorization')],
    ['a', `Bearer ${client.apiKey}`],
  );
});

test('what fails is sent again after the wait that is named; what is of no use is not', async () => {
  const busy = json(error('overloaded'), 503, { 'retry-after-ms': '1', 'x-should-retry': 'true' });
  const { fetch, asked } = answering(busy, busy, json(COMPLETION));
  await client.withOptions({ fetch }).chat.completions.create({ model: 'm', messages });
  assert.equal(asked.length, 3);
  assert.equal(asked[2]?.headers.get('x-stainless-retry-count'), '2');
  const never = answering(json(error('insufficient_quota'), 429, { 'x-should-retry': 'false' }));
  const refused = client.withOptions({ fetch: never.fetch }).chat.completions.create({ model: 'm', messages });
  await assert.rejects(refused, RateLimitError);
  assert.equal(never.asked.length, 1);
});

test('errors are of the official classes', async () => {
  const asking = (model: string, apiKey = client.apiKey) =>
    client.withOptions({ apiKey, maxRetries: 0 }).chat.completions.create({ model, messages });
  await assert.rejects(asking('fault:bad-request'), BadRequestError);
  await assert.rejects(asking('echo', 'hg_live_wrong'), AuthenticationError);
  const gone = client.withOptions({ maxRetries: 0, fetch: () => Promise.reject(new Error('gone')) });
  await assert.rejects(gone.models.list(), APIConnectionError);
});

test('administration goes out with the administrator’s key', async () => {
  const { fetch, asked } = answering(json({ object: 'list', data: [], has_more: false }));
  const page = await client.withOptions({ fetch }).admin.organization.projects.list();
  assert.equal(asked[0]?.headers.get('authorization'), `Bearer ${process.env.HEADGATE_ADMIN_KEY}`);
  assert.ok(asked[0]?.url.startsWith(`${client.baseURL}/organization/projects`));
  assert.deepEqual(page.data, []);
});

test('webhooks are verified', async () => {
  const secret = Buffer.from('a secret of the tests').toString('base64');
  const payload = JSON.stringify({ id: 'evt_1', object: 'event', type: 'budget.reached', created_at: 1, data: {} });
  const timestamp = Math.floor(Date.now() / 1000);
  const signed = createHmac('sha256', Buffer.from(secret, 'base64'))
    .update(`msg_1.${timestamp}.${payload}`)
    .digest('base64');
  const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': `${timestamp}`, 'webhook-signature': `v1,${signed}` };
  assert.equal((await client.webhooks.unwrap(payload, headers, `whsec_${secret}`)).id, 'evt_1');
  await assert.rejects(client.webhooks.unwrap(`${payload} `, headers, `whsec_${secret}`));
});
