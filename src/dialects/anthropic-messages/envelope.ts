import type { JsonNode } from '../../json/node.ts';
import type { Envelope, ReadLimits } from '../dialect.ts';
import { envelopeOf } from '../envelope.ts';
import {
  checkMessages,
  gatherJson,
  missing,
  outputLimits,
  type RequestBody,
  readModel,
  readRequestBody,
  readStream,
  wholeNumber,
  wordsOrRaw,
} from '../request.ts';
import type { OwnPlaces } from '../shared-ids.ts';
import { COMPARED_ID, readCompared } from './diagnostics.ts';
import { essentialIn, readThread, THREAD_ID } from './thread.ts';

const OWN_PLACES: OwnPlaces = { keeps: ['store'] };
/** The places of a call. Its references to earlier answers are checked elsewhere. */
const PLACES_OF_CALLS: OwnPlaces = { ...OWN_PLACES, lookedUp: new Set([THREAD_ID, COMPARED_ID]) };

/** Reads what the gateway must know of a call. The vendor checks everything else. */
export function readEnvelope(bytes: Buffer, limits: ReadLimits): Envelope {
  const request = readRequestBody(bytes, limits.maxJsonDepth, limits.json);
  if (wholeNumber(request, 'max_tokens') !== null) {
    const envelope = readOutside(request, PLACES_OF_CALLS);
    const thread = readThread(request);
    if (thread !== null) envelope.thread = thread;
    const compared = readCompared(request);
    if (compared !== null) envelope.compared = compared;
    const essential = essentialIn(request);
    if (essential !== null) envelope.essential = essential;
    return envelope;
  }
  readModel(request);
  checkMessages(request);
  throw missing('max_tokens', 'You must send `max_tokens`, how many tokens the answer may have at most.');
}

/** Reads the envelope of a token count request, which needs no `max_tokens`. */
export function readCountEnvelope(bytes: Buffer, limits: ReadLimits): Envelope {
  const request = readRequestBody(bytes, limits.maxJsonDepth, limits.json);
  const envelope = readOutside(request, OWN_PLACES);
  const essential = essentialIn(request);
  if (essential !== null) envelope.essential = essential;
  return envelope;
}

function readOutside(request: RequestBody, places: OwnPlaces): Envelope {
  const model = readModel(request);
  checkMessages(request);
  return envelopeOf(request, {
    model,
    stream: readStream(request),
    limits: outputLimits(request, wholeNumber(request, 'max_tokens')),
    choices: 1,
    wantsUsage: true,
    places,
  });
}

/** The text of a prompt: every text of every message, and the tools as JSON. */
export function promptText(call: Envelope): string {
  return wordsOrRaw(call, (body, words) => {
    for (const name of ['system', 'messages']) gather(body.get(name), words);
    gatherJson(body, ['tools', 'output_config'], words);
  });
}

const NOT_WORDS = new Set([
  'role',
  'type',
  'id',
  'tool_use_id',
  'media_type',
  'file_id',
  'url',
  'signature',
  'cache_control',
  'encrypted_content',
  'encrypted_index',
]);

function gather(value: JsonNode | null, words: string[]): void {
  const take = ({ text }: JsonNode): void => {
    if (text !== null) words.push(text);
  };
  if (value?.isText) return take(value);
  value?.walk((inner, outer) => {
    const { name } = inner;
    // `data` holds file bytes or opaque values, except in a plain-text source.
    if (NOT_WORDS.has(name ?? '') || (name === 'data' && outer.get('type')?.text !== 'text')) return false;
    take(inner);
    return true;
  });
}
