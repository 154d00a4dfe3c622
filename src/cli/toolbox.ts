import type { Import } from '../catalog/formats/format.ts';
import type { Download } from '../catalog/source.ts';
import type { Environment } from '../config/interpolate.ts';
import type { ReadConfig } from '../config/read.ts';
import type { OperatorAnswer, OperatorRequest } from '../core/operator.ts';
import type { Clock, Storage } from '../core/ports.ts';
import type { UnpricedTargets } from '../core/unpriced.ts';
import type { News } from './news.ts';

/** The places given by `--config` and `--data`; `undefined` for the defaults. */
export type Where = { config: string | undefined; data: string | undefined };

/** A configuration and the folder of its data. */
export type CommandSetup = ReadConfig & {
  folder: string;
  /** The environment including the file `.env`. */
  env: Environment;
  /** Whether there is data in the folder. */
  hasData: boolean;
  /** Whether the folder was named explicitly, so that a command may be the first to write there. */
  mayMakeData: boolean;
};

type CatalogOfFile = Import['file'];

/** The HTTP API in this process. */
export type OwnApi = { ask(asked: OperatorRequest): Promise<OperatorAnswer>; close(): Promise<void> };

/** A request to a gateway, with the key. */
export type GatewayRequest = { method: 'GET' | 'POST'; key: string; body?: string };

/** Its answer, if that is JSON, or the system's error. */
export type GatewayReply = { status: number; json: unknown } | { silent: string };

/** What commands need from rooms that they may not import. `main.ts` provides it. */
export type Toolbox = {
  version: string;
  clock: Clock;
  /** The process's environment and working folder. */
  env: Environment;
  cwd: string;
  /** Throws a `ConfigError` with every mistake. */
  readSetup(where: Where): CommandSetup;
  /** Creates the folder if allowed, else throws an `OperatorError`. The caller must close the storage. */
  openStorage(setup: CommandSetup): Promise<Storage>;
  /**
   * The answer of the running gateway on this data; `null` if there is none, or it has no socket. Throws an
   * `OperatorError` if it does not answer.
   */
  askLive(setup: CommandSetup, asked: OperatorRequest): Promise<OperatorAnswer | null>;
  /** The HTTP API over the store. Creates it if allowed, else throws an `OperatorError`. */
  openApi(setup: CommandSetup): Promise<OwnApi>;
  /** The HTTP API over a store in which nothing has been written. */
  openEmptyApi(setup: CommandSetup): Promise<OwnApi>;
  /** The answer of this process to what needs no store. */
  askStoreless(setup: CommandSetup, asked: OperatorRequest): Promise<OperatorAnswer>;
  /** Checks that the keys of a store can be checked. Rejects if there are keys but no pepper. */
  checkPepper(setup: CommandSetup, storage: Storage): Promise<void>;
  /** Asks a running gateway. Never rejects. */
  ask(url: string, question: GatewayRequest): Promise<GatewayReply>;
  /** The shipped catalog, and the imported one of a data folder (empty if there is none), stored at `path`. */
  catalogFiles(folder: string): { shipped: CatalogOfFile; imported: CatalogOfFile; path: string };
  /** The text at an http or https address. */
  download: Download;
  /**
   * Targets that budgets skip, as far as is known without asking anybody. Without the store, its routes and prices are
   * unknown.
   */
  unpriced(setup: CommandSetup, storage?: Storage): Promise<UnpricedTargets[]>;
  /** Serves until it gets a signal, with these variables over the environment. Returns the exit code. */
  serve(where: Where, variables: Readonly<Record<string, string>>, tell: (news: News) => void): Promise<number>;
};
