import { GatewayError } from '../core/errors.ts';
import { parseJson } from '../json/parse.ts';

/** A request's body as JSON. Throws `GatewayError` (400) where it is none. */
export function jsonBody(body: unknown): unknown {
  if (!Buffer.isBuffer(body) || body.length === 0) {
    throw new GatewayError('invalid_json', 'The body must be a JSON object; it is empty.');
  }
  try {
    return parseJson(body.toString('utf8'));
  } catch (cause) {
    throw new GatewayError('invalid_json', 'The body is not valid JSON.', { cause });
  }
}
