import { GatewayError } from '../../core/errors.ts';
import { refusedKey } from './wanted.ts';

/** Does what the rules of keys may refuse; the refusal names the option. */
export async function withOptionNames<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof GatewayError && error.kind === 'invalid_request' ? refusedKey(error) : error;
  }
}
