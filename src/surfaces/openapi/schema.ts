/** A JSON Schema (2020-12), as OpenAPI 3.1 uses it. */
export type Schema = Readonly<Record<string, unknown>>;

type Properties = Readonly<Record<string, Schema>>;

export const STRING = { type: 'string' };
export const BOOLEAN = { type: 'boolean' };
export const NUMBER = { type: 'number' };
/** A count of tokens, attempts or milliseconds. */
export const COUNT = { type: 'integer', minimum: 0 };
export const SECONDS = { type: 'integer', description: 'Unix time in seconds.' };

/** An object whose members always stand, but for those in `optional`. */
export function object(properties: Properties, optional: Properties = {}): Schema {
  return { type: 'object', properties: { ...properties, ...optional }, required: Object.keys(properties) };
}

/** An object that a vendor may add members to, or that passes to one. */
export function openObject(properties: Properties, optional: Properties = {}): Schema {
  return { ...object(properties, optional), additionalProperties: true };
}

export function list(items: Schema): Schema {
  return { type: 'array', items };
}

/** OpenAI's wrapper of a list. */
export function listObject(items: Schema, more: Properties = {}): Schema {
  return object({ object: { const: 'list' }, data: list(items), ...more });
}

export function oneOf(...values: readonly string[]): Schema {
  return { type: 'string', enum: values };
}

export function orNull(schema: Schema): Schema {
  const NULL = { type: 'null' };
  return Array.isArray(schema.anyOf) ? { ...schema, anyOf: [...schema.anyOf, NULL] } : { anyOf: [schema, NULL] };
}

export function described(schema: Schema, description: string): Schema {
  return { ...schema, description };
}

/** A schema of the components, by its name. */
export function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}
