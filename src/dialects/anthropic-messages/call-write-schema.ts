import type { Losses } from '../../core/losses.ts';
import { isObject, type Unchecked } from '../unchecked-json.ts';

/** Limits that Anthropic refuses. https://docs.anthropic.com/en/docs/build-with-claude/structured-outputs */
const LIMITS = new Set([
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
]);
/** Keywords that hold schemas by names of the caller's own. */
const NAMED = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies']);
/** Keywords that hold values, or names of the caller's own, and no schemas. */
const VALUES = new Set(['const', 'enum', 'default', 'examples', 'required', 'dependentRequired']);
const MAX_SCHEMA_DEPTH = 128;

/** What was found in a schema: limits that became text, and an object that may have members of any name. */
type Met = { limits: boolean; open: boolean };

/**
 * A schema as Anthropic accepts it for strict answers and calls: every object is closed, and limits are in
 * descriptions. `undefined` if an object is open, which Anthropic refuses. Both are reported as the given loss.
 */
export function heldSchema(
  schema: Unchecked,
  loss: 'response_format' | 'strict',
  losses: Losses,
): Unchecked | undefined {
  const met: Met = { limits: false, open: false };
  const written = writeNode(schema, 0, met);
  if (met.limits || met.open) losses.add(loss);
  return met.open ? undefined : written;
}

function writeNode(node: Unchecked, depth: number, met: Met): Unchecked {
  const limits = Object.entries(node).filter(isLimit);
  const rest = Object.entries(node).filter((entry) => !isLimit(entry));
  const written: Record<string, unknown> = Object.fromEntries(
    rest.map(([name, value]) => [name, writeMember(name, value, depth + 1, met)]),
  );
  const { additionalProperties } = node;
  if (additionalProperties === undefined && node.type === 'object') written.additionalProperties = false;
  if (additionalProperties !== undefined && additionalProperties !== false) met.open = true;
  if (limits.length > 0) {
    met.limits = true;
    written.description = withLimits(node.description, limits);
  }
  return written;
}

/** Whether a keyword is a limit that Anthropic refuses. It accepts `minItems` of 0 and 1. */
function isLimit([name, value]: readonly [string, unknown]): boolean {
  return LIMITS.has(name) || (name === 'minItems' && value !== 0 && value !== 1);
}

function withLimits(description: unknown, limits: readonly (readonly [string, unknown])[]): string {
  const words = `{${limits.map(([name, value]) => `${name}: ${JSON.stringify(value)}`).join(', ')}}`;
  return typeof description === 'string' && description !== '' ? `${description}\n\n${words}` : words;
}

function writeMember(name: string, value: unknown, depth: number, met: Met): unknown {
  if (VALUES.has(name)) return value;
  if (!NAMED.has(name) || !isObject(value) || depth > MAX_SCHEMA_DEPTH) return writeInner(value, depth, met);
  return Object.fromEntries(Object.entries(value).map(([each, inner]) => [each, writeInner(inner, depth + 1, met)]));
}

/** A schema, or a list of them; anything else is left as it is. */
function writeInner(value: unknown, depth: number, met: Met): unknown {
  if (depth > MAX_SCHEMA_DEPTH) return value;
  if (Array.isArray(value)) return value.map((each) => writeInner(each, depth + 1, met));
  return isObject(value) ? writeNode(value, depth, met) : value;
}
