import type { KeptItem, StorageReason } from '../core/ports.ts';
import type { GatewayStatus } from '../core/target-status.ts';

/** The text of a configuration file, as it was read; both are `null` where there is none. */
export type ConfigText = { file: string | null; text: string | null };

/** What a worker begins with. It takes the same steps as those that have served longer: the first configuration, then the present one. */
export type StartOrder = {
  instanceId: string;
  /** Which of them it is, from 0, and how many there are. */
  index: number;
  workers: number;
  /** Where to listen; `null`: where the configuration says. */
  port: number | null;
  first: ConfigText;
  present: ConfigText;
};

/** What can be called, for the greeting. */
export type Offer = {
  providers: readonly { id: string; label: string; models: number; because: string }[];
  exampleModel: string | null;
};

export type Serving = { address: string; offer: Offer };

export type ItemQuery = { keyId: string; ids: readonly string[] };

type Question<Asked, Answered> = { asked: Asked; answered: Answered };

/** What a worker asks of the primary. */
export type ToPrimary = {
  hello: Question<null, StartOrder>;
  serving: Question<Serving, null>;
  /** It could not start; a sentence for the operator, or `null` where its log says more. */
  failed: Question<string | null, null>;
  /** The metrics of all, as text. */
  metrics: Question<null, string>;
  /** How all do, together. */
  status: Question<null, GatewayStatus>;
  /** Those of the items that any other worker keeps. */
  items: Question<ItemQuery, KeptItem[]>;
  /** Why it cannot write the store, and the words of what failed; `null` once it can again. */
  storage: Question<{ reason: StorageReason; words: string } | null, null>;
};

/** What the primary asks of a worker. */
export type ToWorker = {
  /** Answered at once, in whatever state it is. */
  ping: Question<null, null>;
  reload: Question<ConfigText, null>;
  /** Answered when no call is open any more. */
  stop: Question<null, null>;
  /** Its own metrics, as they are aggregated. */
  metrics: Question<null, unknown[]>;
  status: Question<null, GatewayStatus>;
  items: Question<ItemQuery, KeptItem[]>;
};
