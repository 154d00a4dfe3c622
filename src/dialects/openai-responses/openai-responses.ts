import { openAiErrorBody } from '../../core/error-body.ts';
import type { Dialect } from '../dialect.ts';
import { transformationsInBody } from '../input-transformations.ts';
import { readVendorError } from '../vendor-errors.ts';
import { readAnswer } from './answer-read.ts';
import { writeAnswer } from './answer-write.ts';
import { carriesPart } from './call-items-write.ts';
import { readCall } from './call-read.ts';
import { MIN_OUTPUT_TOKENS, writeCall } from './call-write.ts';
import { promptText, readEnvelope } from './envelope.ts';
import { readEvents } from './events-read.ts';
import { ResponseWriter } from './events-write.ts';
import { errorFrame } from './frames.ts';
import { PARAMETER_PLACES } from './parameter-places.ts';
import { passCall } from './pass.ts';
import { peekAnswer, sealsOf } from './peek.ts';
import { referencesIn, withReferences } from './references.ts';
import { summarize } from './summary.ts';
import { watchStream } from './watch.ts';

/** As bytes: a text would be made into them for each body. */
const MESSAGES = Buffer.from('"messages"');
const INPUT = Buffer.from('"input"');

/**
 * An entry of `input_transformations`. Reasoning of another provider is reported in OpenAI's own form, anything else as
 * a type of our own.
 */
function leftOut(name: string): object {
  if (name === 'seal') return { type: 'reasoning', id: name, action: 'removed', reason: 'model_mismatch' };
  return { type: 'dropped', id: name, action: 'removed', reason: 'not_supported' };
}

/** OpenAI's responses, and Open Responses. https://platform.openai.com/docs/api-reference/responses */
export const openAiResponses: Dialect = {
  id: 'openai-responses',
  label: 'responses',
  inbound: {
    parameters: PARAMETER_PLACES,
    // Cursor sends such bodies to the chat completions path for some models, and expects a chat completion.
    // `"messages"` is searched for first, because nearly every other body has it near its beginning.
    strays: (body) => !body.includes(MESSAGES) && body.includes(INPUT),
    readEnvelope,
    promptText,
    summarize,
    leftOut,
    writeError: openAiErrorBody,
    references: {
      within: referencesIn,
      resolve: withReferences,
    },
    stream: {
      writeError: errorFrame,
      keepAlive: ': keep-alive\n\n',
      terminal: '',
    },
  },
  outbound: {
    passCall,
    readError: readVendorError,
    peekAnswer,
    sealsOf,
    omittedIn: transformationsInBody,
    watch: watchStream,
  },
  translation: {
    readCall,
    writeCall,
    carries: carriesPart,
    mostOutput: ({ maxOutputTokens }) =>
      maxOutputTokens === null ? null : Math.max(MIN_OUTPUT_TOKENS, maxOutputTokens),
    takesCustomTools: (quirks) => quirks.customTools === true,
    longestToolName: 64,
    readAnswer,
    writeAnswer,
    readEvents,
    writeEvents: (context) => new ResponseWriter(context),
  },
};
