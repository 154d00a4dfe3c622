import type { SignInAttempt } from '../admin/sign-in/throttle.ts';
import type { OperatorQuestion } from '../core/operator.ts';
import type { KeptItem, StorageReason } from '../core/ports.ts';
import type { GatewayStatus } from '../core/target-status.ts';

/** The text of a configuration file, as it was read; both are `null` if there is none. */
export type ConfigText = { file: string | null; text: string | null };

/** What a worker begins with. Like the workers before it, it starts with the first configuration and reloads to the present one. */
export type StartOrder = {
  instanceId: string;
  /** The number of this worker, from 0, and how many workers there are. */
  index: number;
  workers: number;
  /** Where to listen; `null`: where the configuration says. */
  port: number | null;
  first: ConfigText;
  current: ConfigText;
};

/** What can be called, for the greeting. */
export type GreetingFacts = {
  providers: readonly { id: string; label: string; models: number; because: string }[];
  exampleModel: string | null;
  /** Sentences about what it serves, beside those about its configuration. */
  notices: readonly string[];
};

export type Serving = { address: string; greeting: GreetingFacts };

export type ItemQuery = { keyId: string; ids: readonly string[] };

type QuestionShape<Asked, Answered> = { asked: Asked; answered: Answered };

/** What a worker asks of the primary. */
export type ToPrimary = {
  hello: QuestionShape<null, StartOrder>;
  serving: QuestionShape<Serving, null>;
  /** It could not start; a sentence for the operator, or `null` where its log says more. */
  failed: QuestionShape<string | null, null>;
  /** The metrics of all, as text. */
  metrics: QuestionShape<null, string>;
  /** How all do, together. */
  status: QuestionShape<null, GatewayStatus>;
  /** The items that any other worker keeps. */
  items: QuestionShape<ItemQuery, KeptItem[]>;
  /** Counts a sign-in attempt over all workers; answers the wait in ms, or `null` if the attempt is allowed. */
  attempt: QuestionShape<readonly SignInAttempt[], number | null>;
  forgetAttempts: QuestionShape<string, null>;
  /** Why it cannot write the store, and the words of what failed; `null` once it can again. */
  storage: QuestionShape<{ reason: StorageReason; words: string } | null, null>;
};

/** What the primary asks of a worker. */
export type ToWorker = {
  /** Answered at once, in any state. */
  ping: QuestionShape<null, null>;
  reload: QuestionShape<ConfigText, null>;
  /** Answered when no call is open any more. */
  stop: QuestionShape<null, null>;
  /** Its own metrics, as they are aggregated. */
  metrics: QuestionShape<null, unknown[]>;
  status: QuestionShape<null, GatewayStatus>;
  items: QuestionShape<ItemQuery, KeptItem[]>;
  /** What the operator asks: one worker answers for all. */
  operator: QuestionShape<OperatorQuestion, unknown>;
};
