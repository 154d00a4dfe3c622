import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import OpenAI from 'openai';
import { WAIT_MS } from '../../src/testing/wait.ts';
import { rejection } from '../sdk/lab.ts';
import { runHeadgate, startHeadgate } from '../support/headgate.ts';
import { clientsAt } from '../translation/clients.ts';
import { configOf, DATED, ENV, heard, lastRecord, SHUT_DOWN, SHUT_DOWN_ON, startVendor, TEXT, UNKNOWN } from './lab.ts';

/** What somebody sees who looks at such a gateway from a second terminal. */
const vendor = await startVendor();
const config = configOf(vendor.url);
const headgate = await startHeadgate({ config, env: ENV });
after(async () => {
  await headgate[Symbol.asyncDispose]();
  await vendor.close();
});
await heard(headgate);

async function printed(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await headgate.command(...args);
  assert.equal(code, 0, `${stdout}${stderr}`);
  return stdout;
}

/** What a table has of a model. */
async function listed(model: string): Promise<string> {
  const lines = (await printed('catalog', 'list', '--search', model)).split('\n');
  return lines.find((line) => line.startsWith(`${model} `))?.replace(/ {2,}/g, ' | ') ?? lines.join('\n');
}

test('`catalog list` tells what is not known of a model, whose price it has, and that it was shut down or will be', async () => {
  assert.equal(await listed(UNKNOWN), `${UNKNOWN} | openai | - | - | -`);
  assert.equal(await listed(DATED), `${DATED} | openai | 922000 | $0.1 | $0.5 | billed as gpt-6-luna`);
  assert.equal(await listed(SHUT_DOWN), `${SHUT_DOWN} | openai | 8192 | $30 | $60 | shut down on ${SHUT_DOWN_ON}`);
  assert.doesNotMatch(await listed('gpt-4o-mini'), /shut|listed|billed/);
});

test('`doctor` finds all well, and tells once who serves', async () => {
  const text = await printed('doctor');
  assert.match(text, /^ok +provider openai +answers: 4 models in \d+ ms$/m);
  assert.equal(text.match(/serves this data/g)?.length, 1, text);
});

test('`usage show` says what has no price, and whose price was taken', async () => {
  const clients = clientsAt(headgate.url, headgate.key);
  const show = async (model: string) => {
    await clients['openai-chat'](model, false);
    return printed('usage', 'show', String((await lastRecord(headgate)).id));
  };
  const unknown = await show(UNKNOWN);
  assert.match(unknown, /^Charged +not known; by the vendors: not known$/m);
  assert.match(unknown, /^No price +input, cache_read, output \(set a price: headgate prices set\)$/m);
  const dated = await show(DATED);
  assert.match(dated, /^Charged +\$0\.00013363; by the vendors: \$0\.00013363$/m);
  assert.match(dated, /^Price +that of gpt-6-luna, its base model$/m);
  assert.match(await printed('usage', 'summary'), new RegExp(`^${UNKNOWN} .* 1$`, 'm'), 'one call of it has no cost');
});

test('`doctor` names each model once that the configuration calls and its vendor does not list', async () => {
  const models = `models: [lab-small, { id: lab-large, upstream: lab-large-2026 }, ${UNKNOWN}]`;
  const { code, stdout } = await runHeadgate(['doctor'], {
    config: `providers: { lab: { base_url: "${vendor.url}", ${models} } }\naliases: { default: lab-small }\nroutes: { mine: { targets: [lab-small] } }\n`,
  });
  assert.equal(code, 0);
  const words = 'the configuration uses default, lab-small, lab/lab-large, which lab does not list';
  assert.match(stdout, new RegExp(`^warn +models lab +${words}$`, 'm'));
});

/** The ways that the refusal tells, as it tells them. */
const PRICES: Readonly<Record<string, { said: RegExp; take(model: string): Promise<unknown> }>> = {
  'with a command': {
    said: /`headgate prices set provider\/model --input … --output …`/,
    take: (model) => printed('prices', 'set', model, '--input', '2', '--output', '8'),
  },
  'in the file': {
    said: /under `models` in headgate\.yaml, as `provider\/model: \{ price: \{ input_per_1m: …, output_per_1m: … \} \}`/,
    take: (model) =>
      headgate.reload(`${config}models: { ${model}: { price: { input_per_1m: 2, output_per_1m: 8 } } }\n`),
  },
};

for (const [way, { said: words, take }] of Object.entries(PRICES))
  test(`a key with a spend limit may use a new model once it has a price ${way}, as the refusal says`, async () => {
    const model = `openai/gpt-7-nova-${Object.keys(PRICES).indexOf(way)}`;
    const { key } = await headgate.createKey('--spend-limit', '5');
    const call = () => clientsAt(headgate.url, key)['openai-chat'](model, false);
    const { status, code, message } = await rejection(call(), OpenAI.APIError);
    assert.deepEqual([status, code], [403, 'model_unpriced']);
    assert.match(message, words);
    await take(model);
    // What is set by a command is in force within a second.
    const deadline = performance.now() + WAIT_MS;
    const said = () =>
      call()
        .then(({ text }) => text)
        .catch(({ code: still }) => still);
    while ((await said()) === 'model_unpriced') assert.ok(performance.now() < deadline, 'the price holds');
    assert.equal(await said(), TEXT);
    // 1201 at $2, cached or not, and 87 at $8 per million, by hand.
    assert.equal((await lastRecord(headgate)).cost_usd, 0.003098);
  });
