import { useQueries } from '@tanstack/react-query';
import type { Answer } from './call.ts';
import { useWhole, wholeList } from './use.ts';

export type Key = Answer<'retrieveProjectApiKey'>;
export type Project = Answer<'retrieveProject'>;

type KeysOptions = {
  enabled?: boolean;
  /** Each project is a request: of more than so many none is read. */
  mostProjects?: number;
};

/** The keys of all projects, or of one, each with its project. */
export function useKeysOfProjects(
  projectId?: string,
  { enabled = true, mostProjects = Number.POSITIVE_INFINITY }: KeysOptions = {},
) {
  const projects = useWhole('listProjects', {}, { enabled });
  const all = projects.items?.filter(({ id }) => projectId === undefined || id === projectId) ?? [];
  const areTooMany = all.length > mostProjects;
  const wanted = areTooMany ? [] : all;
  const lists = useQueries({
    queries: wanted.map(({ id }) => ({ ...wholeList('listProjectApiKeys', { path: { project_id: id } }), enabled })),
    combine: (results) => ({
      isRead: results.every(({ data }) => data !== undefined),
      error: results.find(({ error }) => error !== null)?.error ?? null,
      keys: results.flatMap(({ data = [] }, index) => data.map((key) => ({ key, project: wanted[index]! }))),
    }),
  });
  const isRead = projects.items !== null && lists.isRead;
  return { projects: projects.items, keys: lists.keys, areTooMany, isRead, error: projects.error ?? lists.error };
}
