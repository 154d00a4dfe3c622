import type { ErrorKind } from './errors.ts';

/** A request of the operator to the HTTP API: on the operator socket, or in the command's own process. */
export type OperatorRequest = {
  method: 'GET' | 'POST' | 'DELETE';
  /** Path and query, encoded as in a URL. */
  path: string;
  /** JSON; empty without a body. */
  body: string;
  /** The id of an organization; `null` for the first, or for all where an operation can list all. */
  organizationId: string | null;
};

/** An HTTP status and JSON. */
export type OperatorAnswer = { status: number; body: string };

/** The largest body of a request, in bytes. */
export const MAX_QUESTION_BYTES = 64 * 1024 * 1024;

/** What a gateway that serves this data says about itself. */
export type GatewayFacts = {
  version: string;
  /** The id of the process that holds the data folder. */
  pid: number;
  /** `http://host:port`, with the actual port. */
  address: string;
  config_file: string | null;
  /** Notices about the configuration: what is off and why, and what is unwise. */
  notices: readonly string[];
};

/** The port of an `http` address, which omits the default port. */
export function portOf(address: string): number {
  return Number(new URL(address).port || 80);
}

/** A callable model as in `GET /v1/models/catalog`; only the members that are used here. */
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
  /** ISO dates; absent from gateways of earlier versions. */
  shut_down_at?: string | null;
  unlisted_since?: string | null;
  /** Dollars per million tokens. `inferred_from`: the model whose price was inferred. */
  pricing: { input_per_1m: number | null; output_per_1m: number | null; inferred_from?: string };
};

export type OfferedModels = {
  data: readonly OfferedModel[];
  /** Providers whose own list of models has not been received. */
  unasked: readonly string[];
};

/** The result of asking a provider for its models with one of its keys. */
export type Probe = {
  provider: string;
  /** The name of the key, if the provider has several. */
  credential: string | null;
  has_key: boolean;
  /** The number of listed models, or the failure; `code` is a system error (`ECONNREFUSED`). */
  result: { models: number } | { failure: { kind: ErrorKind; message: string; code: string | null } };
  /** Names of the configuration whose model the provider did not list. */
  gone: readonly string[];
  took_ms: number;
  /** How far the server's clock was ahead of ours, in ms; `null` without a time in the answer. */
  clock_ahead_ms: number | null;
};
