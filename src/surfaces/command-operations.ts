import type { LazyOperations } from '../api/lazy-operations.ts';
import type { ExplainParts } from './explain.ts';
import type { StorelessParts } from './operator.ts';
import type { StatusParts } from './status.ts';
import type { UsageParts } from './usage.ts';

/** What the operations need that commands use, besides those on settings. */
export type CommandParts = UsageParts & ExplainParts & StatusParts;

/** Operations that commands use, besides those on settings. */
export const COMMAND_OPERATIONS: readonly LazyOperations<CommandParts>[] = [
  { paths: ['/v1/usage'], load: async () => (await import('./usage.ts')).USAGE_OPERATIONS },
  { paths: ['/v1/status'], load: async () => [(await import('./status.ts')).STATUS_OPERATION] },
  { paths: ['/v1/routes/*'], load: async () => [(await import('./explain.ts')).EXPLAIN_OPERATION] },
];

/** Operations that need no store. */
export const STORELESS_OPERATIONS: readonly LazyOperations<StorelessParts>[] = [
  {
    paths: ['/v1/operator/gateway', '/v1/operator/catalog', '/v1/operator/probes'],
    load: async () => (await import('./operator.ts')).GATEWAY_OPERATIONS,
  },
];
