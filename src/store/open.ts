import type { StoreEngine } from './engine.ts';
import { embedded } from './sqlite/engine.ts';

/** The engine that keeps the data. There is one; another is chosen here, and nowhere else. */
export const engine: StoreEngine = embedded;

export const { openStorage, openThreadedStorage } = engine;
