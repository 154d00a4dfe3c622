import assert from 'node:assert/strict';
import { nextPoll, WAIT_MS } from '../../src/testing/wait.ts';
import type { Running } from '../support/headgate.ts';
import { chat } from '../workers/ask.ts';

/** How many calls are made at once against the last dollar of budgets. */
export const CALLS = 1_000;
/** A call of so many tokens may cost $0.001; one beyond all that is left, $10. The prompt is free. */
export const [OUTPUT, BEYOND] = [100, 1_000_000];
export const PATH = '/v1/chat/completions';

/** One of the calls; how it ended. */
export async function callOf(headgate: Running, key: string, index: number): Promise<string> {
  const stream = index % 3 === 0;
  const leaves = index % 5 === 0;
  const aborting = new AbortController();
  const response = fetch(headgate.url + PATH, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body(OUTPUT, stream)),
    signal: aborting.signal,
  });
  if (leaves && !stream) setImmediate(() => aborting.abort());
  try {
    const { status, body: answered } = await response;
    if (leaves && stream) {
      aborting.abort();
      return status === 429 ? '429' : 'left';
    }
    for await (const _ of answered!);
    return `${status}`;
  } catch (error) {
    if (aborting.signal.aborted) return 'left';
    throw error;
  }
}

export function body(maxTokens: number, stream = false): unknown {
  return chat('small', { max_tokens: maxTokens, stream });
}

/** Nano-dollars, by the id of each key that spent any. */
export async function spentOf(headgate: Running): Promise<Map<string, number>> {
  const { json } = await headgate.command('keys', 'list', '--json');
  return new Map(
    (json as { data: { id: string; spent_usd: number }[] }).data.map(({ id, spent_usd }) => [
      id,
      Math.round(spent_usd * 1e9),
    ]),
  );
}

/** Asks again and again, each time once the last answer is there. */
export async function until(isTrue: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + WAIT_MS;
  while (!(await isTrue())) {
    assert.ok(performance.now() < end, 'what is left is not what was not spent');
    await nextPoll();
  }
}

export function usd(nano: number): string {
  const fraction = String(nano % 1e9)
    .padStart(9, '0')
    .replace(/0+$/, '');
  return `$${Math.floor(nano / 1e9)}${fraction === '' ? '' : `.${fraction}`}`;
}
