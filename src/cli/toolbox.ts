import type { Import } from '../catalog/formats/format.ts';
import type { Download } from '../catalog/source.ts';
import type { Environment } from '../config/interpolate.ts';
import type { ReadConfig } from '../config/read.ts';
import type {
  GatewayFacts,
  OfferedModels,
  OperatorAnswers,
  OperatorOperation,
  OperatorQuestion,
  Probe,
} from '../core/operator.ts';
import type { Clock, Storage } from '../core/ports.ts';
import type { Directory } from '../core/provider.ts';
import type { UsageDetail, UsageRecord } from '../core/records.ts';
import type { ReplayedCall } from '../core/replay.ts';
import type { Decision, Route } from '../core/route.ts';
import type { UnpricedTargets } from '../core/unpriced.ts';
import type { SummaryDimension, UsageSummary } from '../core/usage-summary.ts';
import type { Task, TaskServices } from '../tasks/task.ts';
import type { News } from './news.ts';

/** Where `--config` and `--data` say the configuration and the data are; `undefined`: where they are looked for. */
export type Where = { config: string | undefined; data: string | undefined };

/** A configuration as it was read, and the folder that its data is in. */
export type CommandSetup = ReadConfig & {
  folder: string;
  /** The environment with what the file `.env` says. */
  env: Environment;
  /** Whether a gateway, or a command that was told to, has kept anything there. */
  hasData: boolean;
  /** Whether the folder was named outright, so that a command may be the first to keep something there. */
  mayMakeData: boolean;
};

type CatalogOfFile = Import['file'];

/** A gateway that serves the same data, asked on its operator socket. */
export type LiveGateway = {
  facts: GatewayFacts;
  /** Throws an `OperatorError` where it does not answer any more. */
  ask<Operation extends OperatorOperation>(
    operation: Operation,
    query?: OperatorQuestion['query'],
  ): Promise<OperatorAnswers[Operation]>;
  /** Has it do a task. Throws what the task was refused with, too. */
  perform<Input, Answer>(task: Task<Input, Answer>, input: Input): Promise<Answer>;
};

/** A request to a gateway, with the key to ask with. */
export type GatewayRequest = { method: 'GET' | 'POST'; key: string; body?: string };

/** Its answer, as far as it is JSON; or why there is none: the system's word for it. */
export type GatewayReply = { status: number; json: unknown } | { silent: string };

/** Usage as the API tells it. */
export type UsageShapes = {
  /** Each: @param vendors whether it shows what is the operator's, as what the vendors charged */
  usageRecordJson(record: UsageRecord, keyName: string | null, vendors: boolean): Record<string, unknown>;
  usageDetailJson(detail: UsageDetail, vendors: boolean): Record<string, unknown>;
  usageSummaryJson(summary: UsageSummary, by: readonly SummaryDimension[], vendors: boolean): Record<string, unknown>;
};

/** What the commands need of rooms that they may not enter. `main.ts` fills it. */
export type Toolbox = {
  version: string;
  clock: Clock;
  /** Of the process, and its working folder. */
  env: Environment;
  cwd: string;
  /** Throws a `ConfigError` with every mistake. */
  readSetup(where: Where): CommandSetup;
  /** Makes what is missing where it may, and throws an `OperatorError` where it may not. The caller has to close the storage. */
  openStorage(setup: CommandSetup): Promise<Storage>;
  /** What tasks are done with here, where no gateway serves this data. */
  services(setup: CommandSetup, storage: Storage): TaskServices;
  /** The same where nothing is kept yet. */
  servicesOfNothing(setup: CommandSetup): Omit<TaskServices, 'storage' | 'keyParts'>;
  /** Decides past calls again by a draft of their route. The storage must stay open for that long. */
  replayer(storage: Storage, draft: Route, directory: Directory): Promise<(decision: Decision) => ReplayedCall>;
  /** Asks a gateway that runs. Never rejects for what that does. */
  ask(url: string, question: GatewayRequest): Promise<GatewayReply>;
  /** The catalog that ships, and the one that was imported into a data folder (empty where none was), which is kept at `path`. */
  catalogFiles(folder: string): { shipped: CatalogOfFile; imported: CatalogOfFile; path: string };
  /** The text at an http or https address. */
  download: Download;
  /** Asks every provider that is on, all at once, for a few seconds at most. */
  probe(setup: CommandSetup): Promise<Probe[]>;
  /** The gateway that serves this data; `null` where none does, or where it has no socket to be asked on. */
  live(setup: CommandSetup): Promise<LiveGateway | null>;
  /** What budgets leave out of routes, as far as that is known without asking anybody. Without the store, its routes and prices are not known. */
  unpriced(setup: CommandSetup, storage?: Storage): Promise<UnpricedTargets[]>;
  /** What can be called, of what the filter wants: the word of a gateway that serves, else what is known without asking anybody. */
  offered(setup: CommandSetup, filter: OperatorQuestion['query']): Promise<OfferedModels>;
  usageShapes(): Promise<UsageShapes>;
  /** Serves until a signal ends it, with these variables over those of the environment; resolves with the exit code. */
  serve(where: Where, variables: Readonly<Record<string, string>>, tell: (news: News) => void): Promise<number>;
};
