import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { closedPort } from '../../src/testing/listen.ts';
import { served } from '../config/ask.ts';
import { rejection } from '../sdk/lab.ts';
import { DIALECTS } from '../support/dialects.ts';
import { type Running, startHeadgate } from '../support/headgate.ts';
import { clientsAt } from '../translation/clients.ts';
import {
  BASE,
  configOf,
  DATED,
  DATED_AT,
  ENV,
  entryOf,
  heard,
  lastRecord,
  SHUT_DOWN,
  startVendor,
  TEXT,
  UNKNOWN,
} from './lab.ts';

const MODELS = [UNKNOWN, DATED, DATED_AT, SHUT_DOWN];
/** No call is repeated: each is refused at once, and once. */
const AT_ONCE = 'retries: { attempts: 1 }\n';
const UNREACHABLE = /The provider openai could not be reached\./;

/** Each official client is told of each model, whole and streamed, that its provider cannot be reached. */
async function nobodyAnswers(headgate: Running, names: readonly string[]): Promise<void> {
  const clients = clientsAt(headgate.url, headgate.key);
  for (const surface of DIALECTS) {
    for (const name of names)
      for (const streamed of [false, true]) {
        const call = clients[surface](name, streamed);
        const { status, message } = await (surface === 'anthropic-messages'
          ? rejection(call, Anthropic.APIError)
          : rejection(call, OpenAI.APIError));
        assert.equal(status, 502, `${surface} ${name}`);
        assert.match(message, UNREACHABLE);
        const {
          provider,
          requested_model: asked,
          cost_usd: cost,
          error,
          error_meaning: meaning,
        } = await lastRecord(headgate);
        assert.deepEqual([provider, asked, cost, error], ['openai', name, 0, 'upstream_unreachable']);
        assert.equal(typeof meaning, 'string');
      }
  }
}

test('without a network a start waits for nobody, knows what was listed before, and calls say who is not there', async () => {
  const vendor = await startVendor();
  const config = configOf(vendor.url) + AT_ONCE;
  await using headgate = await startHeadgate({ config, env: ENV });
  await heard(headgate);
  const file = join(headgate.data, 'models-listed.json');
  while (!existsSync(file) || !readFileSync(file, 'utf8').includes(UNKNOWN)) await served(headgate);
  await vendor.close();

  await headgate.restart();
  const names = await served(headgate);
  for (const model of [UNKNOWN, DATED, DATED_AT]) assert.ok(names.includes(`openai:${model}`), model);
  assert.deepEqual(
    [(await entryOf(headgate, UNKNOWN))?.listed_by, names.includes(`openai:${SHUT_DOWN}`)],
    ['vendor', false],
  );
  await nobodyAnswers(
    headgate,
    MODELS.flatMap((model) => [model, `openai/${model}`]),
  );
});

test('where no list was ever kept either, the catalog is there, a new model is sent by its full name, and all is well once the vendor is back', async () => {
  const port = await closedPort();
  const config = configOf(`http://127.0.0.1:${port}/v1`) + AT_ONCE;
  await using headgate = await startHeadgate({ config, env: ENV });
  const names = await served(headgate);
  assert.ok(names.includes(`openai:${BASE}`) && names.includes('openai:gpt-4o-mini'), names.join(' '));
  for (const model of MODELS) assert.ok(!names.includes(`openai:${model}`), model);
  assert.equal(existsSync(join(headgate.data, 'models-listed.json')), false);
  await nobodyAnswers(headgate, [`openai/${UNKNOWN}`, DATED, DATED_AT, SHUT_DOWN]);

  const clients = clientsAt(headgate.url, headgate.key);
  const { status, message } = await rejection(clients['openai-chat'](UNKNOWN, false), OpenAI.APIError);
  assert.equal(status, 404);
  assert.match(message, /No provider that is on has it; name it as `provider\/model` to send it anyway\./);

  const { stdout } = await headgate.command('doctor');
  assert.match(stdout, /^fail +provider openai +cannot be reached: ECONNREFUSED$/m);

  await using _vendor = await startVendor(port);
  await headgate.reload(config);
  await heard(headgate);
  for (const surface of DIALECTS)
    for (const model of MODELS) assert.equal((await clients[surface](model, true)).text, TEXT, `${surface} ${model}`);
});
