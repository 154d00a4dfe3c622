import { Losses, NO_LOSSES } from '../../core/losses.ts';
import { SEAL_MARK } from '../../core/seal.ts';
import type { Envelope, PassOptions, ReadLimits, WrittenCall } from '../dialect.ts';
import { estimatedInput } from '../estimate.ts';
import {
  checkMessages,
  checkTemperature,
  type Edit,
  effortOf,
  fieldsWithout,
  gatherWords,
  integer,
  member,
  omissions,
  outputLimits,
  parseJson,
  readModel,
  readRequestBody,
  readStream,
  splice,
  within,
  wordsOrRaw,
  wrongType,
} from '../request.ts';
import { type OwnPlaces, sharedIdOf } from '../shared-ids.ts';
import { restoreSeals } from './restore.ts';

const MAX_CHOICES = 128;

const OWN_PLACES: OwnPlaces = { keeps: ['store'] };

/** Reads what the gateway must know of a chat completion request. Everything else is the vendor's to judge. */
export function readEnvelope(bytes: Buffer, limits: ReadLimits): Envelope {
  const request = readRequestBody(bytes, limits.maxJsonDepth, limits.json);
  const model = readModel(request);
  checkMessages(request);
  checkTemperature(request);

  return {
    model,
    stream: readStream(request),
    ...outputLimits(request, integer(request, 'max_completion_tokens') ?? integer(request, 'max_tokens')),
    ...effortOf(member(request, 'reasoning_effort')),
    choices: within('n', integer(request, 'n') ?? 1, MAX_CHOICES),
    wantsUsage: streamOptions(member(request, 'stream_options')).include_usage === true,
    ...estimatedInput(request),
    body: request.body,
    ...sharedIdOf(request, OWN_PLACES),
  };
}

/**
 * The caller's bytes with the vendor's model name, with the question for a stream's usage put in or taken out, and
 * without what is for the gateway alone.
 * Seals of other dialects, that we packed into them, are opened or left out.
 */
export function passCall(call: Envelope, options: PassOptions): WrittenCall {
  if (!call.body.includes(SEAL_MARK)) return { body: passPlain(call, options), dropped: NO_LOSSES };
  const losses = new Losses();
  return { body: passPlain(unsealed(call, options.provider, losses), options), dropped: losses.names };
}

function unsealed(call: Envelope, provider: string, losses: Losses): Envelope {
  const request = readRequestBody(call.body, Number.MAX_SAFE_INTEGER);
  const restored = restoreSeals(member(request, 'messages'), provider, losses);
  const span = request.members.spans.get('messages');
  if (restored === null || span === undefined) return call;
  return { ...call, body: splice(request.body, [{ ...span, text: JSON.stringify(restored) }]) };
}

function passPlain(call: Envelope, options: PassOptions): Buffer {
  const sameModel = call.model === options.upstreamModel;
  const addUsage = call.stream && options.streamUsage === 'ask' && !call.wantsUsage;
  const mayDrop = options.streamUsage === 'never';
  if (sameModel && !addUsage && !mayDrop && options.drop === undefined) return call.body;

  const request = readRequestBody(call.body, Number.MAX_SAFE_INTEGER);
  const { spans, closeAt } = request.members;
  const asked = spans.get('stream_options');
  if (mayDrop && asked !== undefined) return withoutStreamOptions(request.body, options);
  const edits: Edit[] = omissions(request, options.drop ?? []);
  if (!sameModel) edits.push({ ...spans.get('model')!, text: JSON.stringify(options.upstreamModel) });
  if (addUsage) {
    const text = JSON.stringify({ ...streamOptions(member(request, 'stream_options')), include_usage: true });
    if (asked !== undefined) edits.push({ ...asked, text });
    else edits.push({ start: closeAt, end: closeAt, text: `,"stream_options":${text}` });
  }
  edits.sort((one, other) => one.start - other.start);
  return splice(request.body, edits);
}

/** Written anew: for the few vendors that refuse the very name. */
function withoutStreamOptions(body: Buffer, { upstreamModel, drop = [] }: PassOptions): Buffer {
  const fields = parseJson(body.toString('utf8')) as Record<string, unknown>;
  return Buffer.from(JSON.stringify({ ...fieldsWithout(fields, ['stream_options', ...drop]), model: upstreamModel }));
}

/** The words of a prompt: every text of every message, and the tools as they stand. */
export function promptText({ body }: Envelope): string {
  return wordsOrRaw(body, () => promptWords(body));
}

function promptWords(body: Buffer): string {
  const members = parseJson(body.toString('utf8')) as Readonly<Record<string, unknown>>;
  const words: string[] = [];
  gatherWords(members.messages, words, NOT_WORDS);
  for (const name of ['tools', 'functions', 'response_format']) {
    if (members[name] !== undefined) words.push(JSON.stringify(members[name]));
  }
  return words.join('\n');
}

const NOT_WORDS = new Set(['role', 'type', 'id', 'tool_call_id', 'image_url', 'input_audio', 'file']);

function streamOptions(value: unknown): { include_usage?: unknown } {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) throw wrongType('stream_options', 'an object');
  return value;
}
