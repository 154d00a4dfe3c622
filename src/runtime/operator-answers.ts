import cluster from 'node:cluster';
import type { Environment } from '../config/interpolate.ts';
import type {
  GatewayFacts,
  OfferedModels,
  OperatorAnswer,
  OperatorQuestion,
  OperatorRequest,
} from '../core/operator.ts';
import type { GatewayStatus } from '../core/target-status.ts';
import { statusJson } from '../surfaces/status.ts';
import { offeredModels, probeAll } from './inspect.ts';
import { VERSION } from './setup.ts';
import type { Snapshot } from './snapshot.ts';
import { type ServedParts, servedServices, silentOf } from './task-services.ts';
import { unpricedSentences } from './unpriced-news.ts';

/** The sources of a gateway's answers. */
export type OperatorView = {
  address: string;
  snapshot: Snapshot;
  env: Environment;
  served: ServedParts;
  /** Answers as the HTTP API. */
  api(request: OperatorRequest): Promise<OperatorAnswer>;
  /** Of all processes that serve. */
  status(): Promise<GatewayStatus>;
};

/** The answer of a process that serves calls. Its type is in `core/operator.ts`. */
export function answerOperator(
  { operation, query, body, request }: OperatorQuestion,
  view: OperatorView,
): Promise<unknown> {
  switch (operation) {
    case 'gateway':
      return Promise.resolve(factsOf(view));
    case 'catalog':
      return Promise.resolve(offered(view.snapshot, query));
    case 'status':
      return view.status().then((status) => statusJson(status, VERSION));
    case 'probes':
      return probeAll(view.snapshot);
    case 'api':
      return view.api(request!);
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

/** The callable entries that match the query. */
function offered(snapshot: Snapshot, query: OperatorQuestion['query']): OfferedModels {
  return { models: offeredModels(snapshot.directory, query), unasked: silentOf(snapshot) };
}

async function outcomeOf(
  { served, snapshot, env }: OperatorView,
  name: string,
  input: string,
): Promise<{ outcome: string }> {
  // Imported on use: a gateway without tasks need not load this.
  const { runTask } = await import('../tasks/run.ts');
  return { outcome: await runTask(servedServices(served, snapshot, env), name, input) };
}
