import type { Config } from '../config/config.ts';
import type { Environment } from '../config/interpolate.ts';
import type { Path } from '../config/problems.ts';
import type { RouteMember } from '../core/known-route.ts';
import type { Clock, Storage } from '../core/ports.ts';
import type { Directory } from '../core/provider.ts';
import type { Route } from '../core/route.ts';
import type { KeyParts } from '../keys/keys.ts';
import type { NameRules } from '../organization/gateway-settings.ts';

/** What can be called, as far as it is known. */
export type KnownModels = {
  directory: Directory;
  /** Providers whose model lists have not been read. */
  unasked: readonly string[];
};

/** A call to explain: a JSON body, for a route or a model. `surface` defaults to what the members suggest. */
export type AskedCall = { id: string; surface: string | undefined; body: string };

/** What tasks work with: a running gateway passes what it serves, a command what it reads. */
export type TaskServices = {
  storage: Storage;
  clock: Clock;
  config: Config;
  /** The line of a setting in the configuration file; `null` if it is not there. */
  lineOf(path: Path): number | null;
  env: Environment;
  /** What creating keys needs. Rejects if there are keys but no pepper to check them with. */
  keyParts(): Promise<KeyParts>;
  /** `ask`: whether to ask providers for their model lists. A gateway has asked already. */
  models(ask: boolean): Promise<KnownModels>;
  /** All targets that a route may use. */
  routeTargets(route: Route, directory: Directory): Promise<readonly RouteMember[]>;
  /** What reading the products needs. */
  nameRules(storage: Storage): NameRules;
  /** Explains a call as `POST /v1/routes/{id}/explain` does; `null` if no gateway runs. */
  explain: ((call: AskedCall) => Promise<Record<string, unknown>>) | null;
};

/**
 * The work of a command on keys, usage or routes. The running gateway does it, else the command itself. Input and
 * answer are data that `tasks/bigint-json.ts` can write.
 */
export type Task<Input, Answer> = {
  /** Its name on the operator socket. */
  name: string;
  /** The answer if there is no data yet. If left out, the task is refused then. */
  ofNothing?(services: Omit<TaskServices, 'storage' | 'keyParts'>, input: Input): Answer | Promise<Answer>;
  /** Rejects with a `GatewayError`, or a `ConfigError` for a text in the input. */
  run(services: TaskServices, input: Input): Promise<Answer>;
};
