import { openAiErrorBody } from '../../core/error-body.ts';
import type { Dialect } from '../dialect.ts';
import { readVendorError } from '../vendor-errors.ts';
import { passCall, promptText, readEnvelope } from './envelope.ts';
import { peekAnswer } from './peek.ts';
import { summarize } from './summary.ts';
import { fitAnswer } from './vectors.ts';

/** OpenAI's embeddings. https://platform.openai.com/docs/api-reference/embeddings */
export const openAiEmbeddings: Dialect = {
  id: 'openai-embeddings',
  label: 'embeddings',
  inbound: {
    readEnvelope,
    promptText,
    summarize,
    writeError: openAiErrorBody,
  },
  outbound: { passCall, readError: readVendorError, peekAnswer, fitAnswer },
};
