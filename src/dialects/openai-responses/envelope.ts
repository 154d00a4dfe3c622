import { GatewayError } from '../../core/errors.ts';
import type { Envelope, ReadLimits } from '../dialect.ts';
import {
  checkTemperature,
  estimateTokens,
  gatherWords,
  member,
  missing,
  outOfRange,
  type RequestBody,
  readModel,
  readRequestBody,
  readStream,
  wholeNumber,
  wordsOrRaw,
  wrongType,
} from '../request.ts';

/** Reads what the gateway must know of a call for a response. Everything else is the vendor's to judge. */
export function readEnvelope(bytes: Buffer, limits: ReadLimits): Envelope {
  const request = readRequestBody(bytes, limits.maxJsonDepth);
  const model = readModel(request);
  refuseState(request);
  checkInput(request);
  checkTemperature(request);
  return {
    model,
    stream: readStream(request),
    maxOutputTokens: wholeNumber(request, 'max_output_tokens'),
    choices: 1,
    // The terminal event of a stream always has it.
    wantsUsage: true,
    estimatedInputTokens: estimateTokens(request.text),
    body: request.body,
    ...(member(request, 'store') === false && { keepsNothing: true }),
  };
}

/** What names an earlier answer, or one to be fetched later: this gateway keeps none. */
function refuseState(request: RequestBody): void {
  for (const param of ['previous_response_id', 'conversation', 'background']) {
    const value = member(request, param);
    if (value === undefined || value === null || value === false) continue;
    const message = `\`${param}\` is not supported: no answers are kept here. Send the whole conversation in \`input\`, and wait for its answer.`;
    throw new GatewayError('invalid_request', message, { param, code: 'unsupported_parameter' });
  }
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
  const request = readRequestBody(body, Number.MAX_SAFE_INTEGER);
  const words: string[] = [];
  for (const name of ['instructions', 'input']) gatherWords(member(request, name), words, NOT_WORDS);
  for (const name of ['tools', 'text']) {
    const value = member(request, name);
    if (value !== undefined) words.push(JSON.stringify(value));
  }
  return words.join('\n');
}
