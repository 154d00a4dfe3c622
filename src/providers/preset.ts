import type { Authorization, FactsList, Provider, Quirks } from '../core/provider.ts';

/** The models that a vendor serves as responses alone, by its own names for them, and the page that says so. */
export type ResponsesOnly = { models: RegExp; source: string };

/** Everything that is known of a vendor: one row of `presets.ts`. */
export type Preset = {
  id: string;
  label: string;
  /** No trailing slash; the paths of `speaks` are appended. `null`: only the operator can know it. */
  baseUrl: string | null;
  /** Variables that may hold the address. */
  baseUrlEnv?: readonly string[];
  /** Makes an address out of the operator's words for it, where the vendor's own words are not one. */
  completeBaseUrl?: (given: string) => string;
  /** Variables that may hold the key, the usual one first. */
  keyEnv: readonly string[];
  /** Default: yes. */
  needsKey?: false;
  speaks: Provider['speaks'];
  /** Default: `Authorization: Bearer`. */
  authorization?: Authorization;
  quirks?: Quirks;
  onlyAsResponses?: ResponsesOnly;
  /** The vendor's name in the catalog; `null`: it is not there. */
  catalog: string | null;
  /** Where its list of models is, below its address. Default: `/models`. */
  modelsPath?: string;
  /** Its own pages at other addresses, for what the usual list does not tell of models; the first that tells a fact holds. */
  factsLists?: readonly FactsList[];
  /** Its list is of something else than what can be called. */
  listsOtherThings?: true;
  /** The port it listens on by default, where it is a server for one's own machine. */
  localPort?: number;
  /** The vendor's page on all this. */
  docs: string;
};
