import type { Dialect } from '../dialect.ts';
import { transformationsInBody } from '../input-transformations.ts';
import { readVendorError } from '../vendor-errors.ts';
import { readAnswer } from './answer-read.ts';
import { writeAnswer } from './answer-write.ts';
import { readCall } from './call-read.ts';
import { mostOutput, writeCall } from './call-write.ts';
import { carriesPart } from './call-write-parts.ts';
import { promptText, readEnvelope } from './envelope.ts';
import { errorBody, errorFrame } from './errors.ts';
import { readEvents } from './events-read.ts';
import { writeEvents } from './events-write.ts';
import { PING } from './frame.ts';
import { PARAMETER_PLACES } from './parameter-places.ts';
import { passCall } from './pass.ts';
import { peekAnswer, sealsOf } from './peek.ts';
import { summarize } from './summary.ts';
import { unknownHere } from './thread.ts';
import { VERSION_HEADER, VERSIONS } from './versions.ts';
import { watchStream } from './watch.ts';
import { ID } from './wire.ts';

/**
 * An entry of `input_transformations`. Thinking of another provider is reported in Anthropic's own form, anything else
 * as a type of our own: clients ignore unknown types.
 */
function leftOut(name: string): object {
  if (name === 'seal') return { type: 'thinking_dropped', path: 'messages', reason: 'model_binding_mismatch' };
  return { type: 'dropped', path: name, reason: 'not_supported' };
}

/** Anthropic's messages. https://docs.anthropic.com/en/api/messages */
export const anthropicMessages: Dialect = {
  id: ID,
  label: 'messages',
  inbound: {
    parameters: PARAMETER_PLACES,
    forwards: [VERSION_HEADER, 'anthropic-beta'],
    versions: VERSIONS,
    readEnvelope,
    promptText,
    summarize,
    writeError: errorBody,
    leftOut,
    stream: {
      writeError: errorFrame,
      keepAlive: PING,
      terminal: '',
    },
  },
  outbound: {
    headers: { [VERSION_HEADER]: '2023-06-01' },
    passCall,
    readError: readVendorError,
    peekAnswer,
    sealsOf,
    omittedIn: transformationsInBody,
    watch: watchStream,
    unknownHere,
  },
  translation: {
    readCall,
    writeCall,
    carries: carriesPart,
    mostOutput,
    takesCustomTools: () => false,
    longestToolName: 128,
    readAnswer,
    writeAnswer,
    readEvents,
    writeEvents,
  },
};
