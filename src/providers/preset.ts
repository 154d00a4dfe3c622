import type { Authorization, FactsList, Provider } from '../core/provider.ts';
import type { Quirks } from '../core/quirks.ts';

/** The models that a vendor serves only in responses, by its own names, and the page that documents it. */
export type ResponsesOnly = { models: RegExp; source: string };

/** All facts about a vendor: one row of `presets.ts`. */
export type Preset = {
  id: string;
  /** Other names that people use for it, in lower case. */
  alsoCalled?: readonly string[];
  label: string;
  /** No trailing slash; the paths of `speaks` are appended. `null`: the operator must state it. */
  baseUrl: string | null;
  /** Environment variables with the address. */
  baseUrlEnv?: readonly string[];
  /** Converts what the operator states to an address, if the vendor's own term is not an address. */
  completeBaseUrl?: (given: string) => string;
  /** Environment variables with the key, the usual one first. */
  keyEnv: readonly string[];
  /** Default: true. */
  needsKey?: false;
  speaks: Provider['speaks'];
  /** Default: `Authorization: Bearer`. */
  authorization?: Authorization;
  quirks?: Quirks;
  onlyAsResponses?: ResponsesOnly;
  /** The vendor's name in the catalog; `null` if it is not there. */
  catalog: string | null;
  /** The path of its list of models. Default: `/models`. */
  modelsPath?: string;
  /** Its pages at other addresses, with facts that the usual list lacks; the first that has a fact is used. */
  factsLists?: readonly FactsList[];
  /** Its list does not name what can be called. */
  listsOtherThings?: true;
  /** The default port of a local server. */
  localPort?: number;
  /** The vendor's page that documents the row. */
  docs: string;
};
