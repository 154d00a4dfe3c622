import { GatewayError } from '../../core/errors.ts';
import type { OutputItem, ReadLimits } from '../dialect.ts';
import { scanAnswer } from '../openai-peek.ts';
import { member, readRequestBody, splice } from '../request.ts';
import { ESCAPED_LETTER } from '../shared-ids.ts';
import { isWire, listOf, type Wire } from './wire.ts';

/** As deep as calls may be nested at all. */
const MAX_DEPTH = 512;

/** An item that is nothing but an id: the name of its type may be left out. */
const BARE = /\{\s*(?:"type"\s*:\s*null\s*,\s*)?"id"\s*:\s*"[^"]*"\s*(?:,\s*"type"\s*:\s*null\s*)?\}/y;

/** The ids of items that a call names in place of sending them; `null` where it names none. Most bodies are not parsed for it. */
export function referencesIn(body: Buffer, { json }: Pick<ReadLimits, 'json'> = {}): string[] | null {
  const text = body.toString('latin1');
  if (!body.includes('item_reference') && !hasBareId(text) && !ESCAPED_LETTER.test(text)) return null;
  let input: unknown;
  try {
    input = member(readRequestBody(body, MAX_DEPTH, json), 'input');
  } catch (error) {
    if (error instanceof GatewayError) return null; // Whoever reads the call says what is wrong with it.
    throw error;
  }
  const ids = listOf(input).flatMap((item) => (isReference(item) ? [item.id] : []));
  return ids.length === 0 ? null : ids;
}

/** Whether the bytes may hold an item that is nothing but an id. */
function hasBareId(text: string): boolean {
  for (let at = text.indexOf('{'); at >= 0; at = text.indexOf('{', at + 1)) {
    BARE.lastIndex = at;
    if (BARE.test(text)) return true;
  }
  return false;
}

/** The call with the items in place of their references; throws `GatewayError` (400) for one that is not found. */
export function withReferences(body: Buffer, find: (id: string) => unknown): Buffer {
  const request = readRequestBody(body, MAX_DEPTH);
  const span = request.members.spans.get('input');
  if (span === undefined) return request.body;
  const items = listOf(member(request, 'input')).flatMap((item, index) => {
    if (!isReference(item)) return [item];
    const found = find(item.id);
    if (found === undefined || found === null) throw unresolved(item.id, index);
    return isHollow(found) ? [] : [found];
  });
  return splice(request.body, [{ ...span, text: JSON.stringify(items) }]);
}

/** The refusal of an item that is named but not sent, and not known. */
export function unresolved(id: string, index: number): GatewayError {
  const message = `Item “${id}” is not known here (any more): items are kept for a short time only. Send the item itself.`;
  return new GatewayError('invalid_request', message, { param: `input[${index}]`, code: 'item_not_found' });
}

export function isReference(item: unknown): item is Wire & { id: string } {
  if (!isWire(item) || typeof item.id !== 'string') return false;
  if (item.type === 'item_reference') return true;
  return (item.type ?? null) === null && item.role === undefined && item.content === undefined;
}

/** Reasoning that was not sent along in any form: its vendor kept nothing, and would not know it by its id. */
export function isHollow(item: unknown): boolean {
  if (!isWire(item) || item.type !== 'reasoning') return false;
  return typeof item.encrypted_content !== 'string' && listOf(item.content).length === 0;
}

/** The items of a whole answer, each under its id. */
export function outputItemsOf(body: Buffer): OutputItem[] {
  const span = scanAnswer(body).get('output');
  if (span === undefined) return [];
  return listOf(JSON.parse(body.toString('utf8', span.start, span.end))).flatMap(outputItem);
}

export function outputItem(item: unknown): OutputItem[] {
  if (!isWire(item) || typeof item.id !== 'string') return [];
  return [{ id: item.id, json: JSON.stringify(item) }];
}
