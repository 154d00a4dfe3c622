import { utcDay } from '../core/utc-day.ts';
import type { CatalogFile } from './catalog-file.ts';
import { readImport } from './formats/read.ts';
import { type CatalogDiff, planImport, writeCatalog } from './import.ts';
import { type Download, readSource, SOURCE_LIMITS } from './source.ts';

/** How often a list of models and prices is read again, in ms, and where it is: an address or a path. */
export type RefreshSettings = { everyMs: number; source: string };

export type CatalogRefreshParts = {
  /** The catalog that ships, the one that was imported, and where that is kept. */
  files(): { shipped: CatalogFile; imported: CatalogFile; path: string };
  download: Download;
  /** The catalog's file is another one now. */
  onChange(diff: CatalogDiff): void;
  /** A round changed nothing, since something is wrong. */
  onError(error: unknown): void;
};

/** Imports a list of models and prices by itself, as `headgate catalog import` does: merged, and whole or not at all. */
export class CatalogRefresh {
  readonly #parts: CatalogRefreshParts;
  #settings: RefreshSettings | null = null;
  #timer: NodeJS.Timeout | null = null;
  /** Gives up what is under way. */
  #abort = new AbortController();

  constructor(parts: CatalogRefreshParts) {
    this.#parts = parts;
  }

  /** From now on by these settings: at once, if they are others than before. `null`: not any more. */
  follow(settings: RefreshSettings | null): void {
    const before = this.#settings;
    if (settings?.everyMs === before?.everyMs && settings?.source === before?.source) return;
    this.stop();
    this.#settings = settings;
    if (settings !== null) void this.#go(settings);
  }

  /** A list that is on its way is let go. */
  stop(): void {
    this.#settings = null;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#abort.abort();
    this.#abort = new AbortController();
  }

  async #go(settings: RefreshSettings): Promise<void> {
    try {
      await this.#bringUpToDate(settings);
    } catch (error) {
      if (this.#settings === settings) this.#parts.onError(error);
    }
    if (this.#settings !== settings) return;
    this.#timer = setTimeout(() => void this.#go(settings), settings.everyMs).unref();
  }

  async #bringUpToDate(settings: RefreshSettings): Promise<void> {
    const { source } = settings;
    const { signal } = this.#abort;
    const { text, writtenAt, name } = await readSource(source, this.#parts.download, { ...SOURCE_LIMITS, signal });
    const date = utcDay(writtenAt);
    const read = readImport(text, { source: name, date });
    const { shipped, imported, path } = this.#parts.files();
    const { file, diff } = planImport(shipped, imported, read.file);
    if (this.#settings !== settings || diff.added.length + diff.changed.length + diff.removed.length === 0) return;
    await writeCatalog(path, file);
    this.#parts.onChange(diff);
  }
}
