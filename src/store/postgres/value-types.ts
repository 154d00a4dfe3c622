import pg from 'pg';

const { builtins } = pg.types;
const bytesOf = pg.types.getTypeParser(builtins.BYTEA) as (text: string) => Buffer;

/** All integers are BigInts, as they are of the other engine; a sum of `bigint` is `numeric`, and has no fraction. */
const PARSERS: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [builtins.INT2, BigInt],
  [builtins.INT4, BigInt],
  [builtins.INT8, BigInt],
  [builtins.NUMERIC, BigInt],
  [builtins.FLOAT4, Number],
  [builtins.FLOAT8, Number],
  [builtins.BOOL, (text) => text === 't'],
  [builtins.BYTEA, (text) => new Uint8Array(bytesOf(text))],
]);

/** How values of our own connections are read. The driver's global parsers are everybody's, and stay as they are. */
export const VALUE_TYPES: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number) => PARSERS.get(oid) ?? String) as pg.CustomTypesConfig['getTypeParser'],
};
