import { GatewayError } from '../../core/errors.ts';
import { cuts, type Edit, splice } from '../../json/edits.ts';
import type { JsonNode } from '../../json/node.ts';
import { JsonError } from '../../json/scan.ts';
import type { OutputItem } from '../dialect.ts';
import { ID_NAME } from '../noticed-names.ts';
import { invalidJson, type RequestBody, rootOf } from '../request.ts';
import { itemsOf } from '../summary.ts';
import { isObject, listOf } from '../unchecked-json.ts';

/** The ids of items that a call refers to instead of sending them; `null` if none. Most bodies are not searched. */
export function referencesIn(call: RequestBody): string[] | null {
  if ((call.index.noticed & ID_NAME) === 0) return null;
  try {
    const items = itemsOf(rootOf(call).get('input'));
    return items.some(isNothingElse) ? items.filter(isReference).map(idOf) : null;
  } catch (error) {
    if (error instanceof JsonError) return null; // Parsing the call later reports what is wrong.
    throw error;
  }
}

/** The body with its references replaced by items; throws `GatewayError` (400) for one that is not found. */
export function withReferences(call: RequestBody, find: (id: string) => unknown): Buffer {
  const input = rootOf(call).get('input')!;
  const hollow: JsonNode[] = [];
  const edits: Edit[] = [];
  for (const item of itemsOf(input).filter(isReference)) {
    const found = find(idOf(item));
    if (found === undefined || found === null) throw unresolved(idOf(item), placeOf(input, item));
    if (isHollow(found)) hollow.push(item);
    else edits.push({ start: item.start, end: item.end, text: JSON.stringify(found) });
  }
  edits.push(...cuts(call.body, input.start + 1, hollow));
  return splice(
    call.body,
    edits.sort((one, other) => one.start - other.start),
  );
}

function placeOf(list: JsonNode, item: JsonNode): number {
  try {
    return list.indexOf(item);
  } catch (error) {
    throw error instanceof JsonError ? invalidJson(error) : error;
  }
}

/** The error for an item that is referred to but unknown. */
export function unresolved(id: string, index: number): GatewayError {
  const message = `Item “${id}” is not known, or no longer known: items are kept only for a short time. Send the item itself.`;
  return new GatewayError('invalid_request', message, { param: `input[${index}]`, code: 'item_not_found' });
}

function isReference(item: JsonNode): boolean {
  if (!item.get('id')?.isText) return false;
  const type = item.get('type');
  if (type?.text === 'item_reference') return true;
  return (type === null || type.isNull) && item.get('role') === null && item.get('content') === null;
}

/** Whether an item can only be a reference: it has that type, or no other members than its id. */
function isNothingElse(item: JsonNode): boolean {
  if (!isReference(item)) return false;
  const type = item.get('type');
  return type?.isText === true || item.children().length === (type === null ? 1 : 2);
}

function idOf(item: JsonNode): string {
  return item.get('id')?.text ?? '';
}

/** Whether reasoning has neither encrypted nor plain content: the vendor stored nothing, so it would not know the id. */
function isHollow(item: unknown): boolean {
  if (!isObject(item) || item.type !== 'reasoning') return false;
  return typeof item.encrypted_content !== 'string' && listOf(item.content).length === 0;
}

/** An item of an answer with its id; nothing if it has none. */
export function outputItem(item: unknown): OutputItem[] {
  if (!isObject(item) || typeof item.id !== 'string') return [];
  return [{ id: item.id, json: JSON.stringify(item) }];
}
