import type { Path } from './problems.ts';
import { configSchema } from './schema.ts';

let known: readonly string[][] | undefined;

/**
 * Every setting of the file, as the steps to it: `*` stands for a name that the operator chooses, `[]` for an item of
 * a list.
 */
export function settings(): readonly string[][] {
  known ??= settingsIn(configSchema(), []);
  return known;
}

/** The names of the settings that may stand in the map at this path. */
export function settingsWithin(path: Path): string[] {
  const leadsHere = (step: string, index: number): boolean => {
    const here = path[index];
    return step === here || step === (typeof here === 'number' ? '[]' : '*');
  };
  const within = settings().filter((steps) => steps.length === path.length + 1 && steps.slice(0, -1).every(leadsHere));
  return within.map((steps) => steps.at(-1)!);
}

/** As much of a JSON schema as is walked here. */
type JsonSchema = {
  properties?: Record<string, JsonSchema>;
  additionalProperties?: JsonSchema | boolean;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
};

function settingsIn(schema: JsonSchema, path: string[]): string[][] {
  const { properties = {}, additionalProperties, items, anyOf = [] } = schema;
  const named = Object.entries(properties).flatMap(([name, each]) => {
    const here = [...path, name];
    return [here, ...settingsIn(each, here)];
  });
  const free = typeof additionalProperties === 'object' ? settingsIn(additionalProperties, [...path, '*']) : [];
  const listed = items === undefined ? [] : settingsIn(items, [...path, '[]']);
  return [...named, ...free, ...listed, ...anyOf.flatMap((each) => settingsIn(each, path))];
}
