import type { HeaderRefs } from './headers.ts';
import { ref, type Schema } from './schema.ts';

/** The bodies of an answer or a request, by their media type. */
export type Content = Readonly<Record<string, { schema: Schema }>>;

export function answer(description: string, headers: HeaderRefs, content: Content): Record<string, unknown> {
  return { description, headers, content };
}

export function json(schema: string): Content {
  return { 'application/json': { schema: ref(schema) } };
}

export function body(schema: string): Record<string, unknown> {
  return { required: true, content: json(schema) };
}

export function query(name: string, schema: Schema, description: string): Record<string, unknown> {
  return { name, in: 'query', schema, description };
}
