import type { Environment } from '../config/interpolate.ts';
import type { ReadConfig } from '../config/read.ts';
import type { Import } from '../control/catalog/models-dev.ts';
import type { KeyParts } from '../control/keys/keys.ts';
import type { GatewayError } from '../core/errors.ts';
import type { Price } from '../core/money.ts';
import type { Clock, Storage } from '../core/ports.ts';
import type { CatalogEntry, Directory } from '../core/provider.ts';
import type { UsageDetail, UsageRecord } from '../core/records.ts';
import type { Decision, DecisionCandidate, LeftOut, Route } from '../core/route.ts';
import type { News } from './news.ts';

/** Where `--config` and `--data` say the configuration and the data are; `undefined`: where they are looked for. */
export type Where = { config: string | undefined; data: string | undefined };

/** A configuration as it was read, and the folder that its data is in. */
export type Setup = ReadConfig & { folder: string };

type CatalogFile = Import['file'];

/** What can be called, as far as that is known without asking anybody. */
export type Offer = {
  directory: Directory;
  /** Providers that list their own models, which a running gateway asks them for. */
  unasked: readonly string[];
};

/** What became of asking a provider for its models, with its key. */
export type Probe = {
  provider: string;
  hasKey: boolean;
  /** How many models it listed, or what went wrong. */
  result: { models: number } | { error: GatewayError };
  tookMs: number;
  /** How far the clock of whoever answered was ahead of ours, in ms; `null` where nobody said a time. */
  clockAheadMs: number | null;
};

/** One place that a route may send calls to. Names are empty where nobody serves it; `missing` then says why. */
export type Place = Pick<DecisionCandidate, 'model' | 'role' | 'provider' | 'upstreamModel' | 'credential'> & {
  price: Price | null;
  /** Why it can serve no call at all; `null` where it may. */
  missing: LeftOut | null;
};

type Outcome = Pick<DecisionCandidate, 'model' | 'provider' | 'upstreamModel' | 'expectedCost' | 'chance'>;

/** What a draft would have made of a call: who came first, and who would. `null`: nobody, and `refusal` says why. */
export type Change = { before: Outcome | null; after: Outcome | null; moved: boolean; refusal: GatewayError | null };

/** A request to a gateway, with the key to ask with. */
export type Question = { method: 'GET' | 'POST'; key: string; body?: string };

/** Its answer, as far as it is JSON; or why there is none: the system's word for it. */
export type Asked = { status: number; json: unknown } | { silent: string };

/** What the commands need of rooms that they may not enter. `main.ts` fills it. */
export type Toolbox = {
  version: string;
  clock: Clock;
  /** Of the process, and its working folder. */
  env: Environment;
  cwd: string;
  /** Throws a `ConfigError` with every mistake. */
  readSetup(where: Where): Setup;
  /** Makes the data folder where it is missing. Whoever opens it closes it. */
  openStorage(setup: Setup): Promise<Storage>;
  /** The same with what keys are made with. */
  openKeys(setup: Setup): Promise<{ storage: Storage; keys: KeyParts }>;
  offer(setup: Setup): Offer;
  /** The same once those were asked that list their own models; `unasked` are those that did not answer. */
  survey(setup: Setup): Promise<Offer>;
  /** All that a route may send calls to. */
  places(route: Route, directory: Directory): Place[];
  /** Decides past calls anew by a draft of their route. Whoever opened the storage keeps it open for that long only. */
  replayer(storage: Storage, draft: Route, directory: Directory): Promise<(decision: Decision) => Change>;
  /** Asks a gateway that runs. Never rejects for what that does. */
  ask(url: string, question: Question): Promise<Asked>;
  /** The catalog that ships, and the one that was imported into a data folder (empty where none was), which is kept at `path`. */
  catalogFiles(folder: string): { shipped: CatalogFile; imported: CatalogFile; path: string };
  /** Asks every provider that is on, all at once, for a few seconds at most. */
  probe(setup: Setup): Promise<Probe[]>;
  usageRecordJson(record: UsageRecord): Record<string, unknown>;
  /** @param credentials whether the names of credentials are shown */
  usageDetailJson(detail: UsageDetail, credentials: boolean): Record<string, unknown>;
  catalogEntryJson(entry: CatalogEntry, find: Directory['find']): Record<string, unknown>;
  /** Serves until a signal ends it, in as many processes as are said here or in the configuration; resolves with the exit code. */
  serve(where: Where & { workers: number | undefined }, tell: (news: News) => void): Promise<number>;
};
