import type { GreetingFacts } from './messages.ts';
import type { Reloaded, Setup } from './setup.ts';

/** A gateway that serves, in one process or in several. */
export type RunningGateway = {
  readonly address: string;
  /** Shown once; `null` if the data already has keys. */
  readonly firstKey: string | null;
  /** The link for the first owner; `null` if somebody has signed in, or browsers cannot. */
  readonly ownerLink: string | null;
  /** The number of calls that an earlier process left open, settled at this start. */
  readonly recovered: number;
  /** Its offer at the start. */
  readonly greeting: GreetingFacts;
  /** The configuration in force. */
  readonly setup: Setup;
  /** Reads the configuration again and applies it completely, or throws and changes nothing. Calls run one after the other. */
  reload(): Promise<Reloaded>;
  /** Refuses new calls, waits for open ones (at most `server.drain`), and closes everything. */
  stop(): Promise<void>;
};
