import type { Route } from '../../core/route.ts';
import type { KeptRoute, RouteStore } from '../../core/route-store.ts';

/** The polling interval for changed routes. */
export const POLL_MS = 500;

/** Reads a definition beside the other ids: the route, or its fault. */
export type ReadDefinition = (id: string, definition: unknown, others: readonly string[]) => Route | string;

/** The environment of stored routes: the ids of the configuration, and how definitions are read under it. */
export type Beside = { taken: ReadonlySet<string>; read: ReadDefinition };

export type StoredRoutesParts = {
  store: Pick<RouteStore, 'list' | 'changes'>;
  /** Called when stored routes have changed. */
  onChange(): void;
  /** Called after each failed poll. */
  onError(error: unknown): void;
  /** Called once for each unreadable definition; its route is left out. */
  onUnreadable(id: string, words: string): void;
  pollMs?: number;
};

/**
 * The stored routes that the configuration does not have, polled off the call path. While the store fails, the last
 * known ones stay.
 */
export class StoredRoutes {
  readonly #parts: StoredRoutesParts;
  #kept: readonly KeptRoute[] = [];
  #changesSeen: number | null = null;
  #polling = false;
  #timer: NodeJS.Timeout | undefined;
  #last: { kept: readonly KeptRoute[]; beside: Beside; routes: readonly Route[] } | null = null;
  /** The unreadable definitions and their faults, by id. */
  #told = new Map<string, string>();

  constructor(parts: StoredRoutesParts) {
    this.#parts = parts;
  }

  /** Resolves after the first poll. */
  async start(): Promise<void> {
    this.#timer ??= setInterval(() => void this.#poll(), this.#parts.pollMs ?? POLL_MS).unref();
    await this.#poll();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** The readable routes by id. The same list until the store or its environment changes. */
  routes(beside: Beside): readonly Route[] {
    const last = this.#last;
    if (last !== null && last.kept === this.#kept && last.beside === beside) return last.routes;
    const routes = this.#read(beside);
    this.#last = { kept: this.#kept, beside, routes };
    return routes;
  }

  #read({ taken, read }: Beside): Route[] {
    const own = this.#kept.filter(({ id, from }) => from === 'store' && !taken.has(id));
    const others = own.map(({ id }) => id);
    const told = new Map<string, string>();
    const routes: Route[] = [];
    const readable = (id: string, definition: string, what: string): Route | null => {
      const route = readKept(id, definition, (value) => read(id, value, others));
      if (typeof route !== 'string') return route;
      const why = JSON.stringify([definition, route]);
      if (this.#told.get(what) !== why) this.#parts.onUnreadable(what, route);
      told.set(what, why);
      return null;
    };
    for (const { id, definition, canary } of own) {
      const route = readable(id, definition, id);
      const other = canary === undefined ? null : readable(id, canary.definition, `the canary of ${id}`);
      if (route === null) continue;
      routes.push(other === null ? route : { ...route, canary: { route: other, share: canary!.share } });
    }
    this.#told = told;
    return routes;
  }

  async #poll(): Promise<void> {
    if (this.#polling) return;
    this.#polling = true;
    try {
      const changes = await this.#parts.store.changes();
      if (changes === this.#changesSeen) return;
      // The counter is read first, so that a change in between is read again.
      this.#kept = await this.#parts.store.list();
      this.#changesSeen = changes;
      this.#parts.onChange();
    } catch (error) {
      this.#parts.onError(error);
    } finally {
      this.#polling = false;
    }
  }
}

/** Reads the JSON of a definition, or returns its fault. */
export function readKept(id: string, definition: string, read: (value: unknown) => Route | string): Route | string {
  let value: unknown;
  try {
    value = JSON.parse(definition);
  } catch {
    return `${id} is not stored as JSON`;
  }
  return read(value);
}
