/** JSON that is the same for the same values: members stand in the order of their names. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  // No prototype: a member may be called `__proto__`.
  const ordered: Record<string, unknown> = Object.create(null);
  for (const [name, each] of entries) ordered[name] = sorted(each);
  return ordered;
}
