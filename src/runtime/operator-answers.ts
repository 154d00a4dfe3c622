import cluster from 'node:cluster';
import { needsDiscovery } from '../catalog/served.ts';
import type { GatewayFacts, OfferedModels, OperatorQuestion } from '../core/operator.ts';
import type { GatewayStatus } from '../core/target-status.ts';
import { statusJson } from '../surfaces/status.ts';
import { offeredModels, probeAll } from './inspect.ts';
import { VERSION } from './setup.ts';
import type { Snapshot } from './snapshot.ts';

/** What a gateway answers from. */
export type OperatorView = {
  address: string;
  snapshot: Snapshot;
  /** Of all processes that serve. */
  status(): Promise<GatewayStatus>;
};

/** The answer of a process that serves calls (`core/operator.ts` says of what shape). */
export function answerOperator({ operation, query }: OperatorQuestion, view: OperatorView): Promise<unknown> {
  switch (operation) {
    case 'gateway':
      return Promise.resolve(factsOf(view));
    case 'catalog':
      return Promise.resolve(offered(view.snapshot, query));
    case 'status':
      return view.status().then((status) => statusJson(status, VERSION));
    case 'probes':
      return probeAll(view.snapshot);
    default:
      return operation satisfies never;
  }
}

function factsOf({ address, snapshot: { setup } }: OperatorView): GatewayFacts {
  // A worker's parent has the data.
  const pid = cluster.isWorker ? process.ppid : process.pid;
  return { version: VERSION, pid, address, configFile: setup.config.file, notices: setup.notices };
}

/** What can be called now, of what the query wants. */
function offered({ directory, providers, setup, catalog }: Snapshot, query: OperatorQuestion['query']): OfferedModels {
  const listing = setup.config.providers.filter((row) => row.off === null && needsDiscovery(row, catalog));
  const silent = new Set(providers.filter(({ models }) => models.length === 0).map(({ provider }) => provider.id));
  const unasked = listing.filter(({ id }) => silent.has(id)).map(({ id }) => id);
  return { models: offeredModels(directory, query), unasked };
}
