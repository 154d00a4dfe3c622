import { createHash } from 'node:crypto';
import type {
  AnswerPart,
  FilePart,
  ImagePart,
  Message,
  NativePart,
  ReasoningPart,
  TextPart,
  ToolResultPart,
  UserPart,
} from '../../core/call.ts';
import { Losses } from '../../core/losses.ts';
import { opens } from '../../core/seal.ts';
import { withMarkAtEnd } from '../cache-marks.ts';
import type { WriteOptions } from '../dialect.ts';
import { dataUrl, titled } from '../media.ts';
import { breakpointOf, keepBreakpoints, takesBreakpoints } from '../openai-cache.ts';
import { holdsText, SearchSteps } from '../search-steps.ts';
import { isObject, listOf, type Unchecked } from '../unchecked-json.ts';
import { nativeItem, summaryText, writeCitation } from './items-write.ts';
import { searchItem } from './search-items.ts';

/** The most characters of a call id that OpenAI accepts. */
const MAX_CALL_ID = 64;

/** Writes the turns of a conversation as items. At least one, because OpenAI refuses an input without any. */
export function writeInput(messages: readonly Message[], options: WriteOptions, losses: Losses): Unchecked[] {
  const items = messages.flatMap((message) => {
    switch (message.role) {
      case 'system':
      case 'developer':
        return messageOf(
          message.role,
          message.parts.flatMap((part) => textContents(part, options, losses)),
        );
      case 'user':
        if (message.name !== undefined) losses.add('name');
        return writeUser(message.parts, options, losses);
      case 'assistant':
        if (message.name !== undefined) losses.add('name');
        return writeAssistant(message.parts, options, losses);
      case 'tool':
        return message.parts.map((part) => writeResult(part, options, losses));
      default:
        return message satisfies never;
    }
  });
  keepBreakpoints(
    items.flatMap(({ content, output }) => [...listOf(content), ...listOf(output)]),
    losses,
  );
  return items.length > 0 ? items : messageOf('user', [{ type: 'input_text', text: '' }]);
}

/** Skips a message that has no content. */
function messageOf(role: string, content: readonly Unchecked[]): Unchecked[] {
  return content.length === 0 ? [] : [{ type: 'message', role, content }];
}

/** Writes a user turn. Parts that no message can hold become items of their own, between messages. */
function writeUser(parts: readonly UserPart[], options: WriteOptions, losses: Losses): Unchecked[] {
  const items: Unchecked[] = [];
  let content: Unchecked[] = [];
  for (const part of parts) {
    const item = part.kind === 'native' ? nativeItem(part) : null;
    if (item === null) {
      content.push(...userContents(part, options, losses));
      continue;
    }
    items.push(...messageOf('user', content), item);
    content = [];
  }
  return [...items, ...messageOf('user', content)];
}

/** Writes an assistant turn. Consecutive text goes into one message; every other part becomes its own item. */
function writeAssistant(parts: readonly AnswerPart[], options: WriteOptions, losses: Losses): Unchecked[] {
  const items: Unchecked[] = [];
  let content: Unchecked[] = [];
  const searches = new SearchSteps();
  for (const part of parts) {
    if (part.kind === 'text' || part.kind === 'refusal') {
      content.push(...spokenContents(part, losses));
      continue;
    }
    const item = writeStep(part, options, { searches, losses });
    if (item === null) continue;
    items.push(...messageOf('assistant', content), item);
    content = [];
  }
  items.push(...messageOf('assistant', content));
  if (searches.rest().length > 0) losses.add('vendor_tool_calls');
  // OpenAI refuses a reasoning item that no other item follows.
  while (items.at(-1)?.type === 'reasoning') {
    items.pop();
    losses.add('reasoning');
  }
  return items;
}

function spokenContents(part: Extract<AnswerPart, { kind: 'text' | 'refusal' }>, losses: Losses): Unchecked[] {
  if (part.text === '') return [];
  if (part.kind === 'refusal') return [{ type: 'refusal', refusal: part.text }];
  if (part.cache !== undefined) losses.add('cache_control');
  const annotations = (part.citations ?? []).flatMap((citation) => {
    const annotation = writeCitation(citation);
    if (annotation === null) losses.add('citations');
    return annotation === null ? [] : [annotation];
  });
  return [{ type: 'output_text', text: part.text, annotations }];
}

function writeStep(
  part: Exclude<AnswerPart, { kind: 'text' | 'refusal' }>,
  options: WriteOptions,
  { searches, losses }: { searches: SearchSteps; losses: Losses },
): Unchecked | null {
  switch (part.kind) {
    case 'reasoning':
      return writeReasoning(part, options, losses);
    case 'tool-call': {
      const { id, name, input, form, cache } = part;
      if (cache !== undefined) losses.add('cache_control');
      const callId = legalCallId(id);
      if (form === 'custom') return { type: 'custom_tool_call', call_id: callId, name, input };
      return { type: 'function_call', call_id: callId, name, arguments: input === '' ? '{}' : input };
    }
    case 'native': {
      const item = nativeItem(part);
      if (item === null && part.search !== undefined && knowsSearches(options)) {
        const search = searches.add(part.search);
        if (holdsText(part.search)) losses.add('tool_result_content');
        return search === null ? null : searchItem(search);
      }
      if (item === null) losses.add('vendor_tool_calls');
      return item;
    }
    default:
      return part satisfies never;
  }
}

