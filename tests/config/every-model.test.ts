import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { WAIT_MS } from '../../src/testing/wait.ts';
import { type Running, startHeadgate } from '../support/headgate.ts';
import { type Asked, chat, get, post, served } from './ask.ts';

/** What the catalog has never heard of, a dated name of what it has, and a model that was shut down in October. */
const UNKNOWN = 'gpt-7-nova';
const DATED = 'gpt-6-luna-2026-11-18';
const SHUT_DOWN = 'gpt-4';
const LISTED = [UNKNOWN, DATED, 'gpt-4o-mini', 'whisper-1', 'sora-2'];

const LIST = { path: '/v1/models' };
const env = { OPENAI_API_KEY: 'sk-0123456789' };

const vendor = await startFakeProvider({ models: LISTED });
const config = `providers: { openai: { base_url: "${vendor.url}", dialects: [openai-chat] } }\n`;
const headgate = await startHeadgate({ config, env });
after(async () => {
  await headgate[Symbol.asyncDispose]();
  await vendor.close();
});

type Entry = Record<'id' | 'listed_by' | 'inferred_from' | 'unlisted_since', string | null> & {
  pricing: Record<string, unknown>;
};

async function entryOf(running: Running, id: string): Promise<Entry | undefined> {
  const { json } = await get(running, `/v1/models/catalog?search=${id}`);
  return (json.data as Entry[]).find((entry) => entry.id === id);
}

/** Looks again and again until it is so. */
async function until(what: string, look: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = performance.now() + WAIT_MS;
  while (!(await look())) {
    assert.ok(performance.now() < deadline, what);
    await delay(10);
  }
}

function heard(running: Running): Promise<void> {
  return until('the list is heard', async () => (await served(running)).includes(`openai:${UNKNOWN}`));
}

const SURFACES: Record<string, (model: string) => Promise<Asked>> = {
  chat: (model) => chat(headgate, model),
  responses: (model) => post(headgate, '/v1/responses', { model, input: 'Hi' }),
  messages: (model) =>
    post(headgate, '/v1/messages', { model, max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] }),
};

async function allAnswer(): Promise<void> {
  for (const [surface, call] of Object.entries(SURFACES)) {
    for (const model of [UNKNOWN, DATED, SHUT_DOWN]) {
      for (const name of [model, `openai/${model}`]) {
        const { status, json } = await call(name);
        assert.equal(status, 200, `${surface} ${name}: ${JSON.stringify(json)}`);
        assert.equal(vendor.requests.at(-1)?.model, model, 'the vendor gets its own name');
      }
    }
  }
}

