import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { jsonReply } from '../../src/testing/reply.ts';
import { startHeadgate } from '../support/headgate.ts';

const vendor = await startFakeProvider();
after(() => vendor.close());
const headgate = await startHeadgate({
  config: `providers: { lab: { base_url: "${vendor.url}", dialects: [openai-embeddings], only: [vectors] } }`,
});
after(() => headgate[Symbol.asyncDispose]());

async function embed(body: object): Promise<{ status: number; json: { data: { embedding: unknown }[] } }> {
  const response = await fetch(`${headgate.url}/v1/embeddings`, {
    method: 'POST',
    headers: { authorization: `Bearer ${headgate.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'vectors', ...body }),
  });
  return { status: response.status, json: (await response.json()) as { data: { embedding: unknown }[] } };
}

test('numbers become base64 where that was asked, and objects reach the vendor', async () => {
  const item = { object: 'embedding', index: 0, embedding: [1, -2] };
  vendor.plan(() =>
    jsonReply(200, { object: 'list', data: [item], model: 'v', usage: { prompt_tokens: 1, total_tokens: 1 } }),
  );
  const base64 = await embed({ input: 'a', encoding_format: 'base64' });
  assert.deepEqual([base64.status, base64.json.data[0]?.embedding], [200, 'AACAPwAAAMA=']);
  const input = [{ text: 'a' }, { image: 'https://a.test/b.png' }];
  const objects = await embed({ input });
  assert.deepEqual([objects.status, objects.json.data[0]?.embedding], [200, [1, -2]]);
  assert.deepEqual(vendor.requests.at(-1)?.json, { model: 'vectors', input });
});
