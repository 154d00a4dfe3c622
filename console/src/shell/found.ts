import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type Answer, call } from '../api/call.ts';
import { useSession } from '../api/session.ts';
import type { Filters } from './address.ts';
import { PAGES } from './page.ts';

/** Something that is found by its name or its id, and where it is. */
export type Found = { id: string; name: string; about: string | null; to: string; search: Filters };

type Result = Answer<'searchOrganization'>['data'][number];
type ResultType = Result['type'];

/** What each type is called, in the order in which it is offered, and the page that it is opened on. */
const TYPES: readonly (readonly [ResultType, { heading: string; to: string }])[] = [
  ['request', { heading: 'Requests', to: '/logs' }],
  ['model', { heading: 'Models', to: '/models' }],
  ['route', { heading: 'Routes', to: '/routes' }],
  ['provider', { heading: 'Providers', to: '/providers' }],
  ['api_key', { heading: 'API keys', to: '/settings/keys' }],
  ['admin_api_key', { heading: 'Administration keys', to: '/settings/admin-keys' }],
  ['user', { heading: 'Members', to: '/settings/members' }],
  ['project', { heading: 'Projects', to: '/settings/projects' }],
  ['group', { heading: 'Groups', to: '/settings/groups' }],
  ['budget', { heading: 'Budgets', to: '/settings/budgets' }],
];

/** The gateway is asked once so much is typed, */
const LEAST_TYPED = 2;
/** and nothing was typed for so many ms. */
const SETTLED_MS = 120;
/** Of each kind so many at most are offered: what is typed narrows them. */
const SHOWN = 10;

/**
 * What the gateway finds for what is typed, by its kind. `try` and a name lead to the playground. An answer belongs to its words:
 * a late one never takes the place of what was typed since.
 */
export function useFound(typed: string) {
  const [, tries, wanted = ''] = /^(try\s+)?(.*)$/i.exec(typed.trim()) ?? [];
  const words = useSettled(wanted);
  const isSought = wanted.length >= LEAST_TYPED;
  const given = { query: { query: words, limit: SHOWN, ...(tries !== undefined && { types: 'model,route' }) } };
  const read = useQuery({
    queryKey: ['searchOrganization', given],
    queryFn: ({ signal }) => call('searchOrganization', given, signal),
    enabled: isSought && words.length >= LEAST_TYPED,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const isOfTyped = words === wanted && read.data !== undefined && !read.isPlaceholderData;
  // Until the answer is there, what was found for less is offered as far as it fits.
  const results = (isSought ? (read.data?.data ?? []) : []).filter((each) => isOfTyped || holds(each, wanted));
  const offered = useOffered();
  return {
    groups: tries === undefined ? offered(results) : [{ heading: 'Try', items: results.map(tried) }],
    more: isSought && isOfTyped && read.data?.has_more === true,
    isLooking: isSought && !isOfTyped && read.error === null,
    error: isSought ? read.error : null,
  };
}

/** A text once it has not changed for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

function holds({ name, about, id }: Result, words: string): boolean {
  return [name, about, id].some((each) => each?.toLowerCase().includes(words.toLowerCase()));
}

const tried = ({ id, about }: Result): Found => ({
  id: `try ${id}`,
  name: `try ${id}`,
  about,
  to: '/playground',
  search: { model: id },
});

/** Puts results under their headings; what has no page that this person may see is left out. */
function useOffered() {
  const { maySee } = useSession();
  return (results: readonly Result[]) =>
    TYPES.flatMap(([type, { heading, to }]) => {
      const page = PAGES.find(({ path }) => path === to);
      if (page === undefined || !maySee(page)) return [];
      const items = results
        .filter((each) => each.type === type)
        .map(({ id, name, about, project }): Found => {
          return { id: `${type} ${id}`, name, about: project?.name ?? about, to, search: { open: id } };
        });
      return items.length === 0 ? [] : [{ heading, items }];
    });
}
