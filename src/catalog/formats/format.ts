import { PRESETS } from '../../providers/presets.ts';
import type { CatalogFile, CatalogRow } from '../catalog-file.ts';

/** Who says what a file says, and since which day (ISO). */
export type Stamp = { source: string; date: string };

/** What was read from a file of others' facts about models, and what of it was left out. */
export type Import = {
  file: CatalogFile;
  /** Vendors that no preset of ours stands for, and how many models they have together. */
  unknownVendors: string[];
  unknownModels: number;
  /** Models (`vendor/id`) whose price has a part that cannot be billed: they are kept without a price. */
  unpriced: string[];
};

/** Whether a preset of ours stands for a vendor of the catalog. */
export function isKnownVendor(vendor: string): boolean {
  return PRESETS.some(({ catalog }) => catalog === vendor);
}

/** The vendors in the order of the presets and models by name, so that files of different days compare well. */
export function inOrder(byVendor: ReadonlyMap<string, ReadonlyMap<string, CatalogRow>>): CatalogFile {
  const vendors = [...new Set(PRESETS.flatMap(({ catalog }) => catalog ?? []))];
  return new Map(
    vendors.flatMap((vendor) => {
      const rows = byVendor.get(vendor);
      return rows === undefined ? [] : [[vendor, new Map([...rows].sort(([a], [b]) => (a < b ? -1 : 1)))] as const];
    }),
  );
}
