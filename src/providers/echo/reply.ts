import type { Clock } from '../../core/ports.ts';

/** An answer of the echo. The pieces of the body are made on demand. */
export type EchoReply = { status: number; contentType: string; pieces: Iterable<string> };

/** Time and ids, injected for tests. `id` returns unique letters and digits. */
export type EchoSources = { clock: Clock; id(): string };

export const JSON_TYPE = 'application/json';

/** The refusal of an invalid request, in OpenAI's format. */
export class EchoRefusal extends Error {
  readonly status: number;
  readonly param: string | null;
  readonly code: string | null;

  constructor(status: number, message: string, param: string | null, code: string | null) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.param = param;
    this.code = code;
  }

  reply(): EchoReply {
    const { message, param, code } = this;
    return whole({ error: { message, type: 'invalid_request_error', param, code } }, this.status);
  }
}

/** A complete JSON answer. */
export function whole(body: object, status = 200): EchoReply {
  return { status, contentType: JSON_TYPE, pieces: [JSON.stringify(body)] };
}

/** 400 for a field with an invalid value. */
export function badValue(param: string, expected: string): EchoRefusal {
  return new EchoRefusal(400, `Invalid value for '${param}': expected ${expected}.`, param, 'invalid_value');
}

/** 400 for a missing required field. */
export function missing(param: string): EchoRefusal {
  return new EchoRefusal(400, `Missing required parameter: '${param}'.`, param, 'missing_required_parameter');
}

/** 404 for a model that does not exist, or not on this path. */
export function unknownModel(model: string): EchoRefusal {
  const message = `The model \`${model}\` does not exist or you do not have access to it.`;
  return new EchoRefusal(404, message, null, 'model_not_found');
}

/** The value as an object with unknown fields; `null` if it is not an object. */
export function objectOf(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}

/** An integer within bounds; `null` if the field is absent or null. Throws an `EchoRefusal`. */
export function wholeNumber(
  body: Record<string, unknown>,
  field: string,
  least: number,
  most = Number.MAX_SAFE_INTEGER,
): number | null {
  const value = body[field] ?? null;
  if (value === null) return null;
  if (Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most) return value as number;
  const bounds = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  throw badValue(field, `a whole number ${bounds}`);
}
