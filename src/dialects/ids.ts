import type { DialectId } from '../core/provider.ts';

/** The dialects that are built, in the order of `DIALECTS`; here alone, so that who reads a configuration need not load them. */
export const BUILT_DIALECT_IDS: readonly DialectId[] = [
  'openai-responses',
  'anthropic-messages',
  'openai-chat',
  'openai-embeddings',
];
