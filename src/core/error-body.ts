import type { GatewayError, VendorDetails } from './errors.ts';

/** The error body for OpenAI's clients: always all four fields, plus members for programs, if any. */
export function openAiErrorBody(error: GatewayError): string {
  return openAiErrorBodyWith(error, {});
}

/** The same with further members. */
export function openAiErrorBodyWith(error: GatewayError, more: object): string {
  const { message, type, param, code } = error;
  return JSON.stringify({ error: { message, type, param, code, ...forProgramsOf(error), ...more } });
}

/** The members for programs in any dialect's error: details, and suggested names. */
export function forProgramsOf({ details, near }: GatewayError): { details?: VendorDetails; near?: readonly string[] } {
  return { ...(details !== null && { details }), ...(near !== null && { near }) };
}
