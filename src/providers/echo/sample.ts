import { objectOf } from './reply.ts';

/** The largest depth of a sample and the most values: a schema may refer to itself. */
export const MAX_SAMPLE_DEPTH = 16;
export const MAX_SAMPLE_VALUES = 1_000;

/** The most characters of the caller's text in each string of a sample. */
export const MAX_SAMPLE_TEXT = 4_096;

/**
 * The simplest value for a JSON Schema: strings are the given text, numbers are 0, lists are empty, of alternatives the
 * first is used, objects have only required properties. Lengths, ranges and patterns are ignored.
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

/** Resolves a reference within the schema (`#/$defs/step`). */
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
