import type { Storage } from '../core/ports.ts';
import type { LedgerTables, TakenOver } from './journal/ledger.ts';
import type { JournalPosition } from './journal-port.ts';

/** `normal` survives the death of the process, `full` the loss of power too, for one fsync per group of writes. */
export type Durability = 'normal' | 'full';

/** What the tables tell without being asked. */
export type TablesNews =
  | { event: 'taken-over'; taken: TakenOver }
  /** A write to the tables was done, or failed for the sake of the disk. */
  | { event: 'written' }
  | { event: 'failed'; error: unknown }
  /** A record that was acknowledged has values that no table takes. `told` is all of it. */
  | { event: 'refused'; told: string; error: unknown };

export type TablesOptions = {
  folder: string;
  instanceId: string;
  durability: Durability;
  lockWaitMs: number;
  /** How long one report may be worked at, in ms; `null` for as long as it takes. */
  reportMs: number | null;
  /** How far this instance's journals hold what was acknowledged; `null` where nothing was yet. */
  acknowledged(): JournalPosition | null;
  /** Monotonic ms for leases, the same for all processes. Default: the machine's. */
  leaseNow?: (() => number) | undefined;
  /** Called again and again while the tables follow the journal and nobody asked for what they hold: lets other threads go first. */
  rest?: (() => void) | undefined;
};

/** What is kept in tables, and what is done to them. All of it can be asked for from another thread. */
export type Tables = Pick<
  Storage,
  | 'keys'
  | 'organizations'
  | 'settings'
  | 'people'
  | 'audit'
  | 'usage'
  | 'calls'
  | 'settled'
  | 'spend'
  | 'prices'
  | 'leases'
  | 'routes'
  | 'models'
  | 'feedback'
  | 'thresholds'
  | 'webhooks'
  | 'refused'
> & { upkeep: Upkeep };

export type Upkeep = LedgerTables & {
  /** Brings the tables up to date with all journals in the folder. */
  catchUp(): Promise<void>;
  /** As of `Storage`. */
  instances(): Promise<string[]>;
  recover(instanceId: string, now: number): Promise<number>;
  forget(instanceId: string): Promise<void>;
  purge(before: number): Promise<number>;
  /** Writes to the tables and reads from them. */
  check(): Promise<void>;
  read(): Promise<void>;
};

export type OpenTables = Tables & {
  /** Takes over what is left, and closes. What cannot be taken over now stays in the journal, for the next start. */
  close(): Promise<void>;
};
