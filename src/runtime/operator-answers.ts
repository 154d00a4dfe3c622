import cluster from 'node:cluster';
import type {
  GatewayFacts,
  OfferedModels,
  OperatorAnswer,
  OperatorQuestion,
  OperatorRequest,
} from '../core/operator.ts';
import { offeredModels, probeAll } from './inspect.ts';
import { VERSION } from './setup.ts';
import { type Snapshot, silentOf } from './snapshot.ts';
import { unpricedSentences } from './unpriced-news.ts';

/** The sources of a gateway's answers. */
export type OperatorView = {
  address: string;
  snapshot: Snapshot;
  /** Answers as the HTTP API. */
  api(request: OperatorRequest): Promise<OperatorAnswer>;
};

/** The answer of a process that serves calls. Its type is in `core/operator.ts`. */
export function answerOperator({ operation, query, request }: OperatorQuestion, view: OperatorView): Promise<unknown> {
  switch (operation) {
    case 'gateway':
      return Promise.resolve(factsOf(view));
    case 'catalog':
      return Promise.resolve(offered(view.snapshot, query));
    case 'probes':
      return probeAll(view.snapshot);
    case 'api':
      return view.api(request!);
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
