import { GatewayError } from '../../core/errors.ts';
import { parseJson } from '../../json/parse.ts';
import { isObject, objectOf, type Unchecked } from '../unchecked-json.ts';
import { badPiece, readInnerError, readUnnamedError } from '../vendor-errors.ts';

/** Parses an event; returns an error if it is not a JSON object. */
export function parseEvent(data: string): Unchecked | GatewayError {
  try {
    const payload: unknown = parseJson(data);
    if (isObject(payload)) return payload;
  } catch (cause) {
    return badPiece('is not JSON', cause);
  }
  return badPiece('is not an event');
}

/** The type of an event. Vendors send it in the `event` line, the payload, or both. */
export function typeOf(event: string | null, payload: Unchecked): string {
  return typeof payload.type === 'string' ? payload.type : (event ?? '');
}

/** Whether an event ends an item that may be the last of an answer: a text or a call. */
export function endsItem(type: string, { item }: Unchecked): boolean {
  return type === 'response.output_item.done' && objectOf(item).type !== 'reasoning';
}

/** The vendor's error in an event; `null` if it is not one. */
export function errorIn(event: string | null, payload: Unchecked): GatewayError | null {
  const type = typeOf(event, payload);
  switch (type) {
    case 'response.failed':
      return readInnerError({ error: objectOf(objectOf(payload.response).error) });
    case 'response.cancelled':
      return new GatewayError('upstream_error', 'The provider cancelled the answer.');
    case 'response.completed':
      return failureOf(objectOf(payload.response));
    default:
  }
  if (type.startsWith('response.')) return null;
  if (type === '' && !payload.error) return readUnnamedError(payload);
  if (type !== 'error' && event !== 'error' && !payload.error) return null;
  if (isObject(payload.error) || typeof payload.error === 'string') return readInnerError(payload);
  // The error's members are beside the event's own `type`.
  const { type: _, sequence_number: __, ...words } = payload;
  return readInnerError({ error: words });
}

function failureOf(response: Unchecked): GatewayError | null {
  return response.status === 'failed' ? readInnerError({ error: objectOf(response.error) }) : null;
}
