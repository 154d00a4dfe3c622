import type { DialectId } from '../core/provider.ts';

/**
 * The built dialects in the order of `DIALECTS`. They have a file of their own so that reading a configuration does not
 * load the dialects.
 */
export const BUILT_DIALECT_IDS: readonly DialectId[] = [
  'openai-responses',
  'anthropic-messages',
  'openai-chat',
  'openai-embeddings',
];
