import type { AnswerFormat, Tool } from '../core/call.ts';
import type { Losses } from '../core/losses.ts';
import type { Quirks } from '../core/quirks.ts';
import { isObject, type Unchecked } from './unchecked-json.ts';

/**
 * What OpenAI and Azure both take of a schema that is `strict`; with anything else they refuse the call.
 * https://platform.openai.com/docs/guides/structured-outputs#supported-schemas,
 * https://learn.microsoft.com/azure/ai-services/openai/how-to/structured-outputs#json-schema-support-and-limitations
 */
const TAKEN = new Set([
  '$schema',
  '$defs',
  'definitions',
  'title',
  'description',
  'type',
  'enum',
  'const',
  'anyOf',
  'properties',
  'required',
  'additionalProperties',
  'items',
]);
const TYPES = new Set<unknown>(['string', 'number', 'integer', 'boolean', 'null', 'object', 'array']);
const MAX_DEPTH = 5;
const MAX_PROPERTIES = 100;
const MAX_ENUM = 500;

/** What was counted in a schema. */
type StrictCount = { properties: number; values: number };

/**
 * The value of `strict`. For a caller whose format is always strict it is set where the vendor accepts it, and reported
 * where not. A value that the caller set itself is passed on.
 */
export function strictOf(
  { schema, strict, held }: Extract<AnswerFormat, { kind: 'schema' }>,
  { strictSchemas }: Quirks,
  losses: Losses,
): boolean | undefined {
  if (strict !== undefined || held !== true || strictSchemas !== true) return strict;
  if (mayBeStrict(schema)) return true;
  losses.add('strict');
  return undefined;
}

/**
 * The value of `strict` for a function. It is omitted and reported if the vendor would refuse the schema, or if the
 * written schema does not say everything (`isWhole`).
 */
export function strictOfFunction(
  { parameters, strict, held }: Extract<Tool, { kind: 'function' }>,
  isWhole: boolean,
  { strictSchemas }: Quirks,
  losses: Losses,
): boolean | undefined {
  if (strict !== true) return strict;
  if (isWhole && (held !== true || strictSchemas !== true || mayBeStrict(parameters ?? {}))) return strict;
  losses.add('strict');
  return undefined;
}

/** Whether a schema may be sent with `strict: true`: every object is closed, and all its properties are required. */
export function mayBeStrict(schema: Unchecked): boolean {
  const counted: StrictCount = { properties: 0, values: 0 };
  const fits = schema.type === 'object' && schema.anyOf === undefined && isTaken(schema, 0, counted);
  return fits && counted.properties <= MAX_PROPERTIES && counted.values <= MAX_ENUM;
}

function isTaken(node: unknown, depth: number, counted: StrictCount): boolean {
  if (!isObject(node) || depth > MAX_DEPTH) return false;
  const { $ref, type, anyOf } = node;
  // Nothing may stand beside a reference.
  if ($ref !== undefined) return typeof $ref === 'string' && $ref.startsWith('#') && Object.keys(node).length === 1;
  if (!Object.keys(node).every((name) => TAKEN.has(name))) return false;
  if (Array.isArray(node.enum)) counted.values += node.enum.length;
  const inner = (each: unknown) => isTaken(each, depth + 1, counted);
  if (![node.$defs, node.definitions].every((named) => Object.values(named ?? {}).every(inner))) return false;
  if (anyOf !== undefined) return type === undefined && Array.isArray(anyOf) && anyOf.every(inner);
  const types: unknown[] = Array.isArray(type) ? type : [type];
  if (!types.every((each) => TYPES.has(each))) return false;
  if (types.includes('object') && !isClosed(node, counted)) return false;
  if (!Object.values(node.properties ?? {}).every(inner)) return false;
  return !types.includes('array') || inner(node.items);
}

function isClosed({ properties, required, additionalProperties }: Unchecked, counted: StrictCount): boolean {
  if (additionalProperties !== false || !isObject(properties) || !Array.isArray(required)) return false;
  const names = Object.keys(properties);
  counted.properties += names.length;
  const wanted = new Set<unknown>(required);
  return names.length === wanted.size && names.every((name) => wanted.has(name));
}
