import type { GatewayError } from './errors.ts';

/** The error body that OpenAI's clients read: all four fields, always. */
export function openAiErrorBody(error: GatewayError): string {
  return JSON.stringify({
    error: { message: error.message, type: error.type, param: error.param, code: error.code },
  });
}
