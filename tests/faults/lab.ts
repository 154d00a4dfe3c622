import assert from 'node:assert/strict';
import {
  type FakeProvider,
  type RecordedRequest,
  type RequestOutcome,
  startFakeProvider,
} from '../../src/testing/fake-provider.ts';
import { FAULTS, type FaultName } from '../../src/testing/faults.ts';
import { closedPort } from '../../src/testing/listen.ts';
import type { Plan, VendorRequest } from '../../src/testing/reply.ts';
import { nextPoll, WAIT_MS } from '../../src/testing/wait.ts';
import { type Running, startHeadgate } from '../support/headgate.ts';
import { connectRaw, type RawAnswer, type RawClient, requestBytes } from '../support/raw-http.ts';
import { type Timeouts, timeoutsOf } from '../support/timeouts.ts';

export const CHAT = '/v1/chat/completions';
export const MODEL = 'lab-small';
/** Of a provider that nobody listens for. */
export const DEAD_MODEL = 'dead-small';
export const LAB_KEY = 'lab-key-0123456789';
export const PROMPT = 'Say hello to the one who asks, please.';
/** Of `PROMPT`, by the tokenizer that estimates are made with. */
export const PROMPT_TOKENS = 10;

/** Short enough to be waited for. A test sets those that its call is to come to, and no other. */
export const TIMEOUTS = { first_byte: 400, idle: 400, total: 1500, ping: 150, hold: 100 };

/** Dollars per token of `MODEL`, times 1e9. */
const PRICE = { input: 150, output: 600 };

export type LabOptions = {
  /** In ms; each is `LONG_MS` where it is left out. */
  timeouts?: Timeouts;
  limits?: Readonly<Record<string, number | string>>;
  /** How long a stop waits for open calls, in ms. */
  drain?: number;
  /** Of one call; 1 where left out, so that what is seen is what one attempt came to. */
  attempts?: number;
};

export type Question = {
  stream?: boolean;
  /** More members of the body; they win. */
  body?: Readonly<Record<string, unknown>>;
  /** What the vendor does with this call, and only this. */
  plan?: FaultName | Plan;
};

/** A call that was sent, on a connection of its own. */
export type Asked = Disposable & {
  client: RawClient;
  answer(): Promise<RawAnswer>;
  /** Its usage record, once it is settled. Fails where there is more than one. */
  record(): Promise<UsageRow>;
};

export type UsageRow = Record<string, unknown>;

/** A vendor that does what it is told, and a gateway in front of it. */
export type Lab = AsyncDisposable & {
  vendor: FakeProvider;
  gateway: Running;
  ask(question?: Question): Promise<Asked>;
  /** The record of the call that was sent with this `x-request-id`. */
  recordOf(clientRequestId: string): Promise<UsageRow>;
  /** Resolves once the vendor has no open call; tells what became of the newest. */
  released(): Promise<RecordedRequest>;
};

let asked = 0;

export async function startLab(options: LabOptions = {}): Promise<Lab> {
  const vendor = await startFakeProvider({ models: [MODEL] });
  const gateway = await startHeadgate({
    config: configOf(options, vendor.url, `http://127.0.0.1:${await closedPort()}/v1`),
    env: { LAB_KEY },
  }).catch(async (error) => {
    await vendor.close();
    throw error;
  });

  const recordOf = async (clientRequestId: string): Promise<UsageRow> => {
    const deadline = performance.now() + WAIT_MS;
    while (performance.now() < deadline) {
      const { data } = await gateway.usage({ limit: '100' });
      const found = data.filter((row) => row.client_request_id === clientRequestId);
      assert.ok(found.length < 2, 'a call has one record');
      if (found[0] !== undefined) return found[0];
      await nextPoll();
    }
    throw new Error(`the call ${clientRequestId} has no record after ${WAIT_MS} ms`);
  };

  return {
    vendor,
    gateway,
    recordOf,
    async ask({ stream = false, body = {}, plan }: Question = {}) {
      if (plan !== undefined) vendor.plan(plan, { times: 1 });
      asked += 1;
      const id = `asked-${asked}`;
      const client = await connectRaw(gateway.url);
      await client.send(requestBytes('POST', CHAT, callHeaders(gateway, id), { ...question(stream), ...body }));
      return {
        client,
        answer: () => client.answer(),
        record: () => recordOf(id),
        [Symbol.dispose]: () => client[Symbol.dispose](),
      };
    },
    async released() {
      await vendor.waitFor(({ openCalls }) => openCalls() === 0);
      return vendor.requests.at(-1)!;
    },
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await vendor.close();
    },
  };
}

/** Who calls, and under which name the call can be found again. */
export function callHeaders(gateway: Running, id: string): Record<string, string> {
  return { authorization: `Bearer ${gateway.key}`, 'x-request-id': id };
}

export function question(stream: boolean): Record<string, unknown> {
  return { model: MODEL, messages: [{ role: 'user', content: PROMPT }], ...(stream && { stream }) };
}

