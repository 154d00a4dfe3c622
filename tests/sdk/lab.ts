import assert from 'node:assert/strict';
import OpenAI from 'openai';
import { type FakeProvider, type FakeProviderOptions, startFakeProvider } from '../../src/testing/fake-provider.ts';
import { WAIT_MS } from '../../src/testing/wait.ts';
import { type Running, type ServeOptions, startHeadgate } from '../support/headgate.ts';

export type UsageJson = Record<string, unknown>;

/** A gateway in front of one made-up vendor, which its configuration finds at `${LAB_URL}` with the key `${LAB_KEY}`. */
export type Lab = AsyncDisposable & {
  headgate: Running;
  vendor: FakeProvider;
  /** The official client with the first key, at the address of now. It repeats nothing by itself. */
  readonly client: OpenAI;
  /** The official client with another key. */
  clientWith(apiKey: string): OpenAI;
  /** The usage record of a request, once it is there. */
  record(requestId: string | null | undefined): Promise<UsageJson>;
  /** The one usage record that fits, once it is there. */
  recordWhere(fits: (record: UsageJson) => boolean): Promise<UsageJson>;
};

export const LAB_KEY = 'lab-key-0123456789';

/** Starts both. */
export async function startLab(config: string | null, options: LabOptions = {}): Promise<Lab> {
  const vendor = await startFakeProvider(options.vendor);
  const env = { LAB_URL: vendor.url, LAB_KEY, ...options.env };
  const headgate = await startHeadgate({ ...options, config, env }).catch(async (error) => {
    await vendor.close();
    throw error;
  });
  const recordWhere = (fits: (record: UsageJson) => boolean) => findRecord(headgate, fits);
  const clientWith = (apiKey: string) => new OpenAI({ baseURL: `${headgate.url}/v1`, apiKey, maxRetries: 0 });
  return {
    headgate,
    vendor,
    get client() {
      return clientWith(headgate.key);
    },
    clientWith,
    recordWhere,
    record: (requestId) => recordWhere((record) => record.request_id === requestId),
    async [Symbol.asyncDispose]() {
      await headgate[Symbol.asyncDispose]();
      await vendor.close();
    },
  };
}

export type LabOptions = Omit<ServeOptions, 'config'> & { vendor?: FakeProviderOptions };

/** What the vendor received last, as the bytes of its body. */
export function lastBody(vendor: FakeProvider): string {
  return vendor.requests.at(-1)?.body.toString() ?? '';
}

/** All that a stream gives. */
export async function collect<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

/** The error that a promise is rejected with, which must be of this class. */
export async function rejection<T extends Error>(
  promise: Promise<unknown>,
  type: new (...args: never[]) => T,
): Promise<T> {
  const outcome = await promise.then(
    () => 'it succeeded',
    (error: unknown) => error,
  );
  assert(outcome instanceof type, `expected ${type.name}: ${String(outcome)}`);
  return outcome;
}

/** A record is written before the last byte of its answer; that of a caller who left, soon after. */
async function findRecord(headgate: Running, fits: (record: UsageJson) => boolean): Promise<UsageJson> {
  const deadline = performance.now() + WAIT_MS;
  while (performance.now() < deadline) {
    const { data } = await headgate.usage({ limit: '100' });
    const found = data.filter(fits);
    assert(found.length <= 1, 'a call has one record');
    if (found[0] !== undefined) return found[0];
  }
  throw new Error(`there is no such usage record after ${WAIT_MS} ms: ${fits}`);
}
