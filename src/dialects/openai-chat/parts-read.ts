import type { FilePart, ImagePart, MediaSource, TextPart, UserPart } from '../../core/call.ts';
import { missing, wrongType } from '../request.ts';
import { Fields } from './fields.ts';
import { said } from './json.ts';
import { readCacheMark } from './tools.ts';

const DATA_URL = /^data:([^;,]*)(?:;[^;,]*)*?;base64,/;
/** The first bytes of a PDF, in base64. */
const PDF = 'JVBERi';

/** Reads a message's content: a text, or a list of parts. */
export function readContent(message: Fields): UserPart[] {
  const content = message.raw('content');
  if (content === undefined) throw missing(message.at('content'), `\`${message.at('content')}\` is missing.`);
  if (typeof content === 'string') return [{ kind: 'text', text: content }];
  if (!Array.isArray(content)) throw wrongType(message.at('content'), 'a string or an array of parts');
  return content.map((value, index) => readPart(value, `${message.at('content')}[${index}]`));
}

function readPart(value: unknown, path: string): UserPart {
  if (typeof value === 'string') return { kind: 'text', text: value };
  const part = new Fields(value, path);
  const type = part.needed('type');
  switch (type) {
    case 'text':
    case 'input_text':
      return readText(part);
    case 'image_url':
      return readImage(part);
    case 'input_audio': {
      const audio = needed(part, 'input_audio');
      return { kind: 'audio', data: audio.needed('data'), format: audio.needed('format') };
    }
    case 'file':
      return readFile(part);
    default: {
      const native = Object.fromEntries(part.names.map((name) => [name, part.raw(name)]));
      return { kind: 'native', dialect: 'openai-chat', type, value: native };
    }
  }
}

export function readText(part: Fields): TextPart {
  return { kind: 'text', text: part.needed('text'), ...said({ cache: readCacheMark(part) }) };
}

function readImage(part: Fields): ImagePart {
  const given = part.raw('image_url');
  const cache = readCacheMark(part);
  if (typeof given === 'string') return { kind: 'image', source: sourceOf(given), ...said({ cache }) };
  const image = needed(part, 'image_url');
  return { kind: 'image', source: sourceOf(image.needed('url')), ...said({ detail: image.text('detail'), cache }) };
}

function readFile(part: Fields): FilePart {
  const file = needed(part, 'file');
  const id = file.text('file_id');
  const source: MediaSource =
    id === undefined ? fileSource(file.needed('file_data')) : { kind: 'id', dialect: 'openai-chat', id };
  return { kind: 'file', source, ...said({ filename: file.text('filename'), cache: readCacheMark(part) }) };
}

/** The source of a data URL, a URL, or bare base64. */
function fileSource(data: string): MediaSource {
  if (data.startsWith('data:') || /^https?:\/\//.test(data)) return sourceOf(data);
  return { kind: 'data', mediaType: data.startsWith(PDF) ? 'application/pdf' : 'application/octet-stream', data };
}

function sourceOf(url: string): MediaSource {
  const match = DATA_URL.exec(url);
  if (match === null) return { kind: 'url', url };
  return { kind: 'data', mediaType: match[1] || 'application/octet-stream', data: url.slice(match[0].length) };
}

function needed(part: Fields, name: string): Fields {
  const inner = part.object(name);
  if (inner === undefined) throw missing(part.at(name), `\`${part.at(name)}\` is missing.`);
  return inner;
}
