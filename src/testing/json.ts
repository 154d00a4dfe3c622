/** The value at a path in any JSON; `undefined` if it is missing. */
export function field(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, name) => {
    return typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>)[name] : undefined;
  }, value);
}
