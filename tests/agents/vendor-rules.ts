import { field } from '../../src/testing/json.ts';

type Json = Readonly<Record<string, unknown>>;

/** Vendors of chat whose rules go beyond those of the format, as the tables of facts have them. */
export const STRICT_VENDORS = ['gemini', 'mistral'] as const;
export type StrictVendor = (typeof STRICT_VENDORS)[number];

/** What a vendor refuses beyond the rules of its format, which the fake vendor has; `null` where it takes the call. */
export function faultOf(body: unknown, vendor?: StrictVendor): string | null {
  return vendor === undefined ? null : RULES[vendor](body);
}

const RULES: Readonly<Record<StrictVendor, (body: unknown) => string | null>> = { gemini, mistral };

/** Names and schemas as OpenAPI has them: `src/providers/tool-rules.ts`. */
function gemini(body: unknown): string | null {
  for (const tool of list(body, 'tools')) {
    const name = String(field(tool, 'function', 'name'));
    if (!/^[a-zA-Z_][\w-]{0,63}$/.test(name)) return `the name ${name}`;
    const schema = field(tool, 'function', 'parameters');
    const why = schema === undefined ? null : schemaFault(schema);
    if (why !== null) return `the schema of ${name}: ${why}`;
    if (schema !== undefined && Object.keys((field(schema, 'properties') ?? {}) as Json).length === 0) {
      return `the schema of ${name} has no properties`;
    }
  }
  return null;
}

const NOT_OPENAPI = ['$ref', '$schema', '$defs', 'const', 'oneOf', 'allOf', 'patternProperties', 'propertyNames'];

function schemaFault(schema: unknown): string | null {
  if (typeof schema !== 'object' || schema === null) return `${String(schema)} is no schema`;
  const { type, anyOf, properties, items } = schema as Json;
  if (Array.isArray(type)) return 'a list of types';
  if (type !== undefined && anyOf !== undefined) return 'a type beside a union';
  const word = NOT_OPENAPI.find((name) => name in schema);
  if (word !== undefined) return word;
  const inner = [...Object.values((properties ?? {}) as Json), ...((anyOf ?? []) as unknown[])];
  return [...inner, ...(items === undefined ? [] : [items])].map(schemaFault).find((why) => why !== null) ?? null;
}

/** Ids of nine letters and digits, no user turn behind a result, and no name that it does not know. */
function mistral(body: unknown): string | null {
  const unknown = ['stream_options', 'logit_bias', 'logprobs', 'seed', 'user'].find(
    (name) => field(body, name) !== undefined,
  );
  if (unknown !== undefined) return unknown;
  const messages = list(body, 'messages');
  const turn = messages.findIndex(({ role }, index) => role === 'user' && messages[index - 1]?.role === 'tool');
  if (turn !== -1) return `messages[${turn}] of a user behind a result`;
  const ids = messages.flatMap((message) => [message.tool_call_id, ...list(message, 'tool_calls').map(({ id }) => id)]);
  const odd = ids.find((id) => id !== undefined && !/^[a-zA-Z0-9]{9}$/.test(String(id)));
  return odd === undefined ? null : `the id ${String(odd)}`;
}

function list(value: unknown, name: string): readonly Json[] {
  const found = field(value, name);
  return Array.isArray(found) ? (found as Json[]) : [];
}
