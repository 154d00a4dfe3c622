import type {
  AudioPart,
  CacheMark,
  FilePart,
  ImagePart,
  MediaSource,
  NativePart,
  TextPart,
  ToolResultPart,
} from '../../core/call.ts';
import { Losses } from '../../core/losses.ts';
import { defined } from '../unchecked-json.ts';
import {
  ID,
  type WireBlock,
  type WireCacheControl,
  type WireDocument,
  type WireImage,
  type WireText,
  type WireToolResult,
} from './wire.ts';

/** Image types that Anthropic accepts. https://docs.anthropic.com/en/docs/build-with-claude/vision */
const IMAGES = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);
const PDF = 'application/pdf';
const WORDS = /^(text\/|application\/(json|xml|yaml|x-yaml|javascript|x-ndjson)\b)/;
type ContentPart = TextPart | ImagePart | AudioPart | FilePart | NativePart;

/** The blocks of a part of a user turn or a tool result; none if the format cannot carry it. */
export function writeContent(part: ContentPart, losses: Losses): WireBlock[] {
  switch (part.kind) {
    case 'text':
      return writeText(part);
    case 'image':
      return writeImage(part, losses);
    case 'file':
      return writeFile(part, losses);
    case 'audio':
      losses.add('audio');
      return [];
    case 'native':
      if (part.dialect === ID) return [part.value as WireBlock];
      losses.add('vendor_tool_calls');
      return [];
    default:
      return part satisfies never;
  }
}

/** Whether a part of a user turn can be written. */
export function carriesPart(part: ContentPart): boolean {
  return writeContent(part, new Losses()).length > 0;
}

/** Writes a text; nothing if it is empty or white space alone, which Anthropic refuses. */
export function writeText(part: TextPart): WireText[] {
  return part.text.trim() === '' ? [] : [{ type: 'text', text: part.text, ...cacheOf(part) }];
}

export function writeResult(part: ToolResultPart, id: string, losses: Losses): WireToolResult {
  const blocks = part.parts.flatMap((each) => {
    if (each.kind === 'native' && each.dialect !== ID) {
      losses.add('tool_result_content');
      return [];
    }
    return writeContent(each, losses);
  });
  // An error result may contain only text.
  const content = part.isError ? blocks.filter(({ type }) => type === 'text') : blocks;
  if (content.length < blocks.length) losses.add('tool_result_content');
  return {
    type: 'tool_result',
    tool_use_id: id,
    ...(content.length > 0 && { content: shortest(content) }),
    ...(part.isError && { is_error: true }),
    ...cacheOf(part),
  };
}

/** A single text is written as a string, which every server with this format accepts. */
function shortest(content: WireBlock[]): string | WireBlock[] {
  const [only] = content;
  const plain = content.length === 1 && only !== undefined && 'text' in only && only.cache_control === undefined;
  return plain ? only.text : content;
}

function writeImage(part: ImagePart, losses: Losses): WireImage[] {
  if (part.detail !== undefined && part.detail !== 'auto') losses.add('detail');
  const source = imageSource(part.source, losses);
  return source === null ? [] : [{ type: 'image', source, ...cacheOf(part) }];
}

function imageSource(source: MediaSource, losses: Losses): object | null {
  switch (source.kind) {
    case 'url':
      return { type: 'url', url: source.url };
    case 'data':
      if (IMAGES.has(source.mediaType)) return base64(source);
      losses.add('image');
      return null;
    case 'text':
      losses.add('image');
      return null;
    case 'id':
      return fileId(source, losses);
    default:
      return source satisfies never;
  }
}

function writeFile(part: FilePart, losses: Losses): WireDocument[] {
  const { source, filename } = part;
  const document = documentSource(source, losses);
  if (document === null) return [];
  return [{ type: 'document', source: document, ...defined({ title: filename || undefined }), ...cacheOf(part) }];
}

function documentSource(source: MediaSource, losses: Losses): object | null {
  switch (source.kind) {
    case 'url':
      return { type: 'url', url: source.url };
    case 'text':
      return plainText(source.text);
    case 'data':
      if (source.mediaType === PDF) return base64(source);
      if (WORDS.test(source.mediaType)) return plainText(Buffer.from(source.data, 'base64').toString('utf8'));
      losses.add('file');
      return null;
    case 'id':
      return fileId(source, losses);
    default:
      return source satisfies never;
  }
}

function plainText(data: string): object {
  return { type: 'text', media_type: 'text/plain', data };
}

function base64({ mediaType, data }: { mediaType: string; data: string }): object {
  return { type: 'base64', media_type: mediaType, data };
}

function fileId({ dialect, id }: Extract<MediaSource, { kind: 'id' }>, losses: Losses): object | null {
  if (dialect === ID) return { type: 'file', file_id: id };
  losses.add('file_id');
  return null;
}

export function cacheOf({ cache }: { cache?: CacheMark }): { cache_control?: WireCacheControl } {
  if (cache === undefined) return {};
  return { cache_control: { type: 'ephemeral', ...(cache.ttl === '1h' && { ttl: '1h' }) } };
}
