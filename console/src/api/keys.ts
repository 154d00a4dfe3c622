import type { Answer } from './call.ts';
import { useWhole } from './use.ts';

export type Key = Answer<'retrieveProjectApiKey'>;
export type Project = Answer<'retrieveProject'>;
/** A key with the project that it is of. */
export type PlacedKey = Answer<'listApiKeys'>['data'][number];

/** What shows keys, or how many there are, and is read again where one has changed. */
export const KEY_LISTS = ['listApiKeys', 'listProjectApiKeys', 'listProjects'] as const;

/** The keys of all projects, those that were made last first: of more than are read, the oldest are left out. */
export function useAllKeys({ enabled = true }: { enabled?: boolean } = {}) {
  return useWhole('listApiKeys', { query: { limit: 500, order: 'desc' } }, { enabled });
}
