import assert from 'node:assert/strict';
import { Pool } from 'undici';
import { CHAT, PROMPT } from '../faults/lab.ts';
import type { Running } from '../support/headgate.ts';

export type Answered = { status: number; provider: string | undefined; attempts: number; tookMs: number; body: string };

export type Traffic = AsyncDisposable & {
  /** One call of a model, as it was answered. */
  call(model: string, body?: Readonly<Record<string, unknown>>): Promise<Answered>;
  /** So many calls, at most `concurrency` at once, in the order in which they were sent. */
  calls(model: string, count: number, concurrency: number): Promise<Answered[]>;
};

/** A caller with many connections, who waits for each answer to its end. */
export function startTraffic(gateway: Running, key: string = gateway.key, connections = 200): Traffic {
  const pool = new Pool(gateway.url, { connections });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };

  const call = async (model: string, more: Readonly<Record<string, unknown>> = {}): Promise<Answered> => {
    const startedAt = performance.now();
    const body = JSON.stringify({ model, messages: [{ role: 'user', content: PROMPT }], ...more });
    const response = await pool.request({ method: 'POST', path: CHAT, headers, body });
    const text = await response.body.text();
    return {
      status: response.statusCode,
      provider: response.headers['service-provider']?.toString(),
      attempts: Number(response.headers['service-attempts'] ?? 0),
      tookMs: performance.now() - startedAt,
      body: text,
    };
  };

  return {
    call,
    async calls(model, count, concurrency) {
      const answers: Answered[] = new Array(count);
      let next = 0;
      const worker = async () => {
        while (next < count) {
          const at = next;
          next += 1;
          answers[at] = await call(model);
        }
      };
      await Promise.all(Array.from({ length: Math.min(concurrency, count) }, worker));
      return answers;
    },
    [Symbol.asyncDispose]: () => pool.close(),
  };
}

export function assertAllAnswered(answers: readonly Answered[], by?: string): void {
  const refused = answers.filter(({ status }) => status !== 200);
  assert.equal(refused.length, 0, `${refused.length} of ${answers.length} were not answered: ${refused[0]?.body}`);
  if (by !== undefined) assert.ok(answers.every(({ provider }) => provider === by));
}

/** The value below which this part of the values is. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? Number.NaN;
}
