import type { AnswerPart, CacheMark, Message, TextPart, ToolResultPart, UserPart } from '../../core/call.ts';
import { withMarkAtEnd } from '../cache-marks.ts';
import type { Fields } from '../fields.ts';
import { type MediaPart, mediaPart, readUrl } from '../media.ts';
import { wrongType } from '../request.ts';
import { defined, objectOf } from '../unchecked-json.ts';
import { nativeOf } from './block-read.ts';
import { fromSummary, readCompaction } from './compaction.ts';
import { readCitation, readSeal } from './seals.ts';
import { givenId } from './tool-ids.ts';
import { BILLING_BLOCK, ID } from './wire.ts';

export function readSystem(body: Fields): Message[] {
  if (body.raw('system') === undefined) return [];
  const parts = readTexts(body, 'system');
  const own = parts[0]?.text.startsWith(BILLING_BLOCK) ? parts.slice(1) : parts;
  return own.length === 0 ? [] : [{ role: 'system', parts: own }];
}

/** Reads the messages. Adds fields that no other format can express to `unknown`. */
export function readMessages(body: Fields, unknown: Record<string, unknown>): Message[] {
  const read = body.objects('messages').flatMap((message): Message[] => {
    const role = message.raw('role');
    switch (role) {
      case 'user':
        return readUser(message, unknown);
      case 'assistant':
        return [{ role, parts: readAssistant(message) }];
      case 'system':
        return [{ role, parts: readTexts(message, 'content') }];
      default:
        throw wrongType(message.at('role'), '`user`, `assistant` or `system`');
    }
  });
  return fromSummary(read);
}

/** Reads a user turn. Tool results come first. */
function readUser(message: Fields, unknown: Record<string, unknown>): Message[] {
  const content = message.raw('content');
  if (typeof content === 'string') return [{ role: 'user', parts: [textPart(content)] }];
  const results: ToolResultPart[] = [];
  const parts: UserPart[] = [];
  for (const block of message.neededObjects('content')) {
    if (block.raw('type') === 'tool_result') results.push(readResult(block, unknown));
    else for (const part of readUserBlock(block, unknown)) parts.push(part);
  }
  const messages: Message[] = [];
  if (results.length > 0) messages.push({ role: 'tool', parts: results });
  if (parts.length > 0 || results.length === 0) messages.push({ role: 'user', parts });
  return messages;
}

function readUserBlock(block: Fields, unknown: Record<string, unknown>): UserPart[] {
  switch (block.needed('type')) {
    case 'text':
      return [readText(block)];
    case 'image':
      return [readImage(block)];
    case 'document':
      return readDocument(block, unknown);
    case 'search_result':
      return [readSearchResult(block, unknown)];
    case 'tool_reference':
      return [{ ...textPart(`Tool found: ${block.needed('tool_name')}`), ...cacheOf(block) }];
    default:
      return [nativeOf(block.value)];
  }
}

function readAssistant(message: Fields): AnswerPart[] {
  const content = message.raw('content');
  if (typeof content === 'string') return [textPart(content)];
  return message.neededObjects('content').flatMap(readAssistantBlock);
}

function readAssistantBlock(block: Fields): AnswerPart | AnswerPart[] {
  switch (block.needed('type')) {
    case 'text':
      return readText(block);
    case 'thinking':
      return {
        kind: 'reasoning',
        text: block.text('thinking') ?? '',
        form: 'summary',
        seal: readSeal(block.raw('signature'), 'signature'),
      };
    case 'redacted_thinking':
      return { kind: 'reasoning', text: '', form: 'summary', seal: readSeal(block.raw('data'), 'redacted') };
    case 'compaction':
      return readCompaction(block.value) ?? [];
    case 'tool_use':
      return {
        kind: 'tool-call',
        id: givenId(block.needed('id')),
        name: block.needed('name'),
        input: JSON.stringify(block.raw('input') ?? {}),
        form: 'function',
        ...cacheOf(block),
      };
    default:
      return nativeOf(block.value);
  }
}

