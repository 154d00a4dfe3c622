import type { AnswerPart, CacheMark, NativePart, TextPart, ToolResultPart, UserPart } from '../../core/call.ts';
import { GatewayError } from '../../core/errors.ts';
import { asSummary } from '../compaction.ts';
import { instructionsOf } from '../instructions.ts';
import { mediaPart, readFileData, readUrl, soundPart } from '../media.ts';
import { fateOf } from '../members.ts';
import { missing, wrongType } from '../request.ts';
import { withStep } from '../search-steps.ts';
import { isObject, listOf, objectOf, textOf, type Unchecked, wordOf } from '../unchecked-json.ts';
import { type CallTools, holdsTools } from './call-tools.ts';
import { clientCallOf, isClientResult, readClientResult } from './client-tools.ts';
import { callIdOf, itemType, nativeOf, readItem, readReasoning, readSeal } from './items-read.ts';
import { ITEMS } from './members.ts';
import { unresolved } from './references.ts';
import { readSearchStep } from './search-items.ts';
import type { Turns } from './turns.ts';

/** Reads the items of a conversation, including items of earlier answers sent back unchanged. */
export function readInput(input: unknown, turns: Turns, tools: CallTools): void {
  if (typeof input === 'string') return turns.user([{ kind: 'text', text: input }]);
  const place: InputPlace = { turns, tools, calls: new Map() };
  for (const [index, item] of listOf(input).entries()) {
    const path = `input[${index}]`;
    if (!isObject(item)) throw wrongType(path, 'an object');
    if (isReference(item)) throw unresolved(item.id, index);
    readInputItem(item, path, place);
  }
}

/** `calls`: the ids of calls by the ids of their items, which results of the local shell may refer to. */
type InputPlace = { turns: Turns; tools: CallTools; calls: Map<string, string> };

function readInputItem(item: Unchecked, path: string, place: InputPlace): void {
  const { turns, tools } = place;
  const type = itemType(item);
  switch (type) {
    case 'message':
      return readMessage(item, path, turns);
    case 'function_call':
    case 'custom_tool_call':
      if (wordOf(item.name) === null) throw missing(`${path}.name`, 'A call must name its tool.');
      if (callIdOf(item) === '') throw missing(`${path}.call_id`, 'A call must have an id.');
      if (item.async === true) turns.runsOn(callIdOf(item), type === 'function_call' ? 'function' : 'custom');
      return turns.assistant(readItem(item, tools));
    case 'reasoning':
      return turns.assistant(readItem(item));
    case 'function_call_output':
    case 'custom_tool_call_output':
      return turns.result(readResult(item, path, type === 'function_call_output' ? 'function' : 'custom'));
    case 'compaction':
    case 'compaction_summary':
      return readCompaction(item, turns);
    case 'additional_tools':
      // They are declared beside those of the call.
      return;
    default:
      if (fateOf(ITEMS, type) !== 'reported') readOther(item, path, place);
  }
}

/**
 * Reads a conversation that a vendor has compacted. A readable summary becomes user text in its place; a sealed one
 * means nothing to other vendors.
 */
function readCompaction(item: Unchecked, turns: Turns): void {
  const { text } = readReasoning(item);
  if (text !== '') return turns.user([{ kind: 'text', text: asSummary(text) }]);
  const seal = readSeal(item);
  if (seal !== null) turns.assistant([{ kind: 'reasoning', text: '', form: 'summary', seal }]);
}

function readOther(item: Unchecked, path: string, { turns, tools, calls }: InputPlace): void {
  if (isClientResult(item)) {
    const named = wordOf(item.call_id) ?? wordOf(item.id);
    if (named === null) throw missing(`${path}.call_id`, 'A result must name the call it answers.');
    const found = holdsTools(item) ? tools.namesWithin(item) : [];
    return turns.result(readClientResult(item, calls.get(named) ?? named, found));
  }
  if (clientCallOf(item) === null) {
    return turns.native(withStep(nativeOf(item), readSearchStep(item)), isFromCaller(itemType(item)));
  }
  if (callIdOf(item) === '') throw missing(`${path}.call_id`, 'A call must have an id.');
  calls.set(textOf(item.id), callIdOf(item));
  return turns.assistant(readItem(item, tools));
}

/** Whether an item comes from the caller because it answers an item of the model. */
function isFromCaller(type: string): boolean {
  return type.endsWith('_output') || type.endsWith('_response');
}

