import type { OperatorAnswer, OperatorRequest } from '../core/operator.ts';
import type { KeptItem, StorageReason } from '../core/ports.ts';
import type { GatewayStatus } from '../core/target-status.ts';
import type { SignInAttempt } from '../organization/sign-in/throttle.ts';

/** The text of a configuration file, as it was read; both are `null` if there is none. */
export type ConfigText = { file: string | null; text: string | null };

/** The start data of a worker. It starts with the first configuration and reloads to the current one. */
export type StartOrder = {
  instanceId: string;
  /** The number of this worker, from 0, and how many workers there are. */
  index: number;
  workers: number;
  /** The address to listen on; `null`: the configured one. */
  port: number | null;
  first: ConfigText;
  current: ConfigText;
};

/** The callable names, for the greeting. */
export type GreetingFacts = {
  providers: readonly { id: string; label: string; models: number; because: string }[];
  exampleModel: string | null;
  /** Notices about what it serves, in addition to those about its configuration. */
  notices: readonly string[];
};

export type Serving = { address: string; greeting: GreetingFacts };

export type ItemQuery = { keyId: string; ids: readonly string[] };

type QuestionShape<Asked, Answered> = { asked: Asked; answered: Answered };

/** Questions of a worker to the primary. */
export type ToPrimary = {
  hello: QuestionShape<null, StartOrder>;
  serving: QuestionShape<Serving, null>;
  /** It could not start: a sentence for the operator, or `null` if its log says more. */
  failed: QuestionShape<string | null, null>;
  /** The metrics of all processes, as text. */
  metrics: QuestionShape<null, string>;
  /** The merged status of all processes. */
  status: QuestionShape<null, GatewayStatus>;
  /** The items that other workers store. */
  items: QuestionShape<ItemQuery, KeptItem[]>;
  /** Counts a sign-in attempt over all workers; answers the wait in ms, or `null` if the attempt is allowed. */
  attempt: QuestionShape<readonly SignInAttempt[], number | null>;
  forgetAttempts: QuestionShape<string, null>;
  /** Why it cannot write the store, with the error message; `null` once it can again. */
  storage: QuestionShape<{ reason: StorageReason; words: string } | null, null>;
};

/** Questions of the primary to a worker. */
export type ToWorker = {
  /** Answered immediately, in any state. */
  ping: QuestionShape<null, null>;
  reload: QuestionShape<ConfigText, null>;
  /** Answered when no call is open any more. */
  stop: QuestionShape<null, null>;
  /** Its own metrics, for aggregation. */
  metrics: QuestionShape<null, unknown[]>;
  status: QuestionShape<null, GatewayStatus>;
  items: QuestionShape<ItemQuery, KeptItem[]>;
  /** Requests of the operator's commands; one worker answers for all. */
  operator: QuestionShape<OperatorRequest, OperatorAnswer>;
};