function readResult(block: Fields, unknown: Record<string, unknown>): ToolResultPart {
  const content = block.raw('content');
  const parts =
    typeof content === 'string'
      ? [textPart(content)]
      : block.objects('content').flatMap((inner) => readUserBlock(inner, unknown));
  return {
    kind: 'tool-result',
    callId: givenId(block.needed('tool_use_id')),
    parts,
    isError: block.boolean('is_error') ?? false,
    form: 'function',
    ...cacheOf(block),
  };
}

function readTexts(holder: Fields, name: string): TextPart[] {
  const value = holder.raw(name);
  if (typeof value === 'string') return [textPart(value)];
  return holder.neededObjects(name).map((block) => {
    if (block.raw('type') !== 'text') throw wrongType(block.at('type'), '`text`');
    return readText(block);
  });
}

function readText(block: Fields): TextPart {
  const words = block.needed('text');
  const citations = block.list('citations')?.map((each) => readCitation(objectOf(each), words.length)) ?? [];
  return { kind: 'text', text: words, ...(citations.length > 0 && { citations }), ...cacheOf(block) };
}

function readImage(block: Fields): MediaPart {
  const source = block.neededObject('source');
  switch (source.raw('type')) {
    case 'base64':
      return mediaPart('image', readBytes(source), cacheOf(block));
    case 'url':
      return mediaPart('image', readUrl(source.needed('url')), cacheOf(block));
    case 'file':
      return mediaPart('image', readFileId(source), cacheOf(block));
    default:
      throw wrongType(source.at('type'), '`base64`, `url` or `file`');
  }
}

function readDocument(block: Fields, unknown: Record<string, unknown>): UserPart[] {
  const source = block.neededObject('source');
  const context = block.text('context') ?? '';
  noteCitations(block, unknown);
  const before = context === '' ? [] : [textPart(context)];
  const rest = defined({ filename: block.text('title'), cache: readCache(block) });
  switch (source.raw('type')) {
    case 'base64':
      return [...before, mediaPart('file', readBytes(source), rest)];
    case 'url':
      return [...before, mediaPart('file', readUrl(source.needed('url')), rest)];
    case 'file':
      return [...before, { kind: 'file', source: readFileId(source), ...rest }];
    case 'text':
      return [...before, { kind: 'file', source: { kind: 'text', text: source.needed('data') }, ...rest }];
    case 'content': {
      const content = source.raw('content');
      if (typeof content === 'string') {
        return [...before, { kind: 'file', source: { kind: 'text', text: content }, ...rest }];
      }
      const inner = source.neededObjects('content').flatMap((each) => readUserBlock(each, unknown));
      // Its blocks become parts of their own, which have no member for a title.
      const title = rest.filename === undefined || rest.filename === '' ? [] : [textPart(rest.filename)];
      return [...title, ...before, ...withMarkAtEnd(inner, rest.cache)];
    }
    default:
      throw wrongType(source.at('type'), '`base64`, `text`, `url`, `file` or `content`');
  }
}

/** Adds, by the kind of the block, that the model is asked to cite it. */
function noteCitations(block: Fields, unknown: Record<string, unknown>): void {
  if (block.object('citations')?.raw('enabled') === true) unknown[`${block.raw('type')}.citations`] = true;
}

function textPart(words: string): TextPart {
  return { kind: 'text', text: words };
}

/** Turns a result of the caller's own search into text, because no other format has a block for it. */
function readSearchResult(block: Fields, unknown: Record<string, unknown>): TextPart {
  noteCitations(block, unknown);
  const head = [block.text('title'), block.text('source')];
  const found = readTexts(block, 'content').map((part) => part.text);
  const words = [...head, ...found].filter((each) => each !== undefined && each !== '');
  return { ...textPart(words.join('\n')), ...cacheOf(block) };
}

function readBytes(source: Fields): { kind: 'data'; mediaType: string; data: string } {
  return { kind: 'data', mediaType: source.needed('media_type'), data: source.needed('data') };
}

function readFileId(source: Fields): { kind: 'id'; dialect: typeof ID; id: string } {
  return { kind: 'id', dialect: ID, id: source.needed('file_id') };
}

function cacheOf(block: Fields): { cache?: CacheMark } {
  const cache = readCache(block);
  return cache === undefined ? {} : { cache };
}

export function readCache(block: Fields): CacheMark | undefined {
  const mark = block.object('cache_control');
  return mark && { ttl: mark.raw('ttl') === '1h' ? '1h' : '5m' };
}
