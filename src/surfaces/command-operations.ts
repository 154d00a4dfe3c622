import type { LazyOperations } from '../organization/operator-api.ts';
import type { UsageParts } from './usage.ts';

/** What the operations need that commands use, besides those on settings. */
export type CommandParts = UsageParts;

/** Operations that commands use, besides those on settings. */
export const COMMAND_OPERATIONS: readonly LazyOperations<CommandParts>[] = [
  { paths: /^\/v1\/usage(?:[/?]|$)/, load: async () => (await import('./usage.ts')).USAGE_OPERATIONS },
];
