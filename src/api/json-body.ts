import { GatewayError } from '../core/errors.ts';
import { parseJson } from '../json/parse.ts';

/** A request's JSON body. Throws `GatewayError` (400) if it is not JSON. */
export function jsonBody(body: unknown): unknown {
  if (!Buffer.isBuffer(body) || body.length === 0) {
    throw new GatewayError('invalid_json', 'The body must be a JSON object, but it is empty.');
  }
  try {
    return parseJson(body.toString('utf8'));
  } catch (cause) {
    throw new GatewayError('invalid_json', 'The body is not valid JSON.', { cause });
  }
}

/** Objects inherit a member of this name, so schemas leave it out without a word. */
const UNUSABLE = '__proto__';

/** A request's body as JSON, of which no member has a name that cannot be kept. Throws `GatewayError` (400) with the member's place. */
export function settingsBody(body: unknown): unknown {
  const json = jsonBody(body);
  const open: { value: unknown; place: string }[] = [{ value: json, place: '' }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, place } = next;
    if (typeof value !== 'object' || value === null) continue;
    for (const name of Object.keys(value)) {
      const param = place === '' ? name : `${place}.${name}`;
      if (name === UNUSABLE) throw new GatewayError('invalid_request', `\`${param}\` is not a usable name.`, { param });
      open.push({ value: (value as Record<string, unknown>)[name], place: param });
    }
  }
  return json;
}
