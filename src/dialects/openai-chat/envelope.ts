import { Losses, NO_LOSSES } from '../../core/losses.ts';
import { type Edit, omissions, splice } from '../../json/edits.ts';
import { memberRange } from '../../json/tape.ts';
import type { Envelope, PassOptions, ReadLimits, WrittenCall } from '../dialect.ts';
import { envelopeOf } from '../envelope.ts';
import {
  checkMessages,
  checkTemperature,
  gatherJson,
  gatherWords,
  integer,
  mayHoldSeals,
  member,
  outputLimits,
  parsedBody,
  readModel,
  readRequestBody,
  readStream,
  rootOf,
  within,
  wordsOrRaw,
  wrongType,
} from '../request.ts';
import { ownMarks } from '../seal-marks.ts';
import type { OwnPlaces } from '../shared-ids.ts';
import { listOf, objectOf } from '../unchecked-json.ts';
import { removeSeals, restoreSeals } from './restore.ts';
import { hasMisplacedSystemText, orderTurns } from './turn-order.ts';

const MAX_CHOICES = 128;

const OWN_PLACES: OwnPlaces = { keeps: ['store'] };

/** Reads what the gateway must know of a chat completion request. The vendor checks everything else. */
export function readEnvelope(bytes: Buffer, limits: ReadLimits): Envelope {
  const request = readRequestBody(bytes, limits.maxJsonDepth, limits.json);
  const model = readModel(request);
  checkMessages(request);
  checkTemperature(request);

  return envelopeOf(request, {
    model,
    stream: readStream(request),
    limits: outputLimits(request, integer(request, 'max_completion_tokens') ?? integer(request, 'max_tokens')),
    effort: member(request, 'reasoning_effort'),
    choices: within('n', integer(request, 'n') ?? 1, MAX_CHOICES),
    wantsUsage: streamOptions(member(request, 'stream_options')).include_usage === true,
    places: OWN_PLACES,
  });
}

/**
 * The caller's body with the vendor's model name, with the option for a stream's usage added or removed, and without
 * members that only the gateway reads. Seals that the gateway packed into it are restored or removed, and system text
 * is moved to where the vendor accepts it.
 */
export function passCall(call: Envelope, options: PassOptions): WrittenCall {
  const edits = editsOf(call, options);
  const isMisplaced = hasMisplacedSystemText(call, options.quirks ?? {});
  const isSealed = mayHoldSeals(call);
  const isPlain = !isMisplaced && options.withoutSeals !== true;
  const own = isSealed && isPlain ? ownMarks(call.body, 'openai-chat', options.provider) : null;
  if (own !== null) edits.push(...own);
  const isLooked = !isPlain || (isSealed && own === null);
  const losses = isLooked ? new Losses() : null;
  const messages = losses === null ? null : changedMessages(call, options, isMisplaced, losses);
  if (messages !== null) {
    edits.push({ ...memberRange(call.body, call.index, 'messages')!, text: JSON.stringify(messages) });
  }
  edits.sort((one, other) => one.start - other.start);
  return { body: splice(call.body, edits), dropped: losses?.names ?? NO_LOSSES };
}

/**
 * The messages with seals restored or removed, and with system text where the vendor accepts it; `null` if nothing
 * changes.
 */
function changedMessages(
  call: Envelope,
  { provider, quirks = {}, withoutSeals = false }: PassOptions,
  isMisplaced: boolean,
  losses: Losses,
): readonly unknown[] | null {
  const { messages } = objectOf(parsedBody(call));
  const sealed = mayHoldSeals(call) ? restoreSeals(messages, provider, losses) : null;
  const restored = withoutSeals ? removeSeals(messages, losses) : sealed;
  return isMisplaced ? orderTurns(listOf(restored ?? messages).map(objectOf), quirks) : restored;
}

/** Whether the call offers functions; custom tools alone are none. */
export function callsFunctions(call: Envelope): boolean {
  const body = rootOf(call);
  const tools = body.get('tools')?.items() ?? [];
  if (tools.some((tool) => tool.get('type')?.text === 'function')) return true;
  return (body.get('functions')?.items() ?? []).length > 0;
}

/** Whether the call asks the vendor to search for tools, which only responses support. */
export function searchesTools(call: Envelope): boolean {
  return (rootOf(call).get('tools')?.items() ?? []).some((tool) => tool.get('type')?.text === 'tool_search');
}

/** The edits outside the messages. */
function editsOf(call: Envelope, { upstreamModel, streamUsage, drop = [] }: PassOptions): Edit[] {
  const { body, index } = call;
  const asked = streamUsage === 'as-sent' ? undefined : memberRange(body, index, 'stream_options');
  const refusesAsked = streamUsage === 'never' && asked !== undefined;
  const edits = omissions(body, index, refusesAsked ? [...drop, 'stream_options'] : drop);
  if (call.model !== upstreamModel) {
    edits.push({ ...memberRange(body, index, 'model')!, text: JSON.stringify(upstreamModel) });
  }
  if (!call.stream || streamUsage !== 'ask' || call.wantsUsage) return edits;
  const text = JSON.stringify({ ...streamOptions(member(call, 'stream_options')), include_usage: true });
  const { closeAt } = index;
  edits.push(
    asked === undefined ? { start: closeAt, end: closeAt, text: `,"stream_options":${text}` } : { ...asked, text },
  );
  return edits;
}

/** The text of a prompt: every text of every message, and the tools as JSON. */
export function promptText(call: Envelope): string {
  return wordsOrRaw(call, (body, words) => {
    gatherWords(body.get('messages'), words, NOT_WORDS);
    gatherJson(body, ['tools', 'functions', 'response_format'], words);
  });
}

const NOT_WORDS = new Set(['role', 'type', 'id', 'tool_call_id', 'image_url', 'input_audio', 'file']);

function streamOptions(value: unknown): { include_usage?: unknown } {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) throw wrongType('stream_options', 'an object');
  return value;
}
