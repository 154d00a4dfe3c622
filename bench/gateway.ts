import assert from 'node:assert/strict';
import { type Running, startHeadgate } from '../tests/support/headgate.ts';
import { MODEL, TRANSLATED_MODEL } from './work.ts';

/** More than any run can use: the limits are counted and told, and refuse nothing. */
const UNREACHED = 1_000_000_000;

/** Headgate as an operator runs it: a key, the ledger, limits and a price are all on. */
export function startGateway(upstreamPort: number, env: Readonly<Record<string, string>> = {}): Promise<Running> {
  const [translated] = TRANSLATED_MODEL.split('/');
  const vendor = `base_url: http://127.0.0.1:${upstreamPort}/v1
    api_key: bench-upstream-key
    models: [{ id: ${MODEL}, price: { input_per_1m: 0.15, output_per_1m: 0.60, cache_read_per_1m: 0.075 } }]`;
  const config = `
providers:
  bench:
    ${vendor}
  ${translated}:
    dialects: [anthropic-messages]
    ${vendor}
limits: { requests_per_minute: ${UNREACHED}, tokens_per_minute: ${UNREACHED} }
`;
  return startHeadgate({ config, env });
}

/** Fails unless the gateway has a settled, succeeded record for each answer of the load. */
export async function assertRecorded(gateway: Running, answers: number): Promise<void> {
  const response = await fetch(`${gateway.url}/metrics`);
  const lines = (await response.text()).matchAll(/^headgate_calls_total\{.*status="succeeded"\} (\d+)$/gm);
  const settled = [...lines].reduce((sum, [, count]) => sum + Number(count), 0);
  assert.equal(settled, answers, 'each answer has its record');
  const [newest] = (await gateway.usage({ limit: '1' })).data;
  assert.equal(newest?.total_tokens, 58, 'the newest record has the tokens that the upstream said');
  assert.equal(newest?.cost_usd, 0.00001635, 'the newest record has its cost');
}
