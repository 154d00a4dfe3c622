import type { Answer } from '../../../api/call.ts';
import { useSession } from '../../../api/session.ts';
import { useWhole } from '../../../api/use.ts';
import { useProjectKeys } from '../keys/project-keys.ts';

/** Whom a budget is for. */
export type Holder = Answer<'retrieveBudget'>['holders'][number];
/** `project proj_…`, as a choice in a list has one text for its value. */
export type HolderChoice = { id: string; name: string };

const WORDS = {
  organization: 'The whole organization',
  project: 'Project',
  group: 'Group',
  user: 'Person',
  api_key: 'Key',
  product: 'Product',
} as const;

export function choiceOf({ type, id }: Pick<Holder, 'type' | 'id'>): string {
  return type === 'organization' ? type : `${type} ${id}`;
}

export function holderOf(choice: string): { type: Holder['type']; id?: string } {
  const [type = '', id] = choice.split(' ');
  return { type: type as Holder['type'], ...(id !== undefined && { id }) };
}

/** All whom a budget can be for, and what they are called. */
export function useHolders() {
  const { may } = useSession();
  const { projects, keys } = useProjectKeys(undefined, false);
  const groups = useWhole('listGroups', {}, { enabled: may('api.groups.read') });
  const members = useWhole('listUsers', {}, { enabled: may('api.members.read') });
  const choices: HolderChoice[] = [
    { id: 'organization', name: WORDS.organization },
    ...named('project', projects),
    ...named('group', groups.items),
    ...named('user', members.items),
    ...named('api_key', keys),
  ];
  const names = new Map(choices.map(({ id, name }) => [id, name]));
  const nameOf = (holder: Pick<Holder, 'type' | 'id'>) =>
    names.get(choiceOf(holder)) ?? `${WORDS[holder.type]}: ${holder.id}`;
  return { choices, nameOf };
}

type Named = { id: string; name: string | null; email?: string };

function named(type: Exclude<Holder['type'], 'organization'>, items: readonly Named[] | null): HolderChoice[] {
  return (items ?? []).map(({ id, name, email = '' }) => ({
    id: choiceOf({ type, id }),
    name: `${WORDS[type]}: ${name ?? email}`,
  }));
}
