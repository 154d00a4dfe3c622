import { GatewayError } from '../../core/errors.ts';
import type { Envelope, ReadLimits } from '../dialect.ts';
import { estimatedInput } from '../estimate.ts';
import {
  checkTemperature,
  effortOf,
  gatherWords,
  member,
  missing,
  outOfRange,
  outputLimits,
  parseJson,
  type RequestBody,
  readModel,
  readRequestBody,
  readStream,
  wholeNumber,
  wordsOrRaw,
  wrongType,
} from '../request.ts';
import { type OwnPlaces, sharedIdOf } from '../shared-ids.ts';
import { isHollow, isReference } from './references.ts';
import { listOf, type Wire, wireOf, wordOf } from './wire.ts';

/** Reads what the gateway must know of a call for a response. Everything else is the vendor's to judge. */
export function readEnvelope(bytes: Buffer, limits: ReadLimits): Envelope {
  const request = readRequestBody(bytes, limits.maxJsonDepth, limits.json);
  const model = readModel(request);
  refuseBackground(request);
  checkInput(request);
  checkTemperature(request);
  return {
    model,
    stream: readStream(request),
    ...outputLimits(request, wholeNumber(request, 'max_output_tokens')),
    ...effortOf(wireOf(member(request, 'reasoning')).effort),
    choices: 1,
    // The terminal event of a stream always has it.
    wantsUsage: true,
    ...estimatedInput(request),
    body: request.body,
    ...sharedIdOf(request, OWN_PLACES),
    ...(member(request, 'store') === false && { keepsNothing: true }),
  };
}

/** What asks for an answer to be fetched later: there is no way to do so here. */
function refuseBackground(request: RequestBody): void {
  const param = 'background';
  const value = member(request, param);
  if (value === undefined || value === null || value === false) return;
  const message = `\`${param}\` is not supported: no answers are kept here. Wait for the answer.`;
  throw new GatewayError('invalid_request', message, { param, code: 'unsupported_parameter' });
}

/** `store` is answered otherwise: the vendor is told to keep nothing, since its own default is to keep. */
const OWN_PLACES: OwnPlaces = { keeps: [], items: { list: 'input', find: keptItem } };

/** The member by which an item of the input stands for one that its vendor keeps, and is not sent itself. */
function keptItem(item: Wire): string | null {
  if ((item.id ?? null) === null) return null;
  const isKept =
    isReference(item) ||
    item.type === 'item_reference' ||
    (item.type === 'image_generation_call' && wordOf(item.result) === null) ||
    (isHollow(item) && listOf(item.summary).length === 0);
  return isKept ? 'id' : null;
}

/** A prompt kept at the vendor may stand in its place. */
function checkInput(request: RequestBody): void {
  const hasPrompt = (member(request, 'prompt') ?? null) !== null;
  const span = request.members.spans.get('input');
  const first = span === undefined ? '' : request.text[span.start];
  if (first === '' || first === 'n') {
    if (hasPrompt) return;
    throw missing('input', 'You must send `input`: a text, or a list of at least one item.');
  }
  if (first === '"') return;
  if (first !== '[') throw wrongType('input', 'a string or an array');
  if (!hasPrompt && request.text.slice(span!.start + 1, span!.end).search(/\S/) === span!.end - span!.start - 2) {
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

/** The words of a prompt: its instructions, every text of every item, and the tools as they stand. */
export function promptText({ body }: Envelope): string {
  return wordsOrRaw(body, () => promptWords(body));
}

function promptWords(body: Buffer): string {
  const members = parseJson(body.toString('utf8')) as Readonly<Record<string, unknown>>;
  const words: string[] = [];
  for (const name of ['instructions', 'input']) gatherWords(members[name], words, NOT_WORDS);
  for (const name of ['tools', 'text']) {
    if (members[name] !== undefined) words.push(JSON.stringify(members[name]));
  }
  return words.join('\n');
}
