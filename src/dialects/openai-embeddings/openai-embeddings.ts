import { openAiErrorBody } from '../../core/error-body.ts';
import type { Dialect } from '../dialect.ts';
import { readVendorError } from '../vendor-errors.ts';
import { readAnswer } from './answer.ts';
import { promptText, readCall, writeCall } from './call.ts';

/** OpenAI's embeddings. https://platform.openai.com/docs/api-reference/embeddings */
export const openAiEmbeddings: Dialect = {
  id: 'openai-embeddings',
  label: 'embeddings',
  inbound: {
    readCall,
    writeError: openAiErrorBody,
  },
  outbound: { writeCall, readError: readVendorError, readAnswer, promptText },
};
