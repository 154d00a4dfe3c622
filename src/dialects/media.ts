import type { AudioPart, CacheMark, FilePart, ImagePart, MediaSource } from '../core/call.ts';

const PDF = 'application/pdf';

/** Unusual names of media types, and the usual ones. */
const USUAL_NAMES = new Map([
  ['image/jpg', 'image/jpeg'],
  ['image/pjpeg', 'image/jpeg'],
  ['image/x-png', 'image/png'],
  ['application/x-pdf', PDF],
  ['audio/wave', 'audio/wav'],
  ['audio/x-wav', 'audio/wav'],
  ['audio/vnd.wave', 'audio/wav'],
  ['audio/mp3', 'audio/mpeg'],
  ['audio/x-mp3', 'audio/mpeg'],
]);
/** The first characters of files in base64. RIFF files hold images or sound, so their inner name is checked too. */
const STARTS: readonly (readonly [RegExp, string])[] = [
  [/^JVBERi/, PDF],
  [/^\/9j\//, 'image/jpeg'],
  [/^iVBORw0KGgo/, 'image/png'],
  [/^R0lGOD/, 'image/gif'],
  [/^UklGR.{6}XRUJQ/, 'image/webp'],
  [/^UklGR.{6}XQVZF/, 'audio/wav'],
  [/^SUQz/, 'audio/mpeg'],
  [/^ZkxhQ/, 'audio/flac'],
  [/^T2dnU/, 'audio/ogg'],
];
/** Media types that do not say what the bytes are, or only that they are an image or sound. */
const UNSURE = /^(?:$|\*|(?:image|audio)(?:\/?$|\/\*)|(?:application|binary)\/octet-stream$)/;
/** The names of sound formats that differ from their media types. */
const SOUNDS = new Map([
  ['mpeg', 'mp3'],
  ['mp4', 'm4a'],
]);

export type MediaKind = 'image' | 'audio' | 'file';
export type MediaPart = ImagePart | AudioPart | FilePart;
/** What a part has besides its bytes. */
type MediaBeside = { detail?: string; filename?: string; cache?: CacheMark };

/**
 * The media type by its usual name, in lower case and without parameters. The first bytes decide if it is unspecific,
 * and correct the type of an image: Anthropic refuses an image under another type.
 */
export function mediaTypeOf(named: string, data: string): string {
  const [plain = ''] = named.split(';', 1);
  const given = plain.trim().toLowerCase();
  const usual = USUAL_NAMES.get(given) ?? given;
  const isUnsure = UNSURE.test(usual);
  if (!isUnsure && !isImage(usual)) return usual;
  const shown = STARTS.find(([start]) => start.test(data))?.[1];
  if (shown !== undefined && (isUnsure || isImage(shown) || shown === PDF)) return shown;
  return usual || 'application/octet-stream';
}

function isImage(mediaType: string): boolean {
  return mediaType.startsWith('image/');
}

/**
 * A media part. The type of its bytes decides its kind. `called`, the kind that the caller names, counts if there are
 * no bytes or their type is unknown.
 */
export function mediaPart(called: MediaKind, source: MediaSource, beside: MediaBeside): MediaPart {
  if (source.kind !== 'data') return partOf(called, source, beside);
  const data = unbroken(source.data);
  const mediaType = mediaTypeOf(source.mediaType, data);
  return partOf(kindOf(mediaType) ?? called, { ...source, mediaType, data }, beside);
}

/**
 * Base64 without the line breaks and spaces that some encoders put into it, every 64 or 76 characters or at its end. Vendors
 * differ in whether they pass over them.
 */
export function unbroken(base64: string): string {
  return BREAKS.some((each) => base64.includes(each)) ? base64.replace(/\s+/g, '') : base64;
}

const BREAKS = ['\n', '\r', ' ', '\t'];

function partOf(kind: MediaKind, source: MediaSource, { detail, filename, cache }: MediaBeside): MediaPart {
  const marked = cache === undefined ? {} : { cache };
  if (kind === 'image') return { kind, source, ...(detail !== undefined && { detail }), ...marked };
  if (kind === 'audio' && source.kind === 'data') {
    return { kind, data: source.data, format: soundFormat(source.mediaType) };
  }
  return { kind: 'file', source, ...(filename !== undefined && { filename }), ...marked };
}

/** `null` if the type does not say. */
function kindOf(mediaType: string): MediaKind | null {
  if (UNSURE.test(mediaType)) return null;
  if (isImage(mediaType)) return 'image';
  return mediaType.startsWith('audio/') ? 'audio' : 'file';
}

/** An audio part with a short format name. A data URL has its own media type. */
export function soundPart(data: string, format: string): MediaPart {
  const source = data.startsWith('data:') ? readUrl(data) : null;
  if (source === null || source.kind === 'url') return { kind: 'audio', data: unbroken(data), format };
  return mediaPart('audio', source, {});
}

function soundFormat(mediaType: string): string {
  const name = mediaType.slice(mediaType.indexOf('/') + 1).replace(/^x-/, '');
  return SOUNDS.get(name) ?? name;
}

const DATA_URL = /^data:([^,]*),/i;
const BASE64 = /;\s*base64\s*$/i;

/** The source of a URL. A data URL contains bytes or percent-encoded text; bare base64 is accepted too. */
export function readUrl(url: string): MediaSource {
  const head = DATA_URL.exec(url.slice(0, MAX_HEAD));
  if (head === null) return STARTS.some(([start]) => start.test(url)) ? dataSource('', url) : { kind: 'url', url };
  const named = head[1]!;
  const body = url.slice(head[0].length);
  if (BASE64.test(named)) return dataSource(named, body);
  try {
    return dataSource(named || 'text/plain', Buffer.from(decodeURIComponent(body)).toString('base64'));
  } catch {
    return { kind: 'url', url }; // Its percent signs are no code.
  }
}

/** The most characters of a data URL before its data. */
const MAX_HEAD = 1000;

function dataSource(named: string, data: string): MediaSource {
  return { kind: 'data', mediaType: mediaTypeOf(named, data), data };
}

/**
 * The source of a file given as a URL, a data URL or bare base64. The type of bare base64 is detected; otherwise it is
 * `type`.
 */
export function readFileData(data: string, type: string): MediaSource {
  if (/^(?:data:|https?:\/\/)/i.test(data)) return readUrl(data);
  const shown = mediaTypeOf('', data);
  return { kind: 'data', mediaType: UNSURE.test(shown) ? type : shown, data };
}

/** A data URL. */
export function dataUrl({ mediaType, data }: { mediaType: string; data: string }): string {
  return `data:${mediaType};base64,${data}`;
}

/** The text of a file under its name, for formats without a member for the name: the prompt may refer to it. */
export function titled(words: string, name: string | undefined): string {
  return name === undefined || name === '' ? words : `${name}\n${words}`;
}
