import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { answer } from '../../src/testing/answers.ts';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { jsonReply, type VendorRequest } from '../../src/testing/reply.ts';
import { ask } from '../http/client.ts';
import { PATHS } from '../support/dialects.ts';
import { startHeadgate } from '../support/headgate.ts';

/** What the model puts out at most, whatever is asked of it. */
const MOST = 2000;
/** Nano-dollars a token of output; input costs nothing here. */
const PRICE = 2000;
const LIMIT = 10_000_000;

const vendor = await startFakeProvider();
after(() => vendor.close());
const model = `{ id: M, max_output_tokens: ${MOST}, price: { input_per_1m: 0, output_per_1m: 2 } }`;
const provider = (dialect: string) =>
  `  ${dialect}: { base_url: "${vendor.url}", dialects: [${dialect}], models: [${model.replace('M', 'm')}, ${model.replace('M', 'claude-sonnet-4-5')}] }`;
const CONFIG = `
providers:
${Object.keys(PATHS).map(provider).join('\n')}
limits: { requests_per_minute: 1000000, tokens_per_minute: 1000000000 }
retries: { attempts: 1 }
`;
const headgate = await startHeadgate({ config: CONFIG });
after(() => headgate[Symbol.asyncDispose]());

type Body = Record<string, unknown> & Record<'options' | 'reasoning' | 'thinking', Record<string, number> | undefined>;

/** A vendor that goes by whichever name says most, and uses all of it. */
function greed({ body }: VendorRequest): number {
  const asked = JSON.parse(body.toString()) as Body;
  const { options, reasoning, thinking } = asked;
  const named = [
    ...['max_tokens', 'max_completion_tokens', 'max_output_tokens', 'max_new_tokens', 'n_predict', 'min_tokens'].map(
      (name) => asked[name],
    ),
    options?.num_predict,
    reasoning?.max_tokens,
    thinking?.budget_tokens,
  ].filter((value) => typeof value === 'number');
  const open = named.length === 0 || named.some((value) => value < 1);
  const perChoice = open ? MOST : Math.min(MOST, Math.max(...named));
  return (perChoice + Number(asked.thinking_budget ?? 0)) * Math.max(Number(asked.n ?? 1), Number(asked.best_of ?? 1));
}

vendor.plan((request) => {
  const usage = { prompt_tokens: 0, completion_tokens: greed(request), total_tokens: greed(request) };
  return answer({ text: 'a', usage })(request);
});
vendor.plan(
  (request) =>
    jsonReply(200, {
      ...{ id: 'resp_9', object: 'response', model: 'm', status: 'completed' },
      output: [{ id: 'msg_9', type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'a' }] }],
      usage: { input_tokens: 0, output_tokens: greed(request), total_tokens: greed(request) },
    }),
  { path: PATHS['openai-responses'] },
);
vendor.plan(
  (request) =>
    jsonReply(200, {
      ...{ id: 'msg_9', type: 'message', role: 'assistant', model: 'm', stop_reason: 'end_turn' },
      content: [{ type: 'text', text: 'a' }],
      usage: { input_tokens: 0, output_tokens: greed(request) },
    }),
  { path: PATHS['anthropic-messages'] },
);

const messages = [{ role: 'user', content: 'Hi' }];
type Surface = keyof typeof PATHS;

/** Bodies that say one thing of the output in one place, and more in another, or nothing. */
const BODIES: readonly [surface: Surface, fields: string, to?: Surface][] = [
  ['openai-chat', '"max_completion_tokens":1,"max_tokens":1000'],
  ['openai-chat', '"max_tokens":1,"max\\u005ftokens":1000'],
  ['openai-chat', '"max_tokens":1,"thinking_budget":100,"best_of":10'],
  ['openai-chat', '"stop":null'],
  ['openai-responses', '"max_output_tokens":1,"max_tokens":1000', 'openai-chat'],
  ['openai-chat', '"max_tokens":1,"reasoning_effort":"high"', 'anthropic-messages'],
];

for (const [surface, fields, to = surface] of BODIES) {
  test(`${surface} to ${to}: ${fields} is held to all that it may cost, one after the other and at once`, async () => {
    const name = to === 'anthropic-messages' ? 'claude-sonnet-4-5' : 'm';
    const content = surface === 'openai-responses' ? '"input":"Hi"' : `"messages":${JSON.stringify(messages)}`;
    const body = `{"model":"${to}/${name}",${content},${fields}}`;
    const held = await spender();
    const call = () => ask(`${headgate.url}${PATHS[surface]}`, { key: held.key, body });
    const before = vendor.requests.length;
    const first = await call();
    assert.equal(first.status, 200, first.text);
    const statuses = await Promise.all(Array.from({ length: 200 }, async () => (await call()).status));
    for (let more = 0; more < 3; more += 1) statuses.push((await call()).status);
    assert.ok(statuses.every((status) => status === 200 || status === 429) && statuses.includes(429), statuses.join());
    const spent = vendor.requests.slice(before).reduce((sum, request) => sum + greed(request) * PRICE, 0);
    assert.ok(spent <= LIMIT, `${spent / 1e9} dollars of ${LIMIT / 1e9}`);
  });
}

/** A key that may spend the limit. */
async function spender(): Promise<{ key: string }> {
  return headgate.createKey('--spend-limit', '0.01');
}

for (const [fields, param] of [
  ['"max_tokens":"1000"', 'max_tokens'],
  ['"max_tokens":1,"max_completion_tokens":"1000"', 'max_completion_tokens'],
  ['"max_tokens":1,"max_output_tokens":[1000]', 'max_output_tokens'],
  ['"max_tokens":1,"best_of":"100"', 'best_of'],
  ['"max_tokens":1,"options":{"num_predict":"1000"}', 'options.num_predict'],
  ['"max_tokens":1,"max_new_tokens":1e300', 'max_new_tokens'],
  ['"max_tokens":1.5', 'max_tokens'],
] as const) {
  test(`${fields} is refused, since vendors may read it as a number`, async () => {
    const body = `{"model":"openai-chat/m","messages":${JSON.stringify(messages)},${fields}}`;
    const { status, text } = await ask(`${headgate.url}${PATHS['openai-chat']}`, { key: headgate.key, body });
    assert.equal(status, 400);
    assert.ok(text.includes(`\`${param}\``), text);
  });
}
