import { type APIError, InternalServerError, NotFoundError, RateLimitError } from 'openai';

/** The key, or its product, has spent what it may. The same call is refused until its period ends or the limit is raised. */
export class BudgetExceededError extends RateLimitError {}

/** No provider that is on serves a model of this name. */
export class ModelNotFoundError extends NotFoundError {
  /** Names that the key may use and that are near the one that was asked for, the nearest first; none where it does not say. */
  get near(): string[] {
    const { near } = (this.error ?? {}) as { near?: unknown };
    return Array.isArray(near) ? near.filter((name) => typeof name === 'string') : [];
  }
}

/** The gateway, or the provider behind it, has as many calls as it can take. The same call may succeed a moment later. */
export class OverloadedError extends InternalServerError {}

const OVERLOADED: readonly unknown[] = ['overloaded', 'provider_busy', 'no_target_available'];

/** The error of the gateway's own kind, where it has one; else the parent's. */
export function specific(error: APIError): APIError {
  const { status, code } = error;
  if (status === 429 && code === 'insufficient_quota') return as(BudgetExceededError, error);
  if (status === 404 && code === 'model_not_found') return as(ModelNotFoundError, error);
  if (status === 503 && OVERLOADED.includes(code)) return as(OverloadedError, error);
  return error;
}

type ErrorClass = new (status: never, error: object | undefined, message: string, headers: Headers) => APIError;

function as(Kind: ErrorClass, { status, error, message, headers }: APIError): APIError {
  return new Kind(status as never, error, message, headers!);
}
