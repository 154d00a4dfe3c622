import type { Config } from '../config/config.ts';
import type { GatewayStatus } from '../core/target-status.ts';
import type { RequestLimits } from '../http/server.ts';
import type { Setup } from './setup.ts';
import type { Snapshot } from './snapshot.ts';

/** What the parts of a gateway ask it. All of it may change while they live. */
export type GatewayView = {
  snapshot(): Snapshot;
  /** The configuration as read, without additions from the settings. */
  read(): Setup;
  requestLimits(): RequestLimits;
  /** The status of all serving processes. */
  status(): Promise<GatewayStatus>;
  /** `http://host:port`, where it listens. */
  address(): string;
  /** The port that it listens on. */
  port(): number;
  isStopping(): boolean;
};

/** The configuration in force. */
export function configIn({ snapshot }: Pick<GatewayView, 'snapshot'>): Config {
  return snapshot().setup.config;
}