/** Whether the vendor uses the format's own search tool, and so knows the items of searches. */
function knowsSearches({ quirks }: WriteOptions): boolean {
  const row = quirks.webSearch?.['openai-responses'];
  return row === undefined || row.tool?.type === 'web_search';
}

/** Writes reasoning. A vendor accepts it only with its own seal, not as text alone. */
function writeReasoning({ text, form, seal }: ReasoningPart, options: WriteOptions, losses: Losses): Unchecked | null {
  if (seal === null || !opens(seal, 'openai-responses', options.provider)) {
    if (seal !== null) losses.add('seal');
    if (text !== '') losses.add('reasoning');
    return null;
  }
  const isFull = form === 'full' && text !== '';
  return {
    type: 'reasoning',
    ...(seal.id !== null && { id: seal.id }),
    summary: isFull || text === '' ? [] : [summaryText(text)],
    ...(isFull && { content: [{ type: 'reasoning_text', text }] }),
    encrypted_content: seal.value,
  };
}

function writeResult(part: ToolResultPart, options: WriteOptions, losses: Losses): Unchecked {
  const { callId, parts, isError, form, cache } = part;
  if (isError) losses.add('is_error');
  const type = form === 'custom' ? 'custom_tool_call_output' : 'function_call_output';
  return {
    type,
    call_id: legalCallId(callId),
    output: writeOutput(withMarkAtEnd(parts, cache, losses), options, losses),
  };
}

/** Writes a tool result. A single text without a mark is written as a string, which every vendor accepts. */
function writeOutput(parts: ToolResultPart['parts'], options: WriteOptions, losses: Losses): unknown {
  const [first, ...more] = parts;
  if (first === undefined) return '';
  const isMarked = 'cache' in first && first.cache !== undefined;
  if (first.kind !== 'text' || more.length > 0 || (isMarked && takesBreakpoints(options))) {
    return parts.flatMap((part) => userContents(part, options, losses));
  }
  if (isMarked) losses.add('cache_control');
  return first.text;
}

/** Whether a part of a user turn can be written. */
export function carriesPart(part: UserPart, options: WriteOptions): boolean {
  return (part.kind === 'native' && nativeItem(part) !== null) || userContents(part, options, new Losses()).length > 0;
}

function userContents(part: UserPart, options: WriteOptions, losses: Losses): Unchecked[] {
  switch (part.kind) {
    case 'text':
      return textContents(part, options, losses);
    case 'image':
      return writeImage(part, losses).map((image) => ({ ...image, ...breakpointOf(part.cache, options, losses) }));
    case 'file':
      return writeFile(part, losses).map((file) => ({ ...file, ...breakpointOf(part.cache, options, losses) }));
    case 'audio':
      losses.add('audio');
      return [];
    case 'native':
      return writeNative(part, losses);
    default:
      return part satisfies never;
  }
}

function textContents({ text, cache }: TextPart, options: WriteOptions, losses: Losses): Unchecked[] {
  if (text === '') return [];
  return [{ type: 'input_text', text, ...breakpointOf(cache, options, losses) }];
}

function writeImage({ source, detail = 'auto' }: ImagePart, losses: Losses): Unchecked[] {
  switch (source.kind) {
    case 'url':
      return [{ type: 'input_image', image_url: source.url, detail }];
    case 'data':
      return [{ type: 'input_image', image_url: dataUrl(source), detail }];
    case 'text':
      losses.add('image');
      return [];
    case 'id':
      losses.add('file_id');
      return [];
    default:
      return source satisfies never;
  }
}

function writeFile({ source, filename }: FilePart, losses: Losses): Unchecked[] {
  switch (source.kind) {
    case 'url':
      return [{ type: 'input_file', file_url: source.url, ...(filename !== undefined && { filename }) }];
    case 'data':
      return [{ type: 'input_file', filename: filename ?? defaultName(source.mediaType), file_data: dataUrl(source) }];
    case 'text':
      // A text document is written as text.
      return source.text === '' ? [] : [{ type: 'input_text', text: titled(source.text, filename) }];
    case 'id':
      losses.add('file_id');
      return [];
    default:
      return source satisfies never;
  }
}

/** OpenAI requires a file name, and derives the type from it. */
function defaultName(mediaType: string): string {
  const kind = /^[a-z]+\/([a-z0-9]+)$/.exec(mediaType)?.[1] ?? 'bin';
  return `file.${kind === 'plain' ? 'txt' : kind}`;
}

function writeNative({ dialect, value }: NativePart, losses: Losses): Unchecked[] {
  if (dialect === 'openai-responses' && isObject(value)) return [value];
  losses.add('vendor_tool_calls');
  return [];
}

/** A call id that OpenAI accepts. The same id always gives the same result. */
function legalCallId(id: string): string {
  if (id !== '' && id.length <= MAX_CALL_ID) return id;
  return `call_${createHash('sha256').update(id).digest('base64url')}`;
}
