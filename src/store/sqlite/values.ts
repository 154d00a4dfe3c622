import { type RawBuilder, sql } from 'kysely';

/** Any number of texts to compare with (`in`): the statement binds them as one, since those that it may bind have an end. */
export function valuesOf(values: Iterable<string>): RawBuilder<string> {
  return sql<string>`(select value from json_each(${JSON.stringify([...values])}))`;
}
