import { serveTables } from './serve-tables.ts';

/** The thread of a store by itself, which tells nobody of the calls that end. */
await serveTables();
