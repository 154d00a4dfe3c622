import { CLIENT_REQUEST_ID, type RequestHead } from '../authenticate.ts';
import type { BodyRoute } from '../incoming-call.ts';

/** The head of a request for this layer. */
export type FastHead = RequestHead & {
  route: BodyRoute;
  /** From `POST` to the empty line, inclusive. One character per byte. */
  text: string;
  /**
   * The bits (`lengthBit`) of how long its headers' names are: most names that somebody asks for are of another length.
   */
  nameLengths: number;
  contentLength: number;
};

/**
 * Limits of a head and of the body that it announces, in bytes. The head may not be longer than Node would let it be,
 * nor the body than what is read into memory.
 */
export type HeadLimits = { maxHeader: number; maxBody: number };

/** Most heads are shorter, so that a long body need not become text to find the end of its head. */
const FIRST_LOOK = 2048;
/** Node counts names and values alone, and drops headers after its 1,000th; within these bounds neither matters. */
const MAX_LINES = 100;

const END = '\r\n\r\n';

/**
 * A whole head in which every line is a name of token characters, a colon at once, and visible ASCII, spaces and tabs.
 * So no line is folded or ends in a bare LF, and all of it is text. No repetition can match what follows it, so
 * matching takes linear time.
 */
const PLAIN = /^POST [!-~]+ HTTP\/1\.1\r\n(?:[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\t -~]*\r\n)+\r\n$/;

/** A length in its one plain form: no sign, no leading zero, and exact as a number. */
const LENGTH = /^[1-9]\d{0,14}$/;

/** The forms in which clients write the supported media type. */
const JSON_TYPE = /^application\/json(?:; ?charset=utf-8)?$/i;

/**
 * Reads the head that `piece` begins with. `null` for all that is not plain: a head that has not come in full, another
 * path or method, a header that changes how the body is framed or the connection used, one that stands twice and may
 * not, a body of another type or too large. `null` refuses nothing: it leaves the request to Node.
 *
 * /!\ Hot path: one pass over one text; only headers that have a meaning here are cut out of it.
 */
export function readFastHead(
  piece: Buffer,
  routes: ReadonlyMap<string, BodyRoute>,
  { maxHeader, maxBody }: HeadLimits,
): FastHead | null {
  const text = headText(piece, maxHeader);
  if (text === null || !PLAIN.test(text)) return null;
  const route = routes.get(text.slice(5, text.indexOf(' ', 5)));
  if (route === undefined) return null;
  const head: FastHead = {
    route,
    text,
    nameLengths: 0,
    contentLength: 0,
    authorization: null,
    apiKey: null,
    clientRequestId: null,
    hasCookie: false,
  };
  let hosts = 0;
  let typed = false;
  let lines = 0;
  const last = text.length - 2;
  for (let at = text.indexOf('\n') + 1; at < last; lines += 1) {
    const colon = text.indexOf(':', at);
    const end = text.indexOf('\r', colon);
    head.nameLengths |= lengthBit(colon - at);
    // Compare lengths first: most headers are none of these.
    switch (colon - at) {
      case 4:
        if (nameAt(text, at, colon) === 'host') hosts += 1;
        break;
      case 6: {
        const name = nameAt(text, at, colon);
        if (name === 'expect') return null;
        if (name === 'cookie') head.hasCookie = true;
        break;
      }
      case 7:
        if (nameAt(text, at, colon) === 'upgrade') return null;
        break;
      case 9:
        if (nameAt(text, at, colon) !== 'x-api-key') break;
        if (head.apiKey !== null) return null;
        head.apiKey = valueAt(text, colon, end);
        break;
      case 10:
        if (nameAt(text, at, colon) !== 'connection') break;
        if (valueAt(text, colon, end).toLowerCase() !== 'keep-alive') return null;
        break;
      case 12: {
        const name = nameAt(text, at, colon);
        if (name === 'content-type') {
          if (typed || !JSON_TYPE.test(valueAt(text, colon, end))) return null;
          typed = true;
        } else if (name === 'x-request-id') {
          const id = valueAt(text, colon, end);
          if (CLIENT_REQUEST_ID.test(id)) head.clientRequestId = id;
        }
        break;
      }
      case 13:
        if (nameAt(text, at, colon) !== 'authorization') break;
        if (head.authorization !== null) return null;
        head.authorization = valueAt(text, colon, end);
        break;
      case 14: {
        if (nameAt(text, at, colon) !== 'content-length') break;
        const length = valueAt(text, colon, end);
        if (head.contentLength !== 0 || !LENGTH.test(length)) return null;
        head.contentLength = Number(length);
        break;
      }
      case 16: {
        const name = nameAt(text, at, colon);
        if (name === 'content-encoding' || name === 'proxy-connection') return null;
        break;
      }
      case 17:
        if (nameAt(text, at, colon) === 'transfer-encoding') return null;
        break;
    }
    at = end + 2;
  }
  if (hosts !== 1 || !typed || lines > MAX_LINES) return null;
  return head.contentLength === 0 || head.contentLength > maxBody ? null : head;
}

/** The requested header of which Node keeps only the first value. */
const FIRST_ALONE = 'user-agent';

/**
 * The value of a header of a plain head, by its name in lower case; more than one with commas between, as Node has it.
 *
 * /!\ Hot path: a header that is not there mostly costs one look.
 */
export function headerIn(
  { text, nameLengths }: Pick<FastHead, 'text' | 'nameLengths'>,
  name: string,
): string | undefined {
  if ((nameLengths & lengthBit(name.length)) === 0) return undefined;
  let value: string | undefined;
  const last = text.length - 2;
  for (let at = text.indexOf('\n') + 1; at < last; ) {
    const colon = text.indexOf(':', at);
    const end = text.indexOf('\r', colon);
    if (colon - at === name.length && nameAt(text, at, colon) === name) {
      const one = valueAt(text, colon, end);
      if (name === FIRST_ALONE) return one;
      value = value === undefined ? one : `${value}, ${one}`;
    }
    at = end + 2;
  }
  return value;
}

/** The head with its empty line, if it is complete and within the limit. */
function headText(piece: Buffer, maxHeader: number): string | null {
  for (const look of [FIRST_LOOK, maxHeader]) {
    const text = piece.toString('latin1', 0, Math.min(look, maxHeader));
    const end = text.indexOf(END);
    if (end >= 0) return text.slice(0, end + END.length);
    if (piece.length <= look) return null;
  }
  return null;
}

function lengthBit(length: number): number {
  return 1 << (length & 31);
}

function nameAt(text: string, at: number, colon: number): string {
  return text.slice(at, colon).toLowerCase();
}

/** The value without surrounding spaces and tabs. The line has no other white space that `trim` removes. */
function valueAt(text: string, colon: number, end: number): string {
  return text.slice(colon + 1, end).trim();
}
