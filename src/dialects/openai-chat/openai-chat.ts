import { openAiErrorBody } from '../../core/error-body.ts';
import type { Dialect } from '../dialect.ts';
import { readVendorError } from '../vendor-errors.ts';
import { readAnswer } from './answer.ts';
import { promptText, readCall, writeCall } from './call.ts';
import { watchStream } from './events.ts';

/** OpenAI's chat completions. https://platform.openai.com/docs/api-reference/chat */
export const openAiChat: Dialect = {
  id: 'openai-chat',
  label: 'chat completions',
  inbound: {
    readCall,
    writeError: openAiErrorBody,
    stream: {
      writeError: (error) => `data: ${openAiErrorBody(error)}\n\n`,
      keepAlive: ': keep-alive\n\n',
      terminal: 'data: [DONE]\n\n',
    },
  },
  outbound: { writeCall, readError: readVendorError, readAnswer, watch: watchStream, promptText },
};
