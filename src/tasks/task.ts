import type { FileNames, NameRules } from '../admin/gateway-settings.ts';
import type { TryProvider } from '../admin/provider-trial.ts';
import type { ProviderRules } from '../admin/providers.ts';
import type { Config } from '../config/config.ts';
import type { Environment } from '../config/interpolate.ts';
import type { Path } from '../config/problems.ts';
import type { RouteMember } from '../core/known-route.ts';
import type { SendMail } from '../core/mail.ts';
import type { Clock, Storage } from '../core/ports.ts';
import type { Directory } from '../core/provider.ts';
import type { Route } from '../core/route.ts';
import type { KeyParts } from '../keys/keys.ts';

/** What can be called, as far as that is known. */
export type KnownModels = {
  directory: Directory;
  /** Providers that list their own models, and have not said which. */
  unasked: readonly string[];
};

/** A call that is asked about: its body in JSON, for a route or a model; `surface` left out, its members tell. */
export type AskedCall = { id: string; surface: string | undefined; body: string };

/** What tasks are done with: by a gateway with what it serves, by a command with what it reads. */
export type TaskServices = {
  storage: Storage;
  clock: Clock;
  config: Config;
  /** The line of the configuration's file on which a setting stands; `null` where the file does not have it. */
  lineOf(path: Path): number | null;
  env: Environment;
  /** What keys are made with. Rejects where there are keys, and nothing to check them with. */
  keyParts(): Promise<KeyParts>;
  /** `ask`: whether providers that list their own models are asked for them; a gateway has asked them. */
  models(ask: boolean): Promise<KnownModels>;
  /** All that a route may send calls to. */
  routeTargets(route: Route, directory: Directory): Promise<readonly RouteMember[]>;
  providers: {
    /** What providers are set up by, beside those of the configuration. */
    rules(storage: Pick<Storage, 'organizations'>): ProviderRules;
    tryOut: TryProvider;
  };
  /** `null` where no mail server is set, or no gateway serves: a command by itself mails nothing. */
  sendMail: SendMail | null;
  /** What products, prices and aliases are set up by, beside those of the configuration. */
  nameRules(storage: Storage): NameRules;
  /** Those of the configuration. */
  fileNames: FileNames;
  /** Who would serve a call, as `POST /v1/routes/{id}/explain` tells it. `null` where no gateway serves. */
  explain: ((call: AskedCall) => Promise<Record<string, unknown>>) | null;
};

/**
 * What a command has done with keys, usage or routes: by the gateway that serves the data, else by the command itself on the
 * store. What goes in and comes out is data, which `tasks/bigint-json.ts` can write.
 */
export type Task<Input, Answer> = {
  /** Names it on the operator socket. */
  name: string;
  /** The answer where nothing is kept yet; left out: it is refused there. */
  ofNothing?(services: Omit<TaskServices, 'storage' | 'keyParts'>, input: Input): Answer | Promise<Answer>;
  /** Rejects with a `GatewayError`, or a `ConfigError` for a text that the input brought. */
  run(services: TaskServices, input: Input): Promise<Answer>;
};
