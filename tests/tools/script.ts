/** A tool that the model calls: a function with its arguments, or a custom tool with its text. */
export type ScriptedCall = { name: string; input: Readonly<Record<string, unknown>> | string };

/** What the model does: thinks, calls a tool once, and says its last words when it has the result. */
export type Script = { reasoning: string; call: ScriptedCall; text: string };

export type Turn = { reasoning: string; call: ScriptedCall } | { text: string };

/** Of the one call: where it stands in a conversation, the tool has run. */
export const CALL_ID = 'call_scripted_1';
/** The proof of the reasoning, in dialects that have one: it is to come back with the tool's result. */
export const SEAL = 'c2VhbCBvZiBhIHNjcmlwdGVkIG1vZGVs';
/** 2026-01-01 */
export const CREATED = 1_767_225_600;
export const INPUT_TOKENS = 900;
export const OUTPUT_TOKENS = 30;

/** As vendors stream: a few characters at a time. */
export function pieces(text: string): readonly string[] {
  return text.match(/.{1,12}/gsu) ?? [];
}

/** A server-sent event that bears its type as its name. */
export function namedFrame(event: { readonly type: string; readonly [member: string]: unknown }): Buffer {
  return Buffer.from(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}
