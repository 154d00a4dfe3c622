import { GatewayError } from '../../core/errors.ts';
import type { Envelope, ReadLimits } from '../dialect.ts';
import { envelopeOf } from '../envelope.ts';
import {
  checkTemperature,
  gatherJson,
  gatherWords,
  member,
  missing,
  outOfRange,
  outputLimits,
  type RequestBody,
  readModel,
  readRequestBody,
  readStream,
  rootOf,
  wholeNumber,
  wordsOrRaw,
  wrongType,
} from '../request.ts';
import type { Members, OwnPlaces } from '../shared-ids.ts';
import { itemsOf } from '../summary.ts';
import { objectOf } from '../unchecked-json.ts';

/** Reads what the gateway must know of a responses call. The vendor checks everything else. */
export function readEnvelope(bytes: Buffer, limits: ReadLimits): Envelope {
  const request = readRequestBody(bytes, limits.maxJsonDepth, limits.json);
  const model = readModel(request);
  refuseBackground(request);
  checkInput(request);
  checkTemperature(request);
  const envelope = envelopeOf(request, {
    model,
    stream: readStream(request),
    limits: outputLimits(request, wholeNumber(request, 'max_output_tokens')),
    effort: objectOf(member(request, 'reasoning')).effort,
    choices: 1,
    // The terminal event of a stream always reports usage.
    wantsUsage: true,
    places: OWN_PLACES,
  });
  if (member(request, 'store') === false) envelope.keepsNothing = true;
  return envelope;
}

/** Refuses background calls, because answers cannot be fetched later here. */
function refuseBackground(request: RequestBody): void {
  const param = 'background';
  const value = member(request, param);
  if (value === undefined || value === null || value === false) return;
  const message = `\`${param}\` is not supported, because answers are not stored. Wait for the answer.`;
  throw new GatewayError('invalid_request', message, { param, code: 'unsupported_parameter' });
}

/**
 * `keeps` is empty because `store` is handled elsewhere: `passCall` asks the vendor, which stores by default, not to.
 */
const OWN_PLACES: OwnPlaces = { keeps: [], items: { list: 'input', find: keptItem } };

/** The member that makes an input item a reference to one stored at the vendor; `null` if it is sent itself. */
function keptItem(item: Members): string | null {
  const id = item.get('id');
  if (id === undefined || id.isNull) return null;
  const lacks = (name: string) => itemsOf(item.get(name) ?? null).length === 0;
  const type = item.get('type');
  switch (type?.text) {
    case 'item_reference':
      return 'id';
    case 'image_generation_call': {
      const result = item.get('result');
      return result?.isText && !result.isEmptyText ? null : 'id';
    }
    case 'reasoning':
      return !item.get('encrypted_content')?.isText && lacks('content') && lacks('summary') ? 'id' : null;
    default: {
      const isUntyped = type === undefined || type.isNull;
      return isUntyped && id.isText && !item.has('role') && !item.has('content') ? 'id' : null;
    }
  }
}

/** Checks `input`, which may be missing if a `prompt` stored at the vendor is named. */
function checkInput(request: RequestBody): void {
  const hasPrompt = (member(request, 'prompt') ?? null) !== null;
  const input = rootOf(request).get('input');
  if (input === null || input.isNull) {
    if (hasPrompt) return;
    throw missing('input', 'You must send `input`: a text, or a list of at least one item.');
  }
  if (input.isText) return;
  if (!input.isList) throw wrongType('input', 'a string or an array');
  if (!hasPrompt && input.isEmptyList) {
    throw outOfRange('input', 'empty_array', '`input` must hold at least one item.');
  }
}

const NOT_WORDS = new Set([
  'type',
  'id',
  'call_id',
  'role',
  'status',
  'detail',
  'image_url',
  'file_id',
  'file_url',
  'file_data',
  'input_audio',
  'encrypted_content',
  'logprobs',
]);

/** The text of a prompt: its instructions, every text of every item, and the tools as JSON. */
export function promptText(call: Envelope): string {
  return wordsOrRaw(call, (body, words) => {
    for (const name of ['instructions', 'input']) gatherWords(body.get(name), words, NOT_WORDS);
    gatherJson(body, ['tools', 'text'], words);
  });
}
