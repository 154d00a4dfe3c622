/** What stands at a path in JSON of any shape; `undefined` where nothing does. */
export function field(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, name) => {
    return typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>)[name] : undefined;
  }, value);
}
