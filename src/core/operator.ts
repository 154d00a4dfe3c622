import type { ErrorKind } from './errors.ts';

/** What the operator of a gateway may ask it on its operator socket, and what is answered. */
export type OperatorAnswers = {
  /** What it is, where it serves, and with what. */
  gateway: GatewayFacts;
  /** What can be called now; `provider` and `search` of the query choose, as in `GET /v1/models/catalog`. */
  catalog: OfferedModels;
  /** As `GET /v1/status`. */
  status: Record<string, unknown>;
  /** What became of asking each provider for its models just now, with each of its keys. */
  probes: Probe[];
  /** What came of a task (`tasks/run.ts`): `name` of the query says which, the body is its input. */
  task: { outcome: string };
};

export type OperatorOperation = keyof OperatorAnswers;
export const OPERATOR_OPERATIONS = [
  'gateway',
  'catalog',
  'status',
  'probes',
  'task',
] as const satisfies OperatorOperation[];

/** A question on the operator socket: an operation, what its query says, and the text that came with it. */
export type OperatorQuestion = {
  operation: OperatorOperation;
  query: Readonly<Record<string, string>>;
  /** Empty where none came. */
  body: string;
};

/** The longest text that may come with a question, in bytes. */
export const MAX_QUESTION_BYTES = 64 * 1024 * 1024;

export type GatewayFacts = {
  version: string;
  /** Of the process that has the data. */
  pid: number;
  /** `http://host:port`, with the port that was taken. */
  address: string;
  configFile: string | null;
  /** Sentences about its configuration: what is off and why, and what is unwise. */
  notices: readonly string[];
};

/** The port of an `http` address, which does not name the usual one. */
export function portOf(address: string): number {
  return Number(new URL(address).port || 80);
}

/** A model that can be called, as `GET /v1/models/catalog` tells it: the members that are looked at here. */
export type OfferedModel = {
  id: string;
  provider: string;
  origin: string;
  aliases: readonly string[];
  context_window: number | null;
  dimensions: number | null;
  dialects: readonly string[];
  capabilities: { tools: boolean | null } | null;
  released_at: string | null;
  /** Days (ISO); a gateway of an earlier version does not tell them. */
  shut_down_at?: string | null;
  unlisted_since?: string | null;
  /** Dollars per million tokens. `inferred_from`: the model whose price it is. */
  pricing: { input_per_1m: number | null; output_per_1m: number | null; inferred_from?: string };
};

export type OfferedModels = {
  models: readonly OfferedModel[];
  /** Providers that list their own models, and were not asked for them or have not answered. */
  unasked: readonly string[];
};

/** What became of asking a provider for its models, with one of its keys. */
export type Probe = {
  provider: string;
  /** The name of the key, where the provider has several. */
  credential: string | null;
  hasKey: boolean;
  /** How many models it listed, or what went wrong: `code` is the system's word for it (`ECONNREFUSED`). */
  result: { models: number } | { failure: { kind: ErrorKind; message: string; code: string | null } };
  /** Names of the configuration that lead to a model which the provider did not list. */
  gone: readonly string[];
  tookMs: number;
  /** How far the clock of the server that answered was ahead of ours, in ms; `null` where it gave no time. */
  clockAheadMs: number | null;
};
