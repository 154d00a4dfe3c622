import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { answer } from '../../src/testing/answers.ts';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { jsonReply, type VendorRequest } from '../../src/testing/reply.ts';
import { type Answer, ask } from '../http/client.ts';
import { PATHS } from '../support/dialects.ts';
import { type Running, startHeadgate } from '../support/headgate.ts';
import { timeoutsOf } from '../support/timeouts.ts';

/** What the models put out at most, whatever is asked of them. */
const MOST = 2000;
/** What these can put out costs more than the limit, and what they put out does so only of one. */
const MOST_OF_LARGE = 20_000;
const BRIEF = 400;
/** What a call that names no maximum must have left of its limit: `limits.default_max_output`. */
const LEAST = 1024;
/** Nano-dollars a token of output; input costs nothing here. */
const PRICE = 2000;
const LIMIT = 10_000_000;

const vendor = await startFakeProvider();
after(() => vendor.close());
const model = (id: string, most: number) =>
  `{ id: ${id}, max_output_tokens: ${most}, price: { input_per_1m: 0, output_per_1m: 2 } }`;
const models = [
  ...['m', 'claude-sonnet-4-5'].map((id) => model(id, MOST)),
  ...['brief', 'long'].map((id) => model(id, MOST_OF_LARGE)),
];
const provider = (dialect: string) =>
  `  ${dialect}: { base_url: "${vendor.url}", dialects: [${dialect}], only: [${models.join(', ')}] }`;
const CONFIG = `
providers:
${Object.keys(PATHS).map(provider).join('\n')}
limits: { requests_per_minute: 1000000, tokens_per_minute: 1000000000 }
retries: { attempts: 1 }
timeouts: ${timeoutsOf()}
`;
const [headgate, withWorkers] = await Promise.all([
  startHeadgate({ config: CONFIG }),
  startHeadgate({ config: CONFIG, args: ['--workers', '4'] }),
]);
after(() => Promise.all([headgate[Symbol.asyncDispose](), withWorkers[Symbol.asyncDispose]()]));

type Body = Record<string, unknown> & Record<'options' | 'reasoning' | 'thinking', Record<string, number> | undefined>;

/** A vendor that goes by whichever name says most, and uses all of it. */
function greed({ body }: VendorRequest): number {
  const asked = JSON.parse(body.toString()) as Body;
  if (asked.model === 'brief') return BRIEF;
  if (asked.model === 'long') return MOST_OF_LARGE;
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
    const spent = spentSince(before);
    assert.ok(spent <= LIMIT, `${spent / 1e9} dollars of ${LIMIT / 1e9}`);
  });
}

test('a key may use all of its limit by calls that name no maximum, one after the other', async () => {
  const chat = { model: 'openai-chat/brief', fields: '' };
  const { key } = await spender();
  const before = vendor.requests.length;
  const statuses = await atOnce(headgate, key, chat);
  assert.ok(statuses.includes(200) && statuses.includes(429), statuses.join());
  let status = 200;
  while (status === 200) status = (await unbounded(headgate, key, chat)).status;
  assert.equal(status, 429);
  // As many as leave too little for another.
  const fitting = Math.floor((LIMIT - LEAST * PRICE) / (BRIEF * PRICE)) + 1;
  assert.equal(vendor.requests.length - before, fitting);
});

test('of calls at once that name no maximum, or -1, one alone can pass the limit', async () => {
  const chat = { model: 'openai-chat/long', fields: ',"max_tokens":-1' };
  const { key } = await spender();
  const before = vendor.requests.length;
  const statuses = await atOnce(headgate, key, chat);
  assert.equal(statuses.filter((status) => status === 200).length, 1, statuses.join());
  assert.equal(spentSince(before), MOST_OF_LARGE * PRICE);
  const { status, text } = await unbounded(headgate, key, chat);
  assert.equal(status, 429);
  assert.match(text, /has \$0 left of \$0\.01 .* sets no output limit; at least \$0\.002048 must be left/);
});

test('several workers let in calls that name no maximum one after the other, of which one can pass the limit', async () => {
  const [brief, long] = ['brief', 'long'].map((name) => ({ model: `openai-chat/${name}`, fields: '' }));
  const { key } = await withWorkers.createKey('--spend-limit', '0.01');
  const before = vendor.requests.length;
  const statuses = await atOnce(withWorkers, key, brief!);
  assert.ok(statuses.every((status) => status === 200 || status === 429) && statuses.includes(429), statuses.join());
  // What one worker was told, the others hear a moment later.
  for (let tries = 0; vendor.requests.length - before < 5; tries += 1) {
    const { status, text } = await unbounded(withWorkers, key, brief!);
    assert.ok(status === 200 || (status === 429 && tries < 2000), text);
  }
  assert.ok(spentSince(before) <= LIMIT);

  const other = await withWorkers.createKey('--spend-limit', '0.01');
  const letIn = (await atOnce(withWorkers, other.key, long!)).filter((status) => status === 200);
  assert.equal(letIn.length, 1);
});

/** A key that may spend the limit. */
async function spender(): Promise<{ key: string }> {
  return headgate.createKey('--spend-limit', '0.01');
}

/** What vendors charge for the requests from this one on, in nano-dollars. */
function spentSince(before: number): number {
  return vendor.requests.slice(before).reduce((sum, request) => sum + greed(request) * PRICE, 0);
}

type Unbounded = { model: string; fields: string };

function unbounded({ url }: Running, key: string, { model, fields }: Unbounded): Promise<Answer> {
  const body = `{"model":"${model}","messages":${JSON.stringify(messages)}${fields}}`;
  return ask(`${url}${PATHS['openai-chat']}`, { key, body });
}

function atOnce(asked: Running, key: string, call: Unbounded): Promise<number[]> {
  return Promise.all(Array.from({ length: 200 }, async () => (await unbounded(asked, key, call)).status));
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

for (const [fields, param] of [
  ['"max_tokens":1,"Max_Tokens":1000', 'Max_Tokens'],
  ['"max_tokens":1,"MODEL":"openai-chat/claude-sonnet-4-5"', 'MODEL'],
  ['"max_tokens":1,"max_to\u212aens":1000', 'max_to\u212aens'],
  ['"max_tokens":1,"max_toKens":1000', 'max_toKens'],
  ['"max_tokens":1,"\\u004eum":1,"\\u004e":100', 'N'],
] as const) {
  test(`${fields} is refused, since vendors may read names in any case`, async () => {
    const body = `{"model":"openai-chat/m","messages":${JSON.stringify(messages)},${fields}}`;
    const before = vendor.requests.length;
    const { status, text } = await ask(`${headgate.url}${PATHS['openai-chat']}`, { key: headgate.key, body });
    assert.deepEqual([status, vendor.requests.length - before], [400, 0]);
    assert.ok(text.includes(`\`${param}\``), text);
  });
}
