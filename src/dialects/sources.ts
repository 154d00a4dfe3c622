import type { MediaSource } from '../core/call.ts';

const BASE64 = ';base64';

/** What an address leads to; one that holds the bytes itself gives them. */
export function readUrl(url: string): MediaSource {
  const comma = url.startsWith('data:') ? url.indexOf(',') : -1;
  const head = url.slice(5, Math.max(5, comma));
  if (!head.endsWith(BASE64)) return { kind: 'url', url };
  const mediaType = head.slice(0, head.length - BASE64.length);
  return { kind: 'data', mediaType, data: url.slice(comma + 1) };
}

/** An address that holds the bytes itself. */
export function dataUrl({ mediaType, data }: { mediaType: string; data: string }): string {
  return `data:${mediaType}${BASE64},${data}`;
}
