import { objectOf } from './reply.ts';

/** How deep a sample goes and how many values it has: a schema may refer to itself. */
export const MAX_SAMPLE_DEPTH = 16;
export const MAX_SAMPLE_VALUES = 1_000;

/** Each string of a sample has at most this many characters of the caller's text. */
export const MAX_SAMPLE_TEXT = 4_096;

/**
 * A value that fits a JSON Schema, as simple as can be: every string is the given text, numbers are 0, lists are empty,
 * choices take their first, objects have their required properties only. Lengths, ranges and patterns are not heeded.
 */
export function sample(schema: unknown, text: string): unknown {
  const budget = { values: MAX_SAMPLE_VALUES };
  return fill(schema, { root: schema, text: text.slice(0, MAX_SAMPLE_TEXT), budget }, 0);
}

type Filling = { root: unknown; text: string; budget: { values: number } };

function fill(schema: unknown, filling: Filling, depth: number): unknown {
  filling.budget.values -= 1;
  if (depth > MAX_SAMPLE_DEPTH || filling.budget.values < 0) return null;
  const rules = objectOf(schema);
  if (rules === null) return filling.text;
  if (typeof rules.$ref === 'string') return fill(follow(filling.root, rules.$ref), filling, depth + 1);
  if (rules.const !== undefined) return rules.const;
  if (Array.isArray(rules.enum)) return rules.enum[0] ?? null;
  for (const choices of [rules.anyOf, rules.oneOf, rules.allOf]) {
    if (Array.isArray(choices) && choices.length > 0) return fill(choices[0], filling, depth + 1);
  }
  switch (Array.isArray(rules.type) ? rules.type[0] : (rules.type ?? (rules.properties ? 'object' : 'string'))) {
    case 'object':
      return fillObject(rules, filling, depth);
    case 'array':
      return [];
    case 'number':
    case 'integer':
      return 0;
    case 'boolean':
      return false;
    case 'null':
      return null;
    default:
      return filling.text;
  }
}

function fillObject(rules: Record<string, unknown>, filling: Filling, depth: number): Record<string, unknown> {
  const properties = objectOf(rules.properties) ?? {};
  const required = Array.isArray(rules.required) ? rules.required.filter((name) => typeof name === 'string') : [];
  return Object.fromEntries(
    required.slice(0, Math.max(filling.budget.values, 0)).map((name) => {
      const rule = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return [name, fill(rule, filling, depth + 1)] as const;
    }),
  );
}

/** What a reference within the same schema (`#/$defs/step`) leads to. */
function follow(root: unknown, reference: string): unknown {
  if (!reference.startsWith('#')) return undefined;
  let place: unknown = root;
  for (const step of reference.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    const here = objectOf(place);
    place = here !== null && Object.hasOwn(here, name) ? here[name] : undefined;
  }
  return place;
}
