import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { answer } from '../../src/testing/answers.ts';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { jsonReply } from '../../src/testing/reply.ts';
import { startHeadgate } from '../support/headgate.ts';
import { ask } from '../workers/ask.ts';

/** What callers and vendors can make long is bounded in a record: on disk, in pages of usage, and in headers. */
const vendor = await startFakeProvider();
const headgate = await startHeadgate({
  config: `
providers: { lab: { base_url: "${vendor.url}", only: [small] } }
limits: { max_loop_lag: 0, requests_per_minute: 100000, tokens_per_minute: 1000000000 }
`,
});
after(async () => {
  await headgate[Symbol.asyncDispose]();
  await vendor.close();
});

const MAX_RECORD_BYTES = 6_000;
const MAX_LIST_BYTES = 4_096;

/** A call in a format that is translated for this vendor, with members that no reader knows. */
async function callWith(members: Record<string, unknown>): Promise<Headers> {
  const body = { model: 'small', max_tokens: 5, messages: [{ role: 'user', content: 'Hi' }], ...members };
  const { status, text, headers } = await ask(headgate, '/v1/messages', body);
  assert.equal(status, 200, text.slice(0, 1_000));
  return headers;
}

function names(count: number, name: (index: number) => string): Record<string, unknown> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [name(index), 1]));
}

function bytesOnDisk(): number {
  return readdirSync(headgate.data).reduce((sum, file) => sum + statSync(join(headgate.data, file)).size, 0);
}

test('6 MB of names, as many, as one, and as the kinds of tools, leave records of some KB', async () => {
  const before = bytesOnDisk();
  const tools = Array.from({ length: 2_000 }, (_, index) => ({ type: `kind_${index}_${'x'.repeat(300)}`, name: 'x' }));
  for (const members of [
    names(1_000, (index) => `an_unknown_name_${index}_${'x'.repeat(6_000)}`),
    names(1, () => 'x'.repeat(6_000_000)),
    { tools },
  ]) {
    const headers = await callWith(members);
    assert((headers.get('service-dropped') ?? '').length <= 1_024);
  }
  const { data } = await headgate.usage({ limit: '100' });
  assert.equal(data.length, 3);
  for (const record of data) {
    assert(JSON.stringify(record).length < MAX_RECORD_BYTES, `${JSON.stringify(record).length} bytes`);
    assert(JSON.stringify(record.dropped).length <= MAX_LIST_BYTES);
  }
  const [ofTools, one, many] = data.map(({ dropped }) => dropped as string[]);
  assert.match(many!.at(-1)!, /^\+\d{3} more$/);
  assert.equal(many!.length - 1 + Number.parseInt(many!.at(-1)!.slice(1), 10), 1_000);
  assert.deepEqual(one, [`${'x'.repeat(128)}…`]);
  assert.match(ofTools!.at(-1)!, /^\+\d{4} more$/);
  const shown = await ask(headgate, `/v1/usage/${data[2]?.id}`);
  assert.equal(shown.status, 200);
  assert(shown.text.length < 2 * MAX_RECORD_BYTES);
  assert(bytesOnDisk() - before < 1_000_000, `${bytesOnDisk() - before} bytes more on disk`);
});

test('a page of many such calls is answered', async () => {
  for (let call = 0; call < 40; call += 1)
    await callWith(names(1_000, (index) => `an_unknown_name_${call}_${index}_${'x'.repeat(100)}`));
  const { status, text } = await ask(headgate, '/v1/usage?limit=100');
  assert.equal(status, 200);
  assert(text.length < 43 * MAX_RECORD_BYTES, `${text.length} bytes`);
});

test('what a vendor can make long leaves no trace of its length', async () => {
  const before = bytesOnDisk();
  const long = 'x'.repeat(2_000_000);
  vendor.plan((request) => {
    const { acts } = answer()(request);
    const [body] = acts as Buffer[];
    const read = JSON.parse(String(body)) as Record<string, unknown>;
    return jsonReply(
      200,
      { ...read, id: long, model: long, service_tier: long },
      { 'x-request-id': 'x'.repeat(8_000) },
    );
  });
  const { status } = await ask(headgate, '/v1/chat/completions', {
    model: 'small',
    messages: [{ role: 'user', content: 'Hi' }],
  });
  assert.equal(status, 200);
  const { data } = await headgate.usage({ limit: '1' });
  const shown = await ask(headgate, `/v1/usage/${data[0]?.id}`);
  assert(shown.text.length < MAX_RECORD_BYTES, `${shown.text.length} bytes`);
  assert(bytesOnDisk() - before < 1_000_000, `${bytesOnDisk() - before} bytes more on disk`);
});
