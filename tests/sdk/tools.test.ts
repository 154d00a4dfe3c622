import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { zodFunction, zodResponseFormat } from 'openai/helpers/zod';
import type { ParsedChoice } from 'openai/resources/chat/completions';
import * as z from 'zod';
import { answer } from '../../src/testing/answers.ts';
import { startLab } from './lab.ts';

const lab = await startLab(`
providers:
  lab: { base_url: "\${LAB_URL}", only: [lab-small] }
`);
const { client, vendor } = lab;
after(() => lab[Symbol.asyncDispose]());

const messages = [{ role: 'user' as const, content: 'What is the weather in Rome and in Oslo?' }];
const City = z.object({ city: z.string() });
const weather = zodFunction({ name: 'weather', parameters: City });

function functionCalls(choices: readonly ParsedChoice<unknown>[]) {
  return (choices[0]?.message.tool_calls ?? []).flatMap((call) => (call.type === 'function' ? [call.function] : []));
}

test('two parallel tool calls are assembled from a stream', async () => {
  const toolCalls = [
    { name: 'weather', arguments: '{"city": "Rome"}' },
    { name: 'weather', arguments: '{"city": "Oslo"}' },
  ];
  vendor.plan(answer({ toolCalls }), { times: 1 });
  const stream = client.chat.completions.stream({ model: 'lab-small', messages, tools: [weather] });
  const done: string[] = [];
  stream.on('tool_calls.function.arguments.done', (call) => void done.push(`${call.index} ${call.arguments}`));
  const completion = await stream.finalChatCompletion();
  assert.equal(completion.choices[0]?.finish_reason, 'tool_calls');
  const calls = functionCalls(completion.choices);
  assert.deepEqual(
    calls.map((call) => call.parsed_arguments),
    [{ city: 'Rome' }, { city: 'Oslo' }],
  );
  assert.equal(new Set(completion.choices[0]?.message.tool_calls?.map(({ id }) => id)).size, 2);
  assert.deepEqual(done, ['0 {"city": "Rome"}', '1 {"city": "Oslo"}']);
});

test('the built-in model calls the tool it must', async () => {
  const required = { model: 'echo', messages, tools: [weather], tool_choice: 'required' as const };
  const whole = await client.chat.completions.parse(required);
  const streamed = await client.chat.completions.stream(required).finalChatCompletion();
  for (const { choices } of [whole, streamed]) {
    const [call] = functionCalls(choices);
    assert.equal(call?.name, 'weather');
    assert(City.safeParse(call?.parsed_arguments).success);
  }
});

test('a conversation with tools goes to its end and back', async () => {
  vendor.plan(answer({ toolCalls: [{ name: 'weather', arguments: '{"city": "Rome"}' }] }), { times: 1 });
  vendor.plan(answer({ text: 'It rains in Rome.' }), { times: 1 });
  const asked: string[] = [];
  const run = ({ city }: z.infer<typeof City>) => {
    asked.push(city);
    return `rain in ${city}`;
  };
  const tool = zodFunction({ name: 'weather', parameters: City, function: run });
  const runner = client.chat.completions.runTools({ model: 'lab-small', messages, tools: [tool], stream: true });
  assert.equal(await runner.finalContent(), 'It rains in Rome.');
  assert.deepEqual(asked, ['Rome']);
  const { messages: sent } = vendor.requests.at(-1)!.json as { messages: { role: string; content: unknown }[] };
  assert.deepEqual(
    sent.map(({ role }) => role),
    ['user', 'assistant', 'tool'],
  );
  assert.equal(sent.at(-1)?.content, 'rain in Rome');
});

test('structured output is parsed, whole and streamed', async () => {
  const Answer = z.object({ temperature: z.number(), sky: z.enum(['clear', 'cloudy']) });
  const request = { model: 'lab-small', messages, response_format: zodResponseFormat(Answer, 'weather') };
  vendor.plan(answer({ text: '{"temperature": -3.5, "sky": "clear"}', chunks: 7 }));
  const whole = await client.chat.completions.parse(request);
  assert.deepEqual(whole.choices[0]?.message.parsed, { temperature: -3.5, sky: 'clear' });
  const streamed = await client.chat.completions.stream(request).finalChatCompletion();
  assert.deepEqual(streamed.choices[0]?.message.parsed, { temperature: -3.5, sky: 'clear' });
  vendor.forget();
  const echoed = await client.chat.completions.parse({ ...request, model: 'echo' });
  assert.equal(typeof echoed.choices[0]?.message.parsed?.temperature, 'number');
});
