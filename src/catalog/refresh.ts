import { utcDay } from '../core/utc-day.ts';
import type { CatalogFile } from './catalog-file.ts';
import { readImport } from './formats/read.ts';
import { type CatalogDiff, planImport, writeCatalog } from './import.ts';
import { type Download, readSource, SOURCE_LIMITS } from './source.ts';

/** The interval in ms at which a list of models and prices is read, and its address or path. */
export type RefreshSettings = { everyMs: number; source: string };

export type CatalogRefreshParts = {
  /** The shipped catalog, the imported one, and the path of the latter. */
  files(): { shipped: CatalogFile; imported: CatalogFile; path: string };
  download: Download;
  /** Called after a change of the catalog's file. */
  onChange(diff: CatalogDiff): void;
  /** Called if a round failed, and changed nothing. */
  onError(error: unknown): void;
};

/**
 * Imports a list of models and prices repeatedly, as `headgate catalog import` does: merged, completely or not at all.
 */
export class CatalogRefresh {
  readonly #parts: CatalogRefreshParts;
  #settings: RefreshSettings | null = null;
  #timer: NodeJS.Timeout | null = null;
  /** Aborts the download in progress. */
  #abort = new AbortController();

  constructor(parts: CatalogRefreshParts) {
    this.#parts = parts;
  }

  /** Applies new settings; if they differ, a round starts at once. `null`: stops. */
  follow(settings: RefreshSettings | null): void {
    const before = this.#settings;
    if (settings?.everyMs === before?.everyMs && settings?.source === before?.source) return;
    this.stop();
    this.#settings = settings;
    if (settings !== null) void this.#go(settings);
  }

  /** Stops. A download in progress is aborted. */
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
