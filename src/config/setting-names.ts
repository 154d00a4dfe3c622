import type { Path } from './problems.ts';
import { configSchema } from './schema.ts';

/** The subset of JSON Schema that is read here. */
type JsonSchema = {
  $ref?: string;
  definitions?: Record<string, JsonSchema>;
  properties?: Record<string, JsonSchema>;
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  allOf?: JsonSchema[];
};

let root: JsonSchema | undefined;

/**
 * The paths of all settings of the file: `*` stands for a name that the operator chooses, `[]` for a list item.
 * Recursive settings are listed to their first level.
 */
export function settings(): string[][] {
  root ??= configSchema();
  return settingsIn(root, [], []);
}

/** The names of the settings that may stand in the map at this path. */
export function settingsWithin(path: Path): string[] {
  root ??= configSchema();
  const here = path.reduce<JsonSchema[]>((schemas, step) => schemas.flatMap((each) => below(each, step)), [root]);
  return here.flatMap(alternatives).flatMap(({ properties = {} }) => Object.keys(properties));
}

/** The schemas one step below another. */
function below(schema: JsonSchema, step: string | number): JsonSchema[] {
  return alternatives(schema).flatMap(({ properties, additionalProperties, items }) => {
    if (typeof step === 'number') return items ?? [];
    return properties?.[step] ?? (typeof additionalProperties === 'object' ? additionalProperties : []);
  });
}

/** A schema and everything that it refers to. */
function alternatives(schema: JsonSchema): JsonSchema[] {
  const { $ref, anyOf = [], allOf = [] } = schema;
  return [schema, ...[...anyOf, ...allOf, ...($ref === undefined ? [] : [definition($ref)])].flatMap(alternatives)];
}

function definition(reference: string): JsonSchema {
  return root!.definitions![reference.replace('#/definitions/', '')]!;
}

/** @param open the definitions on the path to this schema, to stop recursion */
function settingsIn(schema: JsonSchema, path: string[], open: readonly string[]): string[][] {
  const { $ref, properties = {}, additionalProperties, items, anyOf = [], allOf = [] } = schema;
  if ($ref !== undefined) {
    return open.includes($ref) ? [] : settingsIn(definition($ref), path, [...open, $ref]);
  }
  const named = Object.entries(properties).flatMap(([name, each]) => {
    const here = [...path, name];
    return [here, ...settingsIn(each, here, open)];
  });
  const free = typeof additionalProperties === 'object' ? settingsIn(additionalProperties, [...path, '*'], open) : [];
  const listed = items === undefined ? [] : settingsIn(items, [...path, '[]'], open);
  return [...named, ...free, ...listed, ...[...anyOf, ...allOf].flatMap((each) => settingsIn(each, path, open))];
}
