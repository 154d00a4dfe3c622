import { writeFileAtomically } from './atomic-write.ts';
import { overlay } from './catalog.ts';
import { type CatalogCost, type CatalogFile, type CatalogRow, formatCatalog, readRow } from './catalog-file.ts';

/** A changed field. `before` and `after` are in the file's format; `undefined`: absent. */
export type FieldChange = { field: string; before: unknown; after: unknown };

/** The changes of an import. Models are named `vendor/id`. */
export type CatalogDiff = {
  added: { model: string; row: CatalogRow }[];
  removed: { model: string; row: CatalogRow }[];
  changed: { model: string; fields: FieldChange[] }[];
};

/** Fields that state where a row is from. They are not changes. */
const PROVENANCE: ReadonlySet<string> = new Set(['source', 'date']);

/**
 * Plans an import: the file for the data folder, and what changes for callers. Models and facts that the import lacks
 * stay; of two different rows the newer one is used. `replace`: models that the import lacks are removed, for each of
 * its vendors.
 */
export function planImport(
  shipped: CatalogFile,
  previous: CatalogFile,
  imported: CatalogFile,
  replace = false,
): { file: CatalogFile; diff: CatalogDiff } {
  const before = overlay(shipped, previous);
  const file = new Map(previous);
  for (const [vendor, rows] of imported) {
    const known = before.get(vendor) ?? new Map<string, CatalogRow>();
    const fresh = new Map(previous.get(vendor));
    for (const [id, row] of rows) {
      const next = replace ? row : mergeRows(id, known.get(id), row);
      if (!isSame(known.get(id), next)) fresh.set(id, next);
    }
    if (replace) for (const id of known.keys()) if (!rows.has(id)) fresh.set(id, removedRow(id, rows));
    if (fresh.size > 0) file.set(vendor, fresh);
  }
  return { file, diff: diffCatalog(before, overlay(shipped, file)) };
}

/** Merges two rows of a model: the newer one, and the facts that only the older one has. */
function mergeRows(id: string, known: CatalogRow | undefined, row: CatalogRow): CatalogRow {
  if (known === undefined) return row;
  const [older, newer] = row.date < known.date ? [row, known] : [known, row];
  const merged = {
    ...older,
    ...newer,
    // Lists use the id as name if they have no other name.
    name: newer.name === id ? older.name : newer.name,
    ...(newer.cost !== undefined && { cost: costOf(older.cost, newer.cost) }),
    ...(older.limit !== undefined && { limit: { ...older.limit, ...newer.limit } }),
    ...(older.modalities !== undefined && { modalities: { ...older.modalities, ...newer.modalities } }),
  };
  // `readRow` puts the members in the file's order.
  return readRow(id, merged) ?? merged;
}

/** The newer price. If its input and output rates are unchanged, other rates of the older price stay. */
function costOf(older: CatalogCost | undefined, newer: CatalogCost): CatalogCost {
  const isOne = older !== undefined && older.input === newer.input && (older.output ?? 0) === (newer.output ?? 0);
  return isOne ? { ...older, ...newer } : newer;
}

function removedRow(id: string, rows: ReadonlyMap<string, CatalogRow>): CatalogRow {
  const [{ source = '', date = '' } = {}] = [...rows.values()];
  return { name: id, removed: true, source, date };
}

/** The differences of two catalogs, by vendor and then by model. */
export function diffCatalog(before: CatalogFile, after: CatalogFile): CatalogDiff {
  const diff: CatalogDiff = { added: [], removed: [], changed: [] };
  for (const vendor of new Set([...before.keys(), ...after.keys()])) {
    const old = before.get(vendor) ?? new Map<string, CatalogRow>();
    const now = after.get(vendor) ?? new Map<string, CatalogRow>();
    for (const id of [...new Set([...old.keys(), ...now.keys()])].sort()) {
      const model = `${vendor}/${id}`;
      const [was, is] = [old.get(id), now.get(id)];
      if (was === undefined && is !== undefined) diff.added.push({ model, row: is });
      else if (was !== undefined && is === undefined) diff.removed.push({ model, row: was });
      else if (was !== undefined && is !== undefined) {
        const fields = changedFields(was, is);
        if (fields.length > 0) diff.changed.push({ model, fields });
      }
    }
  }
  return diff;
}

/** The changes for people: one line per model with old and new prices, and a last line with totals. */
export function formatDiff({ added, removed, changed }: CatalogDiff): string {
  const prices = changed.filter(({ fields }) => fields.some(({ field }) => field.startsWith('cost'))).length;
  const lines = [
    ...added.map(({ model, row }) => `+ ${model}  ${priceTag(row)}`),
    ...removed.map(({ model, row }) => `- ${model}  ${priceTag(row)}`),
    ...changed.map(({ model, fields }) => `~ ${model}  ${fields.map(describe).join(', ')}`),
    `${added.length} added, ${removed.length} removed, ${changed.length} changed (${prices} of them in price).`,
  ];
  return `${lines.join('\n')}\n`;
}

/** Writes a catalog atomically: readers see the old file or the new one. */
export function writeCatalog(path: string, file: CatalogFile): Promise<void> {
  return writeFileAtomically(path, formatCatalog(file));
}

function isSame(before: CatalogRow | undefined, after: CatalogRow): boolean {
  return before !== undefined && changedFields(before, after).length === 0;
}

function changedFields(before: CatalogRow, after: CatalogRow): FieldChange[] {
  const [was, is] = [flatten(before), flatten(after)];
  return [...new Set([...was.keys(), ...is.keys()])]
    .sort()
    .filter((field) => !PROVENANCE.has(field) && JSON.stringify(was.get(field)) !== JSON.stringify(is.get(field)))
    .map((field) => ({ field, before: was.get(field), after: is.get(field) }));
}

/** Fields by path (`cost.input`). A list is one value. */
function flatten(value: object, prefix = ''): Map<string, unknown> {
  return new Map(
    Object.entries(value).flatMap(([name, field]) =>
      typeof field === 'object' && field !== null && !Array.isArray(field)
        ? [...flatten(field, `${prefix}${name}.`)]
        : [[`${prefix}${name}`, field] as const],
    ),
  );
}

function describe({ field, before, after }: FieldChange): string {
  const show = field.startsWith('cost') ? priceText : plainText;
  return `${field} ${show(before)} → ${show(after)}`;
}

function priceText(value: unknown): string {
  return typeof value === 'number' ? `$${value}` : plainText(value);
}

function plainText(value: unknown): string {
  return value === undefined ? 'none' : typeof value === 'string' ? value : JSON.stringify(value);
}

function priceTag({ cost }: CatalogRow): string {
  return cost === undefined ? 'no price' : `${priceText(cost.input)} in, ${priceText(cost.output)} out per 1M tokens`;
}