describe('a model of the month', () => {
  test('is called by its bare and its full name on each surface', async () => {
    await heard(headgate);
    await allAnswer();
    const names = await served(headgate);
    assert.ok(names.includes(`openai:${DATED}`), names.join(' '));
    for (const name of [SHUT_DOWN, 'whisper-1', 'sora-2']) assert.ok(!names.includes(`openai:${name}`), name);
  });

  test('stands in the catalog with what is known of it, and whence', async () => {
    const unknown = await entryOf(headgate, UNKNOWN);
    assert.deepEqual([unknown?.listed_by, unknown?.pricing.input_per_1m], ['vendor', null]);
    const [dated, base] = [await entryOf(headgate, DATED), await entryOf(headgate, 'gpt-6-luna')];
    assert.deepEqual(
      [dated?.inferred_from, dated?.pricing.inferred_from, dated?.pricing.input_per_1m],
      ['gpt-6-luna', 'gpt-6-luna', base?.pricing.input_per_1m],
    );
    assert.ok(base?.pricing.input_per_1m);
  });

  test('is billed by what it is a version of, and the record says so; of what nothing is known the cost is null', async () => {
    await chat(headgate, DATED);
    await chat(headgate, UNKNOWN);
    await chat(headgate, 'gpt-4o-mini');
    const { data } = await headgate.usage({ limit: '3' });
    const details = await Promise.all(data.map(async ({ id }) => (await get(headgate, `/v1/usage/${id}`)).json));
    const inferred = details.map(({ price_inferred_from }) => price_inferred_from);
    assert.deepEqual(inferred, [null, null, 'gpt-6-luna']);
    const base = (await entryOf(headgate, 'gpt-6-luna'))!.pricing as Record<string, number>;
    // 9 tokens in and 8 out, by hand.
    const cost = (9 * base.input_per_1m! + 8 * base.output_per_1m!) / 1e6;
    assert.equal(data[2]?.cost_usd, Math.round(cost * 1e9) / 1e9);
    assert.equal(data[1]?.cost_usd, null);
    assert.deepEqual(
      details.map(({ unpriced }) => unpriced),
      [[], ['input', 'output'], []],
    );
  });

  test('is not held against a spend limit, and the refusal says how it would be', async () => {
    const { key } = await headgate.createKey('--spend-limit', '5');
    const answer = await fetch(`${headgate.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: UNKNOWN, messages: [{ role: 'user', content: 'Hi' }] }),
    });
    assert.equal(answer.status, 403);
    assert.match(
      await answer.text(),
      /has no price to hold against the spend limit of this API key\. .* under `models` in headgate\.yaml/,
    );
  });

  test('is known without a network, from what its vendor said last', async () => {
    const file = join(headgate.data, 'models-listed.json');
    await until('the list is kept', () => existsSync(file) && readFileSync(file, 'utf8').includes(UNKNOWN));
    vendor.plan('overloaded', LIST);
    await headgate.restart();
    assert.ok((await served(headgate)).includes(`openai:${UNKNOWN}`));
    await allAnswer();
    vendor.forget();
  });

  test('that its vendor lists no more can be called, and is shown with the day', async () => {
    vendor.list(LISTED.filter((name) => name !== UNKNOWN));
    await headgate.reload(config);
    await until('it is gone', async () => (await entryOf(headgate, UNKNOWN))?.unlisted_since !== null);
    const { unlisted_since: day } = (await entryOf(headgate, UNKNOWN))!;
    assert.match(day ?? '', /^\d{4}-\d{2}-\d{2}$/);
    assert.ok(!(await served(headgate)).includes(`openai:${UNKNOWN}`), 'it is offered no more');
    await allAnswer();
  });
});

describe('a model that nobody lists', () => {
  test('goes to its vendor by the full name', async () => {
    assert.equal((await chat(headgate, 'openai/nobody-lists-it')).status, 200);
    assert.equal(vendor.requests.at(-1)?.model, 'nobody-lists-it');
    const told = await get(headgate, '/v1/models/openai/nobody-lists-it');
    assert.equal(told.status, 200, 'what can be called can be asked for');
    const { id, owned_by } = told.json as { id: string; owned_by: string };
    assert.deepEqual([id, owned_by], ['openai/nobody-lists-it', 'openai']);
    assert.equal((await get(headgate, '/v1/models/nobody-lists-it')).status, 404, 'by a bare name nobody is meant');
  });

  test('is refused by its bare name, which says how to send it', async () => {
    const { status, json } = await chat(headgate, 'nobody-lists-it');
    assert.equal(status, 404);
    assert.match(
      JSON.stringify(json),
      /No provider that is on has it; name it as `provider\/model` to send it anyway\./,
    );
  });

  test('fills no metrics, and no list of how targets do', async () => {
    for (let index = 0; index < 30; index += 1) await chat(headgate, `openai/invented-${index}`);
    const metrics = await (await fetch(`${headgate.url}/metrics`)).text();
    assert.match(metrics, /headgate_calls_total\{provider="openai",model="other",status="succeeded"\} \d+/);
    assert.doesNotMatch(metrics, /invented/);
  });
});

test('the 404 names the provider that is off, and why', async () => {
  await using empty = await startHeadgate({
    config: 'providers: { groq: {}, lab: { base_url: "http://127.0.0.1:9/v1", only: [m] } }',
  });
  const said = async (model: string) => JSON.stringify((await chat(empty, model)).json);
  assert.match(await said('groq/llama'), /`groq` is off: GROQ_API_KEY is not set\./);
  assert.match(await said('openai/gpt-4o'), /`openai` is off: headgate\.yaml does not name it\./);
  assert.match(await said('lab/other'), /`lab` is restricted to the models that are listed under its `only`\./);
  await using bare = await startHeadgate();
  const { json } = await chat(bare, 'gpt-4o');
  assert.match(JSON.stringify(json), /`openai` is off: OPENAI_API_KEY is not set\./);
});

test('a provider may be sent only what is known', async () => {
  const strict = `providers: { lab: { base_url: "${vendor.url}", unknown_models: refuse, models: [mine] } }`;
  await using running = await startHeadgate({ config: strict });
  await until('the list is heard', async () => (await served(running)).includes('lab:gpt-4o-mini'));
  for (const name of ['mine', 'lab/mine', 'lab/gpt-4o-mini']) assert.equal((await chat(running, name)).status, 200);
  const { status, json } = await chat(running, 'lab/other');
  assert.equal(status, 404);
  assert.match(JSON.stringify(json), /`unknown_models: refuse`/);
});

test('a list moves no bare name, what is configured adds to it, and inference can be turned off', async () => {
  await using other = await startFakeProvider({ models: ['gpt-4o', 'only-here', 'openai/gpt-4o'] });
  const settings =
    'models: { openai/by-facts: { price: { input_per_1m: 1, output_per_1m: 2 } } }\ncatalog: { infer_prices: false }';
  const two = `providers: { lab: { base_url: "${other.url}" }, openai: { base_url: "${vendor.url}", dialects: [openai-chat] } }\n${settings}`;
  await using running = await startHeadgate({ config: two, env });
  await until('both are heard', async () => (await served(running)).includes(`openai:${DATED}`));
  const names = await served(running);
  for (const name of ['openai:gpt-4o', 'lab:lab/gpt-4o', 'lab:only-here', 'openai:by-facts', 'lab:lab/openai/gpt-4o'])
    assert.ok(names.includes(name), `${name} of ${names.join(' ')}`);
  assert.equal((await chat(running, 'by-facts')).status, 200);
  const dated = await entryOf(running, DATED);
  assert.deepEqual([dated?.inferred_from, dated?.pricing.input_per_1m], ['gpt-6-luna', null]);
});
