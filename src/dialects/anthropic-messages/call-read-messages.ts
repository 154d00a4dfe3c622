import type { AnswerPart, CacheMark, Message, TextPart, ToolResultPart, UserPart } from '../../core/call.ts';
import { withMarkAtEnd } from '../cache-marks.ts';
import { type MediaPart, mediaPart, readUrl } from '../media.ts';
import { wrongType } from '../request.ts';
import { objectOf, type Unchecked } from '../unchecked-json.ts';
import { nativeOf } from './block-read.ts';
import { fromSummary, readCompaction } from './compaction.ts';
import { given, list, object, optionalBoolean, optionalList, optionalObject, optionalText, text } from './fields.ts';
import { readCitation, readSeal } from './seals.ts';
import { givenId } from './tool-ids.ts';
import { BILLING_BLOCK, ID } from './wire.ts';

export function readSystem(value: unknown): Message[] {
  if (value === undefined || value === null) return [];
  const parts = readTexts(value, 'system');
  const own = parts[0]?.text.startsWith(BILLING_BLOCK) ? parts.slice(1) : parts;
  return own.length === 0 ? [] : [{ role: 'system', parts: own }];
}

/** Reads the messages. Adds fields that no other format can express to `unknown`. */
export function readMessages(messages: readonly unknown[], unknown: Record<string, unknown>): Message[] {
  const read = messages.flatMap((value, index): Message[] => {
    const path = `messages[${index}]`;
    const message = object(value, path);
    switch (message.role) {
      case 'user':
        return readUser(message.content, `${path}.content`, unknown);
      case 'assistant':
        return [{ role: 'assistant' as const, parts: readAssistant(message.content, `${path}.content`) }];
      case 'system':
        return [{ role: 'system' as const, parts: readTexts(message.content, `${path}.content`) }];
      default:
        throw wrongType(`${path}.role`, '`user`, `assistant` or `system`');
    }
  });
  return fromSummary(read);
}

/** Reads a user turn. Tool results come first. */
function readUser(content: unknown, path: string, unknown: Record<string, unknown>): Message[] {
  if (typeof content === 'string') return [{ role: 'user', parts: [{ kind: 'text', text: content }] }];
  const results: ToolResultPart[] = [];
  const parts: UserPart[] = [];
  for (const [index, value] of list(content, path).entries()) {
    const at = `${path}[${index}]`;
    const block = object(value, at);
    if (block.type === 'tool_result') results.push(readResult(block, at, unknown));
    else for (const part of readUserBlock(block, at, unknown)) parts.push(part);
  }
  const messages: Message[] = [];
  if (results.length > 0) messages.push({ role: 'tool', parts: results });
  if (parts.length > 0 || results.length === 0) messages.push({ role: 'user', parts });
  return messages;
}

function readUserBlock(block: Unchecked, path: string, unknown: Record<string, unknown>): UserPart[] {
  switch (text(block.type, `${path}.type`)) {
    case 'text':
      return [readText(block, path)];
    case 'image':
      return [readImage(block, path)];
    case 'document':
      return readDocument(block, path, unknown);
    case 'search_result':
      return [readSearchResult(block, path, unknown)];
    case 'tool_reference':
      return [readToolReference(block, path)];
    default:
      return [nativeOf(block)];
  }
}

function readAssistant(content: unknown, path: string): AnswerPart[] {
  if (typeof content === 'string') return [{ kind: 'text', text: content }];
  return list(content, path).flatMap((value, index) =>
    readAssistantBlock(object(value, `${path}[${index}]`), `${path}[${index}]`),
  );
}

function readAssistantBlock(block: Unchecked, path: string): AnswerPart | AnswerPart[] {
  switch (text(block.type, `${path}.type`)) {
    case 'text':
      return readText(block, path);
    case 'thinking':
      return {
        kind: 'reasoning',
        text: optionalText(block.thinking, `${path}.thinking`) ?? '',
        form: 'summary',
        seal: readSeal(block.signature, 'signature'),
      };
    case 'redacted_thinking':
      return { kind: 'reasoning', text: '', form: 'summary', seal: readSeal(block.data, 'redacted') };
    case 'compaction':
      return readCompaction(block) ?? [];
    case 'tool_use':
      return {
        kind: 'tool-call',
        id: givenId(text(block.id, `${path}.id`)),
        name: text(block.name, `${path}.name`),
        input: JSON.stringify(block.input ?? {}),
        form: 'function',
        ...given('cache', readCache(block, path)),
      };
    default:
      return nativeOf(block);
  }
}

function readResult(block: Unchecked, path: string, unknown: Record<string, unknown>): ToolResultPart {
  const { content } = block;
  const parts: UserPart[] =
    typeof content === 'string'
      ? [{ kind: 'text', text: content }]
      : optionalList(content, `${path}.content`).flatMap((value, index) => {
          const at = `${path}.content[${index}]`;
          return readUserBlock(object(value, at), at, unknown);
        });
  return {
    kind: 'tool-result',
    callId: givenId(text(block.tool_use_id, `${path}.tool_use_id`)),
    parts,
    isError: optionalBoolean(block.is_error, `${path}.is_error`) ?? false,
    form: 'function',
    ...given('cache', readCache(block, path)),
  };
}

