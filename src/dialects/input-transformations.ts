import { NO_LOSSES } from '../core/losses.ts';
import { parseJson } from '../json/parse.ts';
import { type JsonIndex, memberRange } from '../json/tape.ts';
import { isSet } from './members.ts';

/** The member in which vendors report what they omitted from a call. It passes, and its name is reported. */
const MEMBER = 'input_transformations';
const TOLD: readonly string[] = [MEMBER];

/** The name of the member if a whole answer has entries in it. */
export function transformationsInBody(body: Buffer, index: JsonIndex): readonly string[] {
  const range = memberRange(body, index, MEMBER);
  return range !== undefined && isSet(parseJson(body.toString('utf8', range.start, range.end))) ? TOLD : NO_LOSSES;
}

/** The name of the member if a parsed object has entries in it. */
export function transformationsOf(told: Readonly<Record<string, unknown>>): readonly string[] {
  return isSet(told[MEMBER]) ? TOLD : NO_LOSSES;
}
