import { openAiErrorBody } from '../../core/error-body.ts';
import type { Dialect } from '../dialect.ts';
import { readVendorError } from '../vendor-errors.ts';
import { passCall, promptText, readEnvelope } from './envelope.ts';
import { look } from './look.ts';
import { peekAnswer } from './peek.ts';

/** OpenAI's embeddings. https://platform.openai.com/docs/api-reference/embeddings */
export const openAiEmbeddings: Dialect = {
  id: 'openai-embeddings',
  label: 'embeddings',
  inbound: {
    readEnvelope,
    promptText,
    look,
    writeError: openAiErrorBody,
  },
  outbound: { passCall, readError: readVendorError, peekAnswer },
};
