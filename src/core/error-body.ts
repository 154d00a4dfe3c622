import type { GatewayError } from './errors.ts';

/** The error body that OpenAI's clients read: all four fields, always; and `near`, where a name is not known. */
export function openAiErrorBody(error: GatewayError): string {
  const { message, type, param, code } = error;
  return JSON.stringify({ error: { message, type, param, code, ...nearOf(error) } });
}

/** What programs read instead of the message, of any dialect's error: the names that may have been meant. */
export function nearOf({ near }: GatewayError): { near?: readonly string[] } {
  return near === null ? {} : { near };
}
