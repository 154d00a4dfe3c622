import type { MediaSource } from '../core/call.ts';

const BASE64 = ';base64';

/** The source of a URL. A data URL contains the bytes. */
export function readUrl(url: string): MediaSource {
  const comma = url.startsWith('data:') ? url.indexOf(',') : -1;
  const head = url.slice(5, Math.max(5, comma));
  if (!head.endsWith(BASE64)) return { kind: 'url', url };
  const mediaType = head.slice(0, head.length - BASE64.length);
  return { kind: 'data', mediaType, data: url.slice(comma + 1) };
}

/** A data URL. */
export function dataUrl({ mediaType, data }: { mediaType: string; data: string }): string {
  return `data:${mediaType}${BASE64},${data}`;
}

/** The words of a file where nothing else can name it: its name stands above them, since the prompt may speak of it by that. */
export function titled(words: string, name: string | undefined): string {
  return name === undefined || name === '' ? words : `${name}\n${words}`;
}