function readMessage(item: Unchecked, path: string, turns: Turns): void {
  const { role } = item;
  switch (role) {
    case 'user':
      return turns.user(readContents(item.content, `${path}.content`));
    case 'assistant':
      return turns.assistant(readItem(item).map(withoutLogprobs));
    case 'system':
    case 'developer':
      return readInstructions(role, readContents(item.content, `${path}.content`), turns);
    case undefined:
      throw missing(`${path}.role`, 'A message must have a role.');
    default: {
      const message = `\`${path}.role\` must be one of “user”, “assistant”, “system” and “developer”.`;
      throw new GatewayError('invalid_request', message, { param: `${path}.role` });
    }
  }
}

/** Removes log probabilities, which a model cannot use as input. */
function withoutLogprobs(part: AnswerPart): AnswerPart {
  if (part.kind !== 'text' || part.logprobs === undefined) return part;
  const { logprobs: _, ...rest } = part;
  return rest;
}

function readInstructions(role: 'system' | 'developer', parts: readonly UserPart[], turns: Turns): void {
  for (const message of instructionsOf(role, parts)) {
    if (message.role === role) turns.system(role, message.parts);
    else if (message.role === 'user') turns.user(message.parts);
  }
}

function readResult(item: Unchecked, path: string, form: ToolResultPart['form']): ToolResultPart {
  const callId = wordOf(item.call_id);
  if (callId === null) throw missing(`${path}.call_id`, 'A result must name the call it answers.');
  const parts = typeof item.output === 'string' ? textParts(item.output) : readContents(item.output, `${path}.output`);
  return { kind: 'tool-result', callId, parts, isError: false, form };
}

function textParts(text: string): TextPart[] {
  return text === '' ? [] : [{ kind: 'text', text }];
}

function readContents(content: unknown, path: string): UserPart[] {
  if (typeof content === 'string') return [{ kind: 'text', text: content }];
  if (content === undefined || content === null) return [];
  if (!Array.isArray(content)) throw wrongType(path, 'a string or an array');
  return content.map((part: unknown, index) => {
    if (!isObject(part)) throw wrongType(`${path}[${index}]`, 'an object');
    return readPart(part, `${path}[${index}]`);
  });
}

function readPart(part: Unchecked, path: string): UserPart {
  switch (part.type) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return { kind: 'text', text: textOf(part.text), ...cacheOf(part) };
    case 'input_image':
      return readImage(part, path);
    case 'input_file':
      return readFile(part, path);
    case 'input_audio':
      return readAudio(part);
    default:
      return nativeOf(part);
  }
}

function readImage(part: Unchecked, path: string): UserPart {
  const url = wordOf(part.image_url) ?? wordOf(objectOf(part.image_url).url);
  // `auto` is the default.
  const more = {
    ...(wordOf(part.detail) && part.detail !== 'auto' && { detail: textOf(part.detail) }),
    ...cacheOf(part),
  };
  const source = url === null ? readFileId(part, `${path}.image_url`) : readUrl(url);
  return mediaPart('image', source, more);
}

function readFile(part: Unchecked, path: string): UserPart {
  const filename = wordOf(part.filename);
  const more = { ...(filename !== null && { filename }), ...cacheOf(part) };
  const data = wordOf(part.file_data);
  if (data !== null) return mediaPart('file', readFileData(data, PDF), more);
  const url = wordOf(part.file_url);
  return mediaPart('file', url === null ? readFileId(part, `${path}.file_data`) : readUrl(url), more);
}

/** The type of a file that does not name one. */
const PDF = 'application/pdf';

function readFileId(part: Unchecked, missed: string) {
  const id = wordOf(part.file_id);
  if (id === null) throw missing(missed, 'Send a file or an image, or its URL.');
  return { kind: 'id', dialect: 'openai-responses', id } as const;
}

function readAudio(part: Unchecked): UserPart | NativePart {
  const { data, format } = objectOf(part.input_audio);
  if (typeof data !== 'string' || typeof format !== 'string') return nativeOf(part);
  return soundPart(data, format);
}

/** A cache breakpoint. This dialect has no lifetimes. */
function cacheOf(part: Unchecked): { cache?: CacheMark } {
  return isObject(part.prompt_cache_breakpoint) ? { cache: { ttl: '5m' } } : {};
}

/** Whether an item is only a reference. References that could be resolved were replaced earlier. */
function isReference(item: unknown): item is Unchecked & { id: string } {
  if (!isObject(item) || typeof item.id !== 'string') return false;
  if (item.type === 'item_reference') return true;
  return (item.type ?? null) === null && item.role === undefined && item.content === undefined;
}
