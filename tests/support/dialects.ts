import assert from 'node:assert/strict';
import { type FakeProvider, type RecordedRequest, startFakeProvider } from '../../src/testing/fake-provider.ts';
import type { RecordedDialect } from '../../src/testing/recordings.ts';
import type { Plan } from '../../src/testing/reply.ts';
import { nextPoll, WAIT_MS } from '../../src/testing/wait.ts';
import { type Running, startHeadgate } from './headgate.ts';
import { connectRaw, type RawClient, requestBytes } from './raw-http.ts';
import { type Timeouts, timeoutsOf } from './timeouts.ts';

/** The path of each dialect, at the gateway and at vendors. */
export const PATHS: Record<RecordedDialect, string> = {
  'openai-chat': '/v1/chat/completions',
  'openai-responses': '/v1/responses',
  'anthropic-messages': '/v1/messages',
};
export const DIALECTS = Object.keys(PATHS) as RecordedDialect[];

/** A gateway in front of one vendor, which serves each dialect under the dialect's name: `openai-chat/m`. */
export type TranslationLab = AsyncDisposable & { vendor: FakeProvider; headgate: Running };

/**
 * Starts both. `more` is appended to the configuration. `another` returns a provider for each dialect, in which `URL`
 * stands for the vendor's address.
 */
export async function startTranslationLab(more = '', another?: (id: string) => string): Promise<TranslationLab> {
  const vendor = await startFakeProvider();
  const providers = DIALECTS.map((id) => `  ${id}: { base_url: "${vendor.url}", dialects: [${id}], only: [m] }\n`);
  const others = another === undefined ? [] : DIALECTS.map((id) => `  ${another(id).replace('URL', vendor.url)}\n`);
  const config = `providers:\n${providers.join('')}${others.join('')}${more}`;
  const headgate = await startHeadgate({ config }).catch(async (error) => {
    await vendor.close();
    throw error;
  });
  return {
    vendor,
    headgate,
    async [Symbol.asyncDispose]() {
      await headgate[Symbol.asyncDispose]();
      await vendor.close();
    },
  };
}

export type Ask = {
  surface: RecordedDialect;
  /** The vendor's dialect. */
  spoken: RecordedDialect;
  stream: boolean;
  /** How the vendor answers this call only. */
  plan: Plan;
};

export type AskedCall = Disposable & {
  client: RawClient;
  /** The usage record after the settlement. Fails if there is more than one. */
  record(): Promise<Record<string, unknown>>;
};

export type DialectLab = AsyncDisposable & {
  vendor: FakeProvider;
  ask(what: Ask): Promise<AskedCall>;
  /** Resolves when the vendor has no open call; returns the latest request. */
  released(): Promise<RecordedRequest>;
  /** Resolves when the gateway has read all that callers and vendor have sent or closed. */
  noticed(): Promise<void>;
};

let asked = 0;

/** Starts a lab for calls in exact bytes, which shows the outcome at both sides. */
export async function startDialectLab(timeouts: Timeouts = {}, more = ''): Promise<DialectLab> {
  const limits = 'limits: { requests_per_minute: 1000000, tokens_per_minute: 1000000000 }';
  const lab = await startTranslationLab(
    `timeouts: ${timeoutsOf(timeouts)}\n${limits}\nretries: { attempts: 1 }\n${more}`,
  );
  const { vendor, headgate: gateway } = lab;
  return {
    vendor,
    async ask({ surface, spoken, stream, plan }) {
      vendor.plan(plan, { times: 1, path: PATHS[spoken] });
      asked += 1;
      const id = `dialects-${asked}`;
      const client = await connectRaw(gateway.url);
      const headers = { authorization: `Bearer ${gateway.key}`, 'x-request-id': id };
      const body = { model: `${spoken}/m`, ...PROMPTS[surface], ...(stream && { stream, ...STREAMED[surface] }) };
      await client.send(requestBytes('POST', PATHS[surface], headers, body));
      return { client, record: () => recordOf(gateway, id), [Symbol.dispose]: () => client[Symbol.dispose]() };
    },
    async released() {
      await vendor.waitFor(({ openCalls }) => openCalls() === 0);
      return vendor.requests.at(-1)!;
    },
    async noticed() {
      // The gateway reads earlier bytes of other connections before this request.
      await (await fetch(`${gateway.url}/healthz`)).text();
    },
    [Symbol.asyncDispose]: () => lab[Symbol.asyncDispose](),
  };
}

const MESSAGES = [{ role: 'user', content: 'Say hello to the one who asks, please.' }];
const PROMPTS: Record<RecordedDialect, object> = {
  'openai-chat': { messages: MESSAGES },
  'openai-responses': { input: MESSAGES, store: false },
  'anthropic-messages': { messages: MESSAGES, max_tokens: 64 },
};
const STREAMED: Partial<Record<RecordedDialect, object>> = {
  'openai-chat': { stream_options: { include_usage: true } },
};

async function recordOf(gateway: Running, clientRequestId: string): Promise<Record<string, unknown>> {
  const deadline = performance.now() + WAIT_MS;
  while (performance.now() < deadline) {
    const { data } = await gateway.usage({ limit: '100' });
    const found = data.filter((row) => row.client_request_id === clientRequestId);
    assert.ok(found.length < 2, 'a call has one record');
    if (found[0] !== undefined) return found[0];
    await nextPoll();
  }
  throw new Error(`the call ${clientRequestId} has no record after ${WAIT_MS} ms`);
}
