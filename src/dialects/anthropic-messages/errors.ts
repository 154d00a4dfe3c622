import { forProgramsOf } from '../../core/error-body.ts';
import type { GatewayError } from '../../core/errors.ts';

/** Anthropic's error types by status. https://docs.anthropic.com/en/api/errors */
const TYPE_OF_STATUS = new Map([
  [401, 'authentication_error'],
  [402, 'billing_error'],
  [403, 'permission_error'],
  [404, 'not_found_error'],
  [408, 'timeout_error'],
  [413, 'request_too_large'],
  [429, 'rate_limit_error'],
  [503, 'overloaded_error'],
  [504, 'timeout_error'],
  [529, 'overloaded_error'],
]);

const TOO_LONG = 'Prompt is too long';

/** Writes an error as Anthropic's clients read it. */
export function errorBody(error: GatewayError, requestId: string | null): string {
  return JSON.stringify({
    type: 'error',
    error: { type: typeOf(error), message: messageOf(error), ...forProgramsOf(error) },
    request_id: requestId,
  });
}

/** The frame that ends a failed stream. */
export function errorFrame(error: GatewayError): string {
  return `event: error\ndata: ${errorBody(error, null)}\n\n`;
}

function typeOf({ status }: GatewayError): string {
  return TYPE_OF_STATUS.get(status) ?? (status >= 500 ? 'api_error' : 'invalid_request_error');
}

/**
 * The beginnings of Anthropic's messages to which agents react: they compact the conversation or ask for less output.
 * https://docs.anthropic.com/en/docs/build-with-claude/context-windows
 */
const KNOWN_TOO_LONG = /^(?:prompt is too long\b|input length and `max_tokens` exceed context limit\b)/i;

/**
 * The message of an error. Claude Code compacts its conversation when it reads `Prompt is too long`, so every vendor's
 * context length error starts with it, and has both numbers in Anthropic's form if the vendor reports them.
 */
function messageOf({ code, message, tooLong }: GatewayError): string {
  if (code !== 'context_length_exceeded' || KNOWN_TOO_LONG.test(message)) return message;
  if (tooLong === null || tooLong.asked <= tooLong.most) return `${TOO_LONG}: ${message}`;
  return `prompt is too long: ${tooLong.asked} tokens > ${tooLong.most} maximum (${message})`;
}
