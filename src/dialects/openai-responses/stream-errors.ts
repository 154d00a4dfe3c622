import { GatewayError } from '../../core/errors.ts';
import { parseJson } from '../../json/parse.ts';
import { readInnerError, readUnnamedError } from '../vendor-errors.ts';
import { isWire, type Wire, wireOf } from './wire.ts';

/** Parses an event; returns an error if it is not a JSON object. */
export function parseEvent(data: string): Wire | GatewayError {
  try {
    const payload: unknown = parseJson(data);
    if (isWire(payload)) return payload;
  } catch (cause) {
    return new GatewayError('upstream_invalid_answer', 'The provider sent a piece of a stream that is not JSON.', {
      cause,
    });
  }
  return new GatewayError('upstream_invalid_answer', 'The provider sent a piece of a stream that is not an event.');
}

/** The type of an event. Vendors send it in the `event` line, the payload, or both. */
export function typeOf(event: string | null, payload: Wire): string {
  return typeof payload.type === 'string' ? payload.type : (event ?? '');
}

/** Whether an event ends an item of the answer that a caller may take as its last: a text or a call. */
export function endsItem(type: string, { item }: Wire): boolean {
  return type === 'response.output_item.done' && wireOf(item).type !== 'reasoning';
}

/** The vendor's error in an event; `null` if it is not one. */
export function errorIn(event: string | null, payload: Wire): GatewayError | null {
  const type = typeOf(event, payload);
  switch (type) {
    case 'response.failed':
      return readInnerError({ error: wireOf(wireOf(payload.response).error) });
    case 'response.cancelled':
      return new GatewayError('upstream_error', 'The provider cancelled the answer.');
    case 'response.completed':
      return failureOf(wireOf(payload.response));
    default:
  }
  if (type.startsWith('response.')) return null;
  if (type === '' && !payload.error) return readUnnamedError(payload);
  if (type !== 'error' && event !== 'error' && !payload.error) return null;
  if (isWire(payload.error) || typeof payload.error === 'string') return readInnerError(payload);
  // The error's members are beside the event's own `type`.
  const { type: _, sequence_number: __, ...words } = payload;
  return readInnerError({ error: words });
}

function failureOf(response: Wire): GatewayError | null {
  return response.status === 'failed' ? readInnerError({ error: wireOf(response.error) }) : null;
}
