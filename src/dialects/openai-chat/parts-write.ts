import type { CacheMark, FilePart, ImagePart, UserPart } from '../../core/call.ts';
import { Losses } from '../../core/losses.ts';
import type { WriteOptions } from '../dialect.ts';
import { dataUrl, titled } from '../media.ts';
import { breakpointOf } from '../openai-cache.ts';
import { defined } from '../unchecked-json.ts';

export type WirePart = { type: string; [name: string]: unknown };

/** Writes a part of a user or system message; nothing if the vendor's format cannot express it. */
export function writePart(part: UserPart, options: WriteOptions, losses: Losses): WirePart[] {
  switch (part.kind) {
    case 'text':
      return [{ type: 'text', text: part.text, ...writeMark(part.cache, options, losses) }];
    case 'image':
      return writeImage(part, losses).map((image) => ({ ...image, ...breakpointOf(part.cache, options, losses) }));
    case 'audio':
      return [{ type: 'input_audio', input_audio: { data: part.data, format: part.format } }];
    case 'file':
      return writeFile(part, losses).map((file) => ({ ...file, ...breakpointOf(part.cache, options, losses) }));
    case 'native':
      if (part.dialect === 'openai-chat') return [part.value as WirePart];
      losses.add('vendor_tool_calls');
      return [];
    default:
      return part satisfies never;
  }
}

/** Whether a part of a user turn can be written. */
export function carriesPart(part: UserPart, options: WriteOptions): boolean {
  return writePart(part, options, new Losses()).length > 0;
}

function writeImage({ source, detail }: ImagePart, losses: Losses): WirePart[] {
  const url = source.kind === 'url' ? source.url : source.kind === 'data' ? dataUrl(source) : null;
  if (url !== null) return [{ type: 'image_url', image_url: { url, ...defined({ detail }) } }];
  losses.add(source.kind === 'id' ? 'file_id' : 'image');
  return [];
}

/** Writes the cache mark of a text. https://openrouter.ai/docs/features/prompt-caching */
export function writeMark(cache: CacheMark | undefined, options: WriteOptions, losses: Losses): object {
  if (cache === undefined || options.quirks.cacheControl === undefined) return breakpointOf(cache, options, losses);
  return { cache_control: { type: 'ephemeral', ...(cache.ttl === '1h' && cache) } };
}

/** Writes a file. Text files become text, because only PDFs are accepted as files. */
function writeFile({ source, filename }: FilePart, losses: Losses): WirePart[] {
  switch (source.kind) {
    case 'text':
      return [{ type: 'text', text: titled(source.text, filename) }];
    case 'data': {
      const { mediaType, data } = source;
      if (mediaType.startsWith('text/')) {
        return [{ type: 'text', text: titled(Buffer.from(data, 'base64').toString('utf8'), filename) }];
      }
      const name = filename ?? (mediaType === 'application/pdf' ? 'file.pdf' : 'file');
      return [{ type: 'file', file: { filename: name, file_data: dataUrl(source) } }];
    }
    case 'id':
      if (source.dialect === 'openai-chat')
        return [{ type: 'file', file: { file_id: source.id, ...defined({ filename }) } }];
      losses.add('file_id');
      return [];
    case 'url':
      losses.add('file');
      return [];
    default:
      return source satisfies never;
  }
}
