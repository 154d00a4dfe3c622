import { PRESETS } from '../../providers/presets.ts';
import type { CatalogFile, CatalogRow } from '../catalog-file.ts';

/** The source of a file's facts, and the ISO date from which they are valid. */
export type Stamp = { source: string; date: string };

/** The models and prices that were read from another publisher's file, and what was left out. */
export type Import = {
  file: CatalogFile;
  /** Vendors without a preset, and the number of their models. */
  unknownVendors: string[];
  unknownModels: number;
  /** Models (`vendor/id`) whose price has a part that cannot be billed. They have no price. */
  unpriced: string[];
};

/** True if a preset stands for the vendor. */
export function isKnownVendor(vendor: string): boolean {
  return PRESETS.some(({ catalog }) => catalog === vendor);
}

/** Vendors in the order of the presets and models by name, so that files of different days can be compared. */
export function inOrder(byVendor: ReadonlyMap<string, ReadonlyMap<string, CatalogRow>>): CatalogFile {
  const vendors = [...new Set(PRESETS.flatMap(({ catalog }) => catalog ?? []))];
  return new Map(
    vendors.flatMap((vendor) => {
      const rows = byVendor.get(vendor);
      return rows === undefined ? [] : [[vendor, new Map([...rows].sort(([a], [b]) => (a < b ? -1 : 1)))] as const];
    }),
  );
}
