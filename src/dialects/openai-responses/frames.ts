import type { GatewayError } from '../../core/errors.ts';

/** Writes numbered events, each as one frame. */
export class Frames {
  #next: number;
  readonly #silent: boolean;

  /** `silent`: returns empty strings. */
  constructor(next = 0, silent = false) {
    this.#next = next;
    this.#silent = silent;
  }

  of(type: string, fields: object): string {
    return this.#silent ? '' : this.#frame(type, JSON.stringify(fields).slice(1));
  }

  /** An event about an item that is already JSON. */
  ofItem(type: string, index: number, item: string): string {
    return this.#silent ? '' : this.#frame(type, `"output_index":${index},"item":${item}}`);
  }

  /** An event about the response that is already JSON. */
  ofResponse(type: string, response: string): string {
    return this.#silent ? '' : this.#frame(type, `"response":${response}}`);
  }

  /**
   * The frames that end a failed stream: `error`, on which OpenAI's clients throw, and `response.failed` for clients
   * that only know responses.
   */
  failure(error: GatewayError, response: (failed: Failed) => string): string[] {
    return [this.error(error), this.ofResponse('response.failed', response(failedOf(error)))];
  }

  /** An error event in the form of OpenAI's schema and in the form on which its clients throw. */
  error({ message, type, code, param }: GatewayError): string {
    return this.of('error', { code, message, param, error: { type, code, message, param } });
  }

  #frame(type: string, rest: string): string {
    return `event: ${type}\ndata: {"type":"${type}","sequence_number":${this.#next++},${rest}\n\n`;
  }
}

/** The error frame for a stream that had no watch. */
export function errorFrame(error: GatewayError): string {
  return new Frames().error(error);
}

/** The `error` member of a response. */
export type Failed = { code: string; message: string };

/** Codes that coding agents react to. https://github.com/openai/codex/blob/main/codex-rs/codex-api/src/sse/responses.rs */
const ACTED_ON: readonly (string | null)[] = [
  'context_length_exceeded',
  'cyber_policy',
  'insufficient_quota',
  'invalid_prompt',
  'rate_limit_exceeded',
  'server_is_overloaded',
  'slow_down',
  'usage_not_included',
];

function failedOf(error: GatewayError): Failed {
  const { message, retryAfterMs } = error;
  const code = codeOf(error);
  if (code !== 'rate_limit_exceeded' || retryAfterMs === undefined || message.includes('try again in')) {
    return { code, message };
  }
  // Agents read the wait time from the message.
  return { code, message: `${message} Please try again in ${retryAfterMs / 1000}s.` };
}

function codeOf({ code, type, status, kind }: GatewayError): string {
  if (code !== null && ACTED_ON.includes(code)) return code;
  if (type === 'insufficient_quota') return 'insufficient_quota';
  if (kind === 'overloaded' || type === 'overloaded_error') return 'server_is_overloaded';
  if (status === 429) return 'rate_limit_exceeded';
  return code ?? 'server_error';
}
