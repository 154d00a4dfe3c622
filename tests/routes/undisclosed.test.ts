import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { loadRecordings, replay, SAMPLES, usageIn } from '../../src/testing/recordings.ts';
import { errorReply, frame, insert } from '../../src/testing/reply.ts';
import { ask } from '../http/client.ts';
import { DIALECTS, PATHS } from '../support/dialects.ts';
import { startHeadgate } from '../support/headgate.ts';

/** Routes with `disclose: false`: in its bodies and its errors the route answers, and nobody behind it. */
const vendor = await startFakeProvider();
const provider = (id: string) =>
  `  hidden-${id}: { label: Hidden Lab, base_url: "${vendor.url}", dialects: [${id}], only: [secret-model, { id: small-secret, context_window: 10 }] }\n`;
const route = (id: string) => `  acme/${id}: { targets: [hidden-${id}/secret-model], disclose: false }\n`;
const server = await startHeadgate({
  config: `
providers:
${DIALECTS.map(provider).join('')}
routes:
${DIALECTS.map(route).join('')}
  acme/small: { targets: [hidden-openai-chat/small-secret], disclose: false }
retries: { attempts: 1 }
breaker: { failures: 1000, min_calls: 1000 }
`,
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await vendor.close();
});
const plain = await server.createKey();

const BODIES = {
  'openai-chat': { messages: [{ role: 'user', content: 'Hello' }] },
  'openai-responses': { input: 'Hello' },
  'anthropic-messages': { messages: [{ role: 'user', content: 'Hello' }], max_tokens: 100 },
};

type Called = { surface: keyof typeof BODIES; model: string; stream?: boolean; key?: string };

async function call({ surface, model, stream = false, key = plain.key }: Called) {
  return ask(`${server.url}${PATHS[surface]}`, { key, body: { ...BODIES[surface], model, stream } });
}

type Told = { model?: string; response?: Told; message?: Told };

/** The models that an answer, or the events of a stream, tell. */
function modelsIn(text: string, stream: boolean): Set<string> {
  const lines = text.split(/\r?\n/).filter((line) => line.startsWith('data: {'));
  const events = stream
    ? lines.map((line) => JSON.parse(line.slice('data: '.length)) as Told)
    : [JSON.parse(text) as Told];
  return new Set(events.flatMap(({ model, response, message }) => model ?? response?.model ?? message?.model ?? []));
}

for (const spoken of DIALECTS) {
  const { recordings } = await loadRecordings(SAMPLES, spoken);
  for (const surface of DIALECTS) {
    for (const stream of [false, true]) {
      const recording = recordings.find((each) => usageIn(each) !== null && each.stream === stream)!;
      test(`${stream ? 'a stream' : 'a whole answer'} of ${surface} from ${spoken} names the route as its model`, async () => {
        const model = `acme/${spoken}`;
        const told = async (key: string) => {
          vendor.plan(replay(recording), { times: 1 });
          const { status, text } = await call({ surface, model, stream, key });
          assert.equal(status, 200, text);
          return { text, models: modelsIn(text, stream) };
        };
        const hidden = await told(plain.key);
        assert.deepEqual([...hidden.models], [model]);
        assert.doesNotMatch(hidden.text, /secret|hidden/i);
        const shown = await told(server.key);
        assert.ok(!shown.models.has(model), 'administrators are told');
      });
    }
  }
}

for (const surface of DIALECTS) {
  test(`an error of ${surface} has the general words, and the same status and code`, async () => {
    const reply = errorReply(400, {
      message: 'Hidden Lab: secret-model has no such thing.',
      type: 'invalid_request_error',
    });
    const errorFor = async (key: string) => {
      vendor.plan(() => reply, { times: 1 });
      const { status, text } = await call({ surface, model: 'acme/openai-chat', key });
      return { status, text };
    };
    const [hidden, shown] = [await errorFor(plain.key), await errorFor(server.key)];
    assert.equal(hidden.status, shown.status);
    assert.match(shown.text, /secret-model/);
    assert.doesNotMatch(hidden.text, /secret|hidden/i);
    assert.equal(hidden.status, 400);
  });

  test(`a stream of ${surface} that breaks says so in general words`, async () => {
    const { recordings } = await loadRecordings(SAMPLES, 'openai-chat');
    const recording = recordings.find((each) => usageIn(each) !== null && each.stream)!;
    const broken = frame({ error: { message: 'secret-model of Hidden Lab broke.', type: 'server_error' } });
    vendor.plan(insert(replay(recording), 3, broken, 'close'), { times: 1 });
    const { text } = await call({ surface, model: 'acme/openai-chat', stream: true });
    assert.match(text, /"error"/);
    assert.doesNotMatch(text, /secret|hidden/i);
  });
}

test('who could not serve is named neither in a refusal nor in the one that explain tells', async () => {
  const long = { messages: [{ role: 'user', content: 'word '.repeat(500) }] };
  const refused = await ask(`${server.url}/v1/chat/completions`, {
    key: plain.key,
    body: { ...long, model: 'acme/small' },
  });
  assert.equal(refused.status, 400, refused.text);
  const explained = await ask(`${server.url}/v1/routes/acme/small/explain`, { key: plain.key, body: long });
  assert.match(explained.text, /No target of `acme\/small` can serve this call/);
  for (const { text } of [refused, explained]) assert.doesNotMatch(text, /secret|hidden/i);
});
