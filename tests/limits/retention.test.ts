import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { RateLimitError } from 'openai';
import { usageOf } from '../../src/core/usage.ts';
import { createIds } from '../../src/http/ids.ts';
import { openStorage } from '../../src/store/open.ts';
import { nextPoll, WAIT_MS } from '../../src/testing/wait.ts';
import { rejection, startLab } from '../sdk/lab.ts';

const DAY_MS = 86_400_000;
const chat = { model: 'priced', messages: [{ role: 'user' as const, content: 'Hi' }], max_tokens: 100 };
const CONFIG = `
providers:
  lab: { base_url: "\${LAB_URL}", only: [{ id: priced, price: { input_per_1m: 0.15, output_per_1m: 0.60 } }] }
`;
const KEEP_TWO_DAYS = `${CONFIG}retention: { usage: 2d }`;

const lab = await startLab(CONFIG);
const { headgate } = lab;
after(() => lab[Symbol.asyncDispose]());

/** Writes the record of a call that this key made some days ago, at this cost, and tells its id. */
async function writeOldRecord(organizationId: string, keyId: string, days: number, cost: bigint): Promise<string> {
  const storage = await openStorage({ folder: headgate.data, instanceId: 'instance_test', durability: 'normal' });
  const createdAt = Date.now() - days * DAY_MS;
  const ids = createIds();
  const call = { id: ids.recordId(createdAt), organizationId, keyId, createdAt };
  try {
    await storage.ledger.intend({
      ...call,
      requestId: ids.requestId(),
      clientRequestId: null,
      source: 'api_key',
      product: null,
      tool: null,
      dialect: 'openai-chat',
      model: 'priced',
      requestedModel: 'priced',
      route: null,
      provider: 'lab',
      upstreamModel: 'priced',
      streamed: false,
      estimatedInputTokens: 1,
      price: null,
      held: null,
      budgets: '',
    });
    await storage.ledger.settle({
      ...call,
      status: 'succeeded',
      httpStatus: 200,
      errorKind: null,
      usage: usageOf({ inputTokens: 1, outputTokens: 1 }),
      usageSource: 'provider',
      lineItems: [],
      cost,
      counted: cost,
      reported: null,
      settledAt: createdAt,
      timeToFirstTokenMs: null,
      attempts: [],
      dropped: [],
      routed: null,
    });
    return call.id;
  } finally {
    await storage.close();
  }
}

async function recordIds(): Promise<unknown[]> {
  return (await headgate.usage({ limit: '100' })).data.map(({ id }) => id);
}

/** Resolves once the records are these: old ones go in the background. */
async function untilKept(kept: unknown[]): Promise<void> {
  const deadline = performance.now() + WAIT_MS;
  while (performance.now() < deadline) {
    if (`${await recordIds()}` === `${kept}`) return;
    await nextPoll();
  }
  assert.deepEqual(await recordIds(), kept);
}

test('records that are too old go at start and at a reload; what was spent stays', async () => {
  const { id: keyId, key } = await headgate.createKey('--spend-limit', '0.001');
  const { response } = await lab.clientWith(key).chat.completions.create(chat).withResponse();
  const organization = response.headers.get('service-organization') ?? '';
  const [recent] = await recordIds();
  const young = await writeOldRecord(organization, keyId, 1, 0n);
  const old = await writeOldRecord(organization, keyId, 3, 1_000_000n);
  assert.deepEqual(await recordIds(), [recent, young, old], 'without a setting they are kept');

  await headgate.restart(KEEP_TWO_DAYS);
  await untilKept([recent, young]);
  const error = await rejection(lab.clientWith(key).chat.completions.create(chat), RateLimitError);
  assert.equal(error.code, 'insufficient_quota', 'the record is gone, the money is spent');

  await headgate.reload(CONFIG);
  const older = await writeOldRecord(organization, keyId, 4, 0n);
  assert.deepEqual(await recordIds(), [recent, young, older]);
  await headgate.reload(KEEP_TWO_DAYS);
  await untilKept([recent, young]);
});