/** What a record must say; the cost follows from the tokens. */
export type Expected = {
  status: 'succeeded' | 'failed' | 'cancelled';
  http_status: number;
  error: string | null;
  usage_source: 'provider' | 'estimated' | 'none';
  input_tokens: number;
  output_tokens: number;
  attempts?: number;
  provider?: string;
  model?: string;
};

/** The record of the fake vendor's normal answer, with the usage that it states. */
export const REPORTED = {
  status: 'succeeded',
  http_status: 200,
  error: null,
  usage_source: 'provider',
  input_tokens: 9,
  output_tokens: 8,
} as const satisfies Expected;

export function assertRecord(row: UsageRow, expected: Expected): void {
  const { input_tokens, output_tokens } = expected;
  const wanted: UsageRow = {
    attempts: 1,
    provider: 'lab',
    model: MODEL,
    ...expected,
    total_tokens: input_tokens + output_tokens,
    cost_usd: (input_tokens * PRICE.input + output_tokens * PRICE.output) / 1e9,
  };
  assert.deepEqual(Object.fromEntries(Object.keys(wanted).map((name) => [name, row[name]])), wanted);
}

/**
 * What became of a call at the vendor: it broke it (`broken`), was left in the middle (`left`), or came to its own end
 * (`ended`), which the gateway may have cut short by a moment.
 */
export type Parting = 'broken' | 'left' | 'ended';

export function assertParting({ outcome }: RecordedRequest, parting: Parting): void {
  const allowed: RequestOutcome[] = parting === 'ended' ? ['complete', 'left'] : [parting];
  assert.ok(allowed.includes(outcome), `the vendor's call was ${outcome}, not ${parting}`);
}

export type ErrorBody = { message: string; type: string; param: string | null; code: string | null };

/** An error as a whole answer, in OpenAI's body. */
export function errorOf(answer: RawAnswer): ErrorBody {
  assert.match(answer.header('content-type') ?? '', /^application\/json\b/);
  return readError(answer.body().toString());
}

/** The bytes of the body that a plan answers a request with. It must have an end. */
export function vendorBytes(plan: FaultName | Plan, request: VendorRequest): Buffer {
  const { acts } = (typeof plan === 'string' ? FAULTS[plan].plan : plan)(request);
  return Buffer.concat([...acts].filter((act) => Buffer.isBuffer(act)));
}

/** The payloads of a stream: what stands behind `data: ` of each frame. Comments are left out. */
export function payloads(answer: RawAnswer): string[] {
  return answer
    .body()
    .toString()
    .split('\n\n')
    .flatMap((frame) => frame.split('\n'))
    .filter((line) => line.startsWith('data: '))
    .map((line) => line.slice('data: '.length));
}

/** The words of a stream, put together. */
export function textOf(answer: RawAnswer): string {
  return payloads(answer)
    .filter((payload) => payload !== '[DONE]')
    .map((payload) => JSON.parse(payload)?.choices?.[0]?.delta?.content ?? '')
    .join('');
}

/** The error that ends a stream. It must be the last frame, and there must be no `[DONE]`. */
export function streamError(answer: RawAnswer): ErrorBody {
  assert.equal(answer.status, 200);
  assert.equal(answer.header('content-type'), 'text/event-stream; charset=utf-8');
  assert.equal(answer.ending, 'complete', 'the error frame is followed by the end of the message');
  const all = payloads(answer);
  assert.equal(all.includes('[DONE]'), false, 'a stream that failed has no [DONE]');
  assert.match(answer.body().toString(), /\n\n$/);
  return readError(all.at(-1) ?? '');
}

function readError(text: string): ErrorBody {
  const { error } = JSON.parse(text) as { error?: ErrorBody };
  assert.ok(error !== undefined, `not an error: ${text}`);
  assert.deepEqual(Object.keys(error), ['message', 'type', 'param', 'code']);
  assert.notEqual(error.message, '');
  return error;
}

function configOf(
  { timeouts, limits, drain = 1000, attempts = 1 }: LabOptions,
  labUrl: string,
  deadUrl: string,
): string {
  const most = Object.entries({ requests_per_minute: 1_000_000, tokens_per_minute: 1_000_000_000, ...limits });
  return `
server: { drain: ${drain}ms }
echo: false
providers:
  lab:
    base_url: ${labUrl}
    api_key: \${LAB_KEY}
    only:
      - { id: ${MODEL}, price: { input_per_1m: 0.15, output_per_1m: 0.60 } }
  dead:
    base_url: ${deadUrl}
    only:
      - { id: ${DEAD_MODEL}, price: { input_per_1m: 0.15, output_per_1m: 0.60 } }
timeouts: ${timeoutsOf(timeouts)}
retries: { attempts: ${attempts} }
limits: { ${most.map(([name, value]) => `${name}: ${value}`).join(', ')} }
`;
}
