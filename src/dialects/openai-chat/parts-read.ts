import type { MediaSource, TextPart, UserPart } from '../../core/call.ts';
import { Fields } from '../fields.ts';
import { type MediaPart, mediaPart, readFileData, readUrl, soundPart } from '../media.ts';
import { missing, wrongType } from '../request.ts';
import { defined } from '../unchecked-json.ts';
import { readCacheMark } from './tools.ts';

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
      const audio = part.neededObject('input_audio');
      return soundPart(audio.needed('data'), audio.needed('format'));
    }
    case 'file':
      return readFile(part);
    default: {
      return { kind: 'native', dialect: 'openai-chat', type, value: part.value };
    }
  }
}

export function readText(part: Fields): TextPart {
  return { kind: 'text', text: part.needed('text'), ...defined({ cache: readCacheMark(part) }) };
}

function readImage(part: Fields): MediaPart {
  const given = part.raw('image_url');
  const cache = readCacheMark(part);
  if (typeof given === 'string') return mediaPart('image', readUrl(given), defined({ cache }));
  const image = part.neededObject('image_url');
  return mediaPart('image', readUrl(image.needed('url')), defined({ detail: image.text('detail'), cache }));
}

function readFile(part: Fields): MediaPart {
  const file = part.neededObject('file');
  const id = file.text('file_id');
  const source: MediaSource =
    id === undefined
      ? readFileData(file.needed('file_data'), 'application/octet-stream')
      : { kind: 'id', dialect: 'openai-chat', id };
  return mediaPart('file', source, defined({ filename: file.text('filename'), cache: readCacheMark(part) }));
}
