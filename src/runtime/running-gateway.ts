import type { GreetingFacts } from './messages.ts';
import type { Reloaded, Setup } from './setup.ts';

/** A gateway that serves, in one process or in several. */
export type RunningGateway = {
  readonly address: string;
  /** Shown once; `null` where this data has keys already. */
  readonly firstKey: string | null;
  /** By which somebody becomes the first owner; `null` where somebody has signed in, or browsers cannot. */
  readonly ownerLink: string | null;
  /** Calls that an earlier process left open, closed at this start. */
  readonly recovered: number;
  /** What it offered when it began to serve. */
  readonly greeting: GreetingFacts;
  /** What is in force now. */
  readonly setup: Setup;
  /** Reads the configuration again and puts it in force whole, or throws and changes nothing. One at a time. */
  reload(): Promise<Reloaded>;
  /** Refuses new calls, lets open ones end (at most `server.drain`), and closes everything. */
  stop(): Promise<void>;
};
