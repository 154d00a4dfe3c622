import { openAiErrorBody } from '../../core/error-body.ts';
import type { Dialect } from '../dialect.ts';
import { readVendorError } from '../vendor-errors.ts';
import { readAnswer } from './answer-read.ts';
import { writeAnswer } from './answer-write.ts';
import { readCall } from './call-read.ts';
import { writeCall } from './call-write.ts';
import { callsFunctions, passCall, promptText, readEnvelope, searchesTools } from './envelope.ts';
import { readEvents } from './events-read.ts';
import { writeEvents } from './events-write.ts';
import { PARAMETER_PLACES } from './parameter-places.ts';
import { carriesPart } from './parts-write.ts';
import { peekAnswer, sealsOf } from './peek.ts';
import { summarize } from './summary.ts';
import { errorFrame, watchStream } from './watch.ts';

/** OpenAI's chat completions. https://platform.openai.com/docs/api-reference/chat */
export const openAiChat: Dialect = {
  id: 'openai-chat',
  label: 'chat completions',
  inbound: {
    parameters: PARAMETER_PLACES,
    readEnvelope,
    promptText,
    summarize,
    callsFunctions,
    searchesTools,
    writeError: openAiErrorBody,
    stream: {
      writeError: errorFrame,
      keepAlive: ': keep-alive\n\n',
      terminal: 'data: [DONE]\n\n',
    },
  },
  outbound: { passCall, readError: readVendorError, peekAnswer, sealsOf, watch: watchStream },
  translation: {
    readCall,
    writeCall,
    carries: carriesPart,
    takesCustomTools: (quirks) => quirks.customTools === true,
    longestToolName: 64,
    readAnswer,
    writeAnswer,
    readEvents,
    writeEvents,
  },
};
