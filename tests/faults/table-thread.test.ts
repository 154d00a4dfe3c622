import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { APIError, InternalServerError, RateLimitError } from 'openai';
import { answer } from '../../src/testing/answers.ts';
import { startLab } from '../sdk/lab.ts';

/** The thread that keeps the tables is made to stand still, or is ended (`support/thread-faults.ts`). */
const faults = new URL('../support/thread-faults.ts', import.meta.url);
const MAX_REPORTS = 2;
const lab = await startLab(
  `
providers:
  lab: { base_url: "\${LAB_URL}", only: [{ id: small, price: { input_per_1m: 0.15, output_per_1m: 0.60 } }] }
server: { worker_timeout: 2s }
limits: { max_reports: ${MAX_REPORTS} }
`,
  { env: { NODE_OPTIONS: `--import ${faults}` } },
);
const { headgate, vendor } = lab;
after(() => lab[Symbol.asyncDispose]());
beforeEach(() => vendor.plan(answer()));

const chat = { model: 'small', messages: [{ role: 'user' as const, content: 'Hi' }] };
const SERVES_AGAIN = /The thread that keeps the tables serves again/;

type Page = { data: unknown[]; has_more: boolean };

async function records(): Promise<number> {
  return (await lab.client.get<Page>('/usage')).data.length;
}

test('while the thread stands still calls are answered, reports have a limit, and end with 503 that says so', async () => {
  await lab.client.chat.completions.create(chat);
  const before = await records();
  const cold = await headgate.createKey();
  const from = lineCount();
  headgate.signal('SIGWINCH');
  // The next write of the thread is its last.
  await lab.client.chat.completions.create(chat);
  const reports = Array.from({ length: MAX_REPORTS }, () => refusalOf(lab.client.get('/usage')));
  const refused = await refusalOf(lab.client.get('/usage'));
  assert(refused instanceof RateLimitError);
  assert.equal(refused.code, 'rate_limit_exceeded');
  assert.equal(refused.headers.get('retry-after'), '1');
  // A key that nobody has used is looked up all the same, and a revoked one is known.
  await lab.clientWith(cold.key).chat.completions.create(chat);
  assert.equal((await fetch(`${headgate.url}/readyz`)).status, 200);
  for (const report of await Promise.all(reports)) {
    assert(report instanceof InternalServerError);
    assert.equal(report.status, 503);
    assert.equal(report.code, 'storage_unavailable');
  }
  await headgate.waitForLine(SERVES_AGAIN, from);
  assert.match(headgate.stderr(), /The thread that keeps the tables has not answered, and is ended/);
  assert.equal(await records(), before + 2);
});

test('a thread that is ended while calls go on costs none of them, and no record', async () => {
  const before = (await headgate.usage({ limit: '100' })).data.length;
  const from = lineCount();
  const calls = Array.from({ length: 20 }, () => lab.client.chat.completions.create(chat));
  headgate.signal('SIGUSR2');
  const ids = (await Promise.all(calls)).map(({ id }) => id);
  assert.equal(ids.length, 20);
  await headgate.waitForLine(SERVES_AGAIN, from);
  const { data } = await headgate.usage({ limit: '100' });
  assert.equal(data.length, before + 20);
  assert(data.every(({ status }) => status === 'succeeded'));
});

test('a stop that finds the thread standing still ends it, and the next start finds every record', async () => {
  const before = (await headgate.usage({ limit: '100' })).data.length;
  headgate.signal('SIGWINCH');
  for (let count = 0; count < 3; count += 1) await lab.client.chat.completions.create(chat);
  assert.equal(await headgate.stop(), 0);
  await headgate.restart();
  assert.equal((await headgate.usage({ limit: '100' })).data.length, before + 3);
});

function lineCount(): number {
  return `${headgate.stdout()}${headgate.stderr()}`.split('\n').length - 1;
}

async function refusalOf(asked: Promise<unknown>): Promise<APIError> {
  try {
    await asked;
  } catch (error) {
    if (error instanceof APIError) return error;
    throw error;
  }
  assert.fail('was not refused');
}
