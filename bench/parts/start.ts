import type { Bench } from '../bench.ts';
import type { Contestant, Starter, Vendor } from '../contestants/contestant.ts';
import { passingRoute } from '../contestants/passing.ts';
import { inTurn, oneLine } from '../entrants.ts';
import type { Route } from '../load/order.ts';
import { requestBody } from '../workloads.ts';

/**
 * Measures the time from the start of the process to the first answer; for Headgate with the creation of its data
 * folder.
 */
export async function compareStart(bench: Bench, starters: readonly Starter[], vendor: Vendor): Promise<void> {
  // This process's first call is slower than its later ones.
  await call(passingRoute(bench.upstream.port, 'chat'));
  for (let round = 0; round < bench.rounds; round += 1) {
    for (const starter of inTurn(starters, round)) {
      try {
        const ms = await timeStart(starter, vendor);
        bench.keep({ kind: 'start', contestant: starter.name, round, ms });
      } catch (error) {
        if (!starter.optional) throw error;
        bench.note(`${starter.name} has no start time: ${oneLine(error)}`);
      }
    }
  }
}

async function timeStart(starter: Starter, vendor: Vendor): Promise<number> {
  const startedAt = performance.now();
  await using contestant: Contestant = await starter.start(vendor);
  await call(contestant.routes.chat!);
  return performance.now() - startedAt;
}

async function call({ port, path, model, headers }: Route): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: requestBody('chat', model),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`answered ${response.status}: ${text}`);
}
