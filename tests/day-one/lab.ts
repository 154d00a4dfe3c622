import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { type FakeProvider, startFakeProvider } from '../../src/testing/fake-provider.ts';
import { WAIT_MS } from '../../src/testing/wait.ts';
import { get, served } from '../config/ask.ts';
import { DIALECTS, PATHS } from '../support/dialects.ts';
import type { Running } from '../support/headgate.ts';
import { scripted } from '../translation/vendors.ts';

/** What the catalog has never heard of; two dated names of what it has; and what was shut down on 2026-10-23. */
export const UNKNOWN = 'gpt-7-nova';
export const DATED = 'gpt-6-luna-2026-11-05';
export const DATED_AT = 'gpt-6-luna@20261105';
export const BASE = 'gpt-6-luna';
export const SHUT_DOWN = 'gpt-4';
export const SHUT_DOWN_ON = '2026-10-23';

export const TEXT = 'Eighteen degrees.';
/** Of the model that was shut down nothing was ever cached. */
export const usageOf = (model: string) => ({ input: 1201, cached: model === SHUT_DOWN ? 0 : 333, output: 87 });

/**
 * What an answer costs, in dollars, by hand. The dated names at $0.10, $0.01 from the cache and $0.50 a million tokens: 868 × 100 +
 * 333 × 10 + 87 × 500 nano-dollars. What was shut down at $30 and $60: 1201 × 30,000 + 87 × 60,000.
 */
export const COSTS: Readonly<Record<string, number | null>> = {
  [UNKNOWN]: null,
  [DATED]: 0.00013363,
  [DATED_AT]: 0.00013363,
  [SHUT_DOWN]: 0.04125,
};

export const ENV = { OPENAI_API_KEY: 'sk-0123456789' };

/** The vendor of November 2026: it lists what is new, and answers on all its surfaces, also for what it has shut down. */
export async function startVendor(port = 0): Promise<FakeProvider> {
  const vendor = await startFakeProvider({ port, models: [UNKNOWN, DATED, DATED_AT, 'gpt-4o-mini'] });
  for (const dialect of DIALECTS) {
    const answer = (model: string) => scripted(dialect, [{ text: TEXT, usage: usageOf(model) }]);
    vendor.plan((request) => answer(request.model)(request), { path: PATHS[dialect] });
  }
  return vendor;
}

/** `openai` at this address, in these dialects; in all that it has where none are named. */
export function configOf(url: string, dialects: readonly string[] = []): string {
  const only = dialects.length === 0 ? '' : `, dialects: [${dialects.join(', ')}]`;
  return `providers: { openai: { base_url: "${url}"${only} } }\n`;
}

/** Looks again and again until the list of this address has been heard. */
export async function heard(headgate: Running): Promise<void> {
  const deadline = performance.now() + WAIT_MS;
  while (!(await served(headgate)).includes(`openai:${UNKNOWN}`)) {
    assert.ok(performance.now() < deadline, 'the list is heard');
    await delay(10);
  }
}

export type Json = Record<string, unknown>;

/** The newest record, as it is told whole. */
export async function lastRecord(headgate: Running): Promise<Json> {
  const { data } = await headgate.usage({ limit: '1' });
  return (await get(headgate, `/v1/usage/${data[0]?.id}`)).json;
}

export type Entry = Record<'listed_by' | 'inferred_from' | 'shut_down_at' | 'unlisted_since', string | null> & {
  id: string;
  pricing: Json;
};

export async function entryOf(headgate: Running, id: string): Promise<Entry | undefined> {
  const { json } = await get(headgate, `/v1/models/catalog?search=${encodeURIComponent(id)}`);
  return (json.data as Entry[]).find((entry) => entry.id === id);
}