function readTexts(value: unknown, path: string): TextPart[] {
  if (typeof value === 'string') return [{ kind: 'text', text: value }];
  return list(value, path).map((each, index) => {
    const at = `${path}[${index}]`;
    const block = object(each, at);
    if (block.type !== 'text') throw wrongType(`${at}.type`, '`text`');
    return readText(block, at);
  });
}

function readText(block: Unchecked, path: string): TextPart {
  const words = text(block.text, `${path}.text`);
  const citations = optionalList(block.citations, `${path}.citations`);
  return {
    kind: 'text',
    text: words,
    ...(citations.length > 0 && { citations: citations.map((each) => readCitation(objectOf(each), words.length)) }),
    ...given('cache', readCache(block, path)),
  };
}

function readImage(block: Unchecked, path: string): MediaPart {
  const at = `${path}.source`;
  const source = object(block.source, at);
  const cache = given('cache', readCache(block, path));
  switch (source.type) {
    case 'base64':
      return mediaPart('image', readBytes(source, at), cache);
    case 'url':
      return mediaPart('image', readUrl(text(source.url, `${at}.url`)), cache);
    case 'file':
      return mediaPart('image', readFileId(source, at), cache);
    default:
      throw wrongType(`${at}.type`, '`base64`, `url` or `file`');
  }
}

function readDocument(block: Unchecked, path: string, unknown: Record<string, unknown>): UserPart[] {
  const at = `${path}.source`;
  const source = object(block.source, at);
  const context = optionalText(block.context, `${path}.context`);
  noteCitations(block, path, unknown);
  const before = context === undefined || context === '' ? [] : [textPart(context)];
  const rest = {
    ...given('filename', optionalText(block.title, `${path}.title`)),
    ...given('cache', readCache(block, path)),
  };
  switch (source.type) {
    case 'base64':
      return [...before, mediaPart('file', readBytes(source, at), rest)];
    case 'url':
      return [...before, mediaPart('file', readUrl(text(source.url, `${at}.url`)), rest)];
    case 'file':
      return [...before, { kind: 'file', source: readFileId(source, at), ...rest }];
    case 'text':
      return [...before, { kind: 'file', source: { kind: 'text', text: text(source.data, `${at}.data`) }, ...rest }];
    case 'content': {
      if (typeof source.content === 'string') {
        return [...before, { kind: 'file', source: { kind: 'text', text: source.content }, ...rest }];
      }
      const inner = list(source.content, `${at}.content`).flatMap((value, index) => {
        const place = `${at}.content[${index}]`;
        return readUserBlock(object(value, place), place, unknown);
      });
      // Its blocks become parts of their own, which have no member for a title.
      const title = rest.filename === undefined || rest.filename === '' ? [] : [textPart(rest.filename)];
      return [...title, ...before, ...withMarkAtEnd(inner, rest.cache)];
    }
    default:
      throw wrongType(`${at}.type`, '`base64`, `text`, `url`, `file` or `content`');
  }
}

/** Adds, by the kind of the block, that the model is asked to cite it. */
function noteCitations(block: Unchecked, path: string, unknown: Record<string, unknown>): void {
  if (optionalObject(block.citations, `${path}.citations`)?.enabled === true) unknown[`${block.type}.citations`] = true;
}

function textPart(words: string): TextPart {
  return { kind: 'text', text: words };
}

/** Turns a result of the caller's own search into text, because no other format has a block for it. */
function readSearchResult(block: Unchecked, path: string, unknown: Record<string, unknown>): TextPart {
  noteCitations(block, path, unknown);
  const head = [optionalText(block.title, `${path}.title`), optionalText(block.source, `${path}.source`)];
  const found = readTexts(block.content, `${path}.content`).map((part) => part.text);
  const words = [...head, ...found].filter((each) => each !== undefined && each !== '');
  return { kind: 'text', text: words.join('\n'), ...given('cache', readCache(block, path)) };
}

/** Turns a tool found by the caller's own search into text. The tool itself is declared in `tools`. */
function readToolReference(block: Unchecked, path: string): TextPart {
  const name = text(block.tool_name, `${path}.tool_name`);
  return { kind: 'text', text: `Tool found: ${name}`, ...given('cache', readCache(block, path)) };
}

function readBytes(source: Unchecked, path: string): { kind: 'data'; mediaType: string; data: string } {
  return {
    kind: 'data',
    mediaType: text(source.media_type, `${path}.media_type`),
    data: text(source.data, `${path}.data`),
  };
}

function readFileId(source: Unchecked, path: string): { kind: 'id'; dialect: typeof ID; id: string } {
  return { kind: 'id', dialect: ID, id: text(source.file_id, `${path}.file_id`) };
}

export function readCache(block: Unchecked, path: string): CacheMark | undefined {
  const mark = optionalObject(block.cache_control, `${path}.cache_control`);
  return mark && { ttl: mark.ttl === '1h' ? '1h' : '5m' };
}
