import type { GatewayError, VendorDetails } from './errors.ts';

/** The error body that OpenAI's clients read: all four fields, always; and what else programs read, where there is something. */
export function openAiErrorBody(error: GatewayError): string {
  const { message, type, param, code } = error;
  return JSON.stringify({ error: { message, type, param, code, ...forProgramsOf(error) } });
}

/** What programs read instead of the message, of any dialect's error: its details, and the names that may have been meant. */
export function forProgramsOf({ details, near }: GatewayError): { details?: VendorDetails; near?: readonly string[] } {
  return { ...(details !== null && { details }), ...(near !== null && { near }) };
}
