import cluster from 'node:cluster';
import type { Environment } from '../config/interpolate.ts';
import type { GatewayFacts, OfferedModels, OperatorQuestion } from '../core/operator.ts';
import type { GatewayStatus } from '../core/target-status.ts';
import { statusJson } from '../surfaces/status.ts';
import { offeredModels, probeAll } from './inspect.ts';
import { VERSION } from './setup.ts';
import type { Snapshot } from './snapshot.ts';
import { type ServedParts, servedServices, silentOf } from './task-services.ts';
import { unpricedSentences } from './unpriced-news.ts';

/** What a gateway answers from. */
export type OperatorView = {
  address: string;
  snapshot: Snapshot;
  env: Environment;
  served: ServedParts;
  /** Of all processes that serve. */
  status(): Promise<GatewayStatus>;
};

/** The answer of a process that serves calls (`core/operator.ts` says of what shape). */
export function answerOperator({ operation, query, body }: OperatorQuestion, view: OperatorView): Promise<unknown> {
  switch (operation) {
    case 'gateway':
      return Promise.resolve(factsOf(view));
    case 'catalog':
      return Promise.resolve(offered(view.snapshot, query));
    case 'status':
      return view.status().then((status) => statusJson(status, VERSION));
    case 'probes':
      return probeAll(view.snapshot);
    case 'task':
      return outcomeOf(view, query.name ?? '', body);
    default:
      return operation satisfies never;
  }
}

function factsOf({ address, snapshot: { setup, directory } }: OperatorView): GatewayFacts {
  // A worker's parent has the data.
  const pid = cluster.isWorker ? process.ppid : process.pid;
  const notices = [...setup.notices, ...unpricedSentences(directory)];
  return { version: VERSION, pid, address, configFile: setup.config.file, notices };
}

/** What can be called now, of what the query wants. */
function offered(snapshot: Snapshot, query: OperatorQuestion['query']): OfferedModels {
  return { models: offeredModels(snapshot.directory, query), unasked: silentOf(snapshot) };
}

async function outcomeOf(
  { served, snapshot, env }: OperatorView,
  name: string,
  input: string,
): Promise<{ outcome: string }> {
  // Only here: a gateway that nobody asks need not load what tasks are done with.
  const { runTask } = await import('../tasks/run.ts');
  return { outcome: await runTask(servedServices(served, snapshot, env), name, input) };
}
