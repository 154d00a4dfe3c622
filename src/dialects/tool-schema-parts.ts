import { listOf, objectOf, type Unchecked } from './unchecked-json.ts';

export type WrittenSchema = Record<string, unknown>;

const NUMBER_FORMATS = new Set<unknown>(['float', 'double', 'int32', 'int64']);

export function isNumberFormat({ type, format }: Unchecked): boolean {
  return (type === 'number' || type === 'integer') && NUMBER_FORMATS.has(format);
}

/** Limits that were switches beside another one, and the limit that each was beside. */
const EXCLUSIVE = [
  ['exclusiveMinimum', 'minimum'],
  ['exclusiveMaximum', 'maximum'],
] as const;

/** Keywords of drafts 3 to 7 as draft 2020-12 has them. */
export function ofThisDraft(node: Unchecked): Unchecked {
  const written: WrittenSchema = { ...node };
  for (const [exclusive, limit] of EXCLUSIVE) {
    if (typeof node[exclusive] !== 'boolean') continue;
    delete written[exclusive];
    if (node[exclusive] !== true || typeof node[limit] !== 'number') continue;
    delete written[limit];
    written[exclusive] = node[limit];
  }
  if (Array.isArray(node.items)) {
    const { additionalItems } = node;
    delete written.items;
    delete written.additionalItems;
    written.prefixItems = node.items;
    if (additionalItems !== undefined) written.items = additionalItems;
  }
  if (typeof node.required === 'boolean') delete written.required;
  const needed = Object.entries(objectOf(node.properties)).filter(([, each]) => objectOf(each).required === true);
  if (needed.length > 0) written.required = [...new Set([...listOf(node.required), ...needed.map(([name]) => name)])];
  return written;
}

/** A list of types as a union, or as one type that may be null. */
export function withoutTypeList(node: WrittenSchema, types: readonly unknown[]): WrittenSchema {
  const { type: _, ...rest } = node;
  const some = types.filter((each) => each !== 'null');
  const nullable = some.length < types.length && { nullable: true };
  if (some.length === 1) return { ...rest, type: some[0], ...nullable };
  const { items, properties, required, description, ...common } = rest;
  return {
    ...(description !== undefined && { description }),
    ...nullable,
    anyOf: some.map((type) => ({
      ...common,
      type,
      ...(type === 'array' && { items: items ?? {} }),
      ...(type === 'object' && properties !== undefined && { properties, ...(required !== undefined && { required }) }),
    })),
  };
}

/** The root with what its branches may hold. A property that differs between branches may be as in any of them. */
export function withBranches(root: Unchecked, branches: readonly Unchecked[]): Unchecked {
  const forms = new Map<string, Map<string, unknown>>();
  for (const { properties } of branches) {
    for (const [name, schema] of Object.entries(objectOf(properties))) {
      const known = forms.get(name) ?? new Map<string, unknown>();
      forms.set(name, known.set(JSON.stringify(schema), schema));
    }
  }
  const all = [...forms].map(([name, some]): [string, unknown] => [name, joined([...some.values()])]);
  const [first, ...rest] = branches.map(({ required }) => listOf(required));
  const always = (first ?? []).filter((name) => rest.every((names) => names.includes(name)));
  const required = [...new Set([...listOf(root.required), ...always])];
  return {
    ...root,
    properties: { ...Object.fromEntries(all), ...objectOf(root.properties) },
    ...(required.length > 0 && { required }),
  };
}

function joined(schemas: readonly unknown[]): unknown {
  if (schemas.length === 1) return schemas[0];
  const consts = schemas.map((schema) => objectOf(schema).const);
  if (consts.every((value) => typeof value === 'string')) return { type: 'string', enum: consts };
  return { anyOf: schemas };
}
