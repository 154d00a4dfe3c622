import type { Logger } from 'pino';
import type { Ids, ItemSource, Limiter, Storage } from '../core/ports.ts';
import type { GatewayStatus } from '../core/target-status.ts';
import type { KeyParts } from '../keys/keys.ts';
import type { DefaultLimits } from '../limits/limiter.ts';
import type { SignInAttempts } from '../organization/sign-in/throttle.ts';
import type { Setup, StartOptions } from './setup.ts';
import type { StorageWatchParts } from './storage-watch.ts';

/** The parts that differ if several processes serve together. */
export type ProcessParts = {
  limiter(defaults: () => DefaultLimits): Limiter;
  /** Items that other processes store. */
  items: ItemSource | null;
  /** The metrics of all processes. */
  metrics: (() => Promise<string>) | null;
  /** The status of all processes. */
  status: (() => Promise<GatewayStatus>) | null;
  /** Called when the store cannot be written, and when it can again. */
  storageNews: Pick<StorageWatchParts, 'onTrouble' | 'onRecovered'>;
  /** Sign-in attempts at all processes. */
  attempts: SignInAttempts;
  /** True if this process asks vendors for their models and whether they take its keys; one of several does, for all. */
  asksVendors: boolean;
  /** This process's share of the configured limits. */
  portion(setup: Setup): Setup;
};

export type GatewayParts = {
  startOptions: StartOptions;
  log: Logger;
  setup: Setup;
  /** The gateway does not close it: the code that opened it does, once the gateway has stopped. */
  storage: Storage;
  keys: KeyParts;
  ids: Ids;
  processParts: ProcessParts;
};
