import { type Key, type PlacedKey, type Project, useAllKeys } from '../../../api/keys.ts';
import type { useSession } from '../../../api/session.ts';
import { useRead, useWhole } from '../../../api/use.ts';
import { exact } from '../../../parts/format.ts';

/** A key, where it is, and what it has used today (UTC); `null`: that is not known. */
export type ProjectKey = PlacedKey & { today: { calls: number; costUsd: number | null } | null };

/** The keys of all projects, or of one. */
export function useProjectKeys(
  projectId: string | undefined,
  seesUsage: boolean,
): { projects: readonly Project[] | null; keys: ProjectKey[] | null; error: Error | null } {
  const projects = useWhole('listProjects');
  const all = useAllKeys();
  const used = useRead(
    'summarizeUsage',
    { query: { by: 'key', start_time: todayUtc(), limit: 1000 } },
    { enabled: seesUsage },
  );
  const today = new Map(used.data?.data.map(({ api_key_id, ...sums }) => [api_key_id, sums]));
  const keys = all.items?.filter(({ project }) => projectId === undefined || project.id === projectId);
  const items = keys?.map((key): ProjectKey => {
    const sums = today.get(key.id);
    const none = used.data === undefined ? null : { calls: 0, costUsd: 0 };
    return { ...key, today: sums === undefined ? none : { calls: sums.calls, costUsd: sums.cost_usd } };
  });
  return { projects: projects.items, keys: items ?? null, error: projects.error ?? all.error };
}

/** The key of an id: of more keys than are read, the gateway is asked for it. */
export function useOpened(keys: readonly ProjectKey[] | null, id: string | undefined): ProjectKey | undefined {
  const shown = keys?.find((key) => key.id === id);
  const isElsewhere = keys !== null && shown === undefined && id !== undefined;
  const { data } = useRead('listApiKeys', { query: { search: id } }, { enabled: isElsewhere });
  const found = isElsewhere ? data?.data.find((key) => key.id === id) : undefined;
  return shown ?? (found && { ...found, today: null });
}

/** When the UTC day began, in Unix seconds. */
export function todayUtc(): number {
  return Math.floor(Date.now() / 86_400_000) * 86_400;
}

/** Whose a key is, by name. */
export function ownerName({ owner }: Pick<Key, 'owner'>): string {
  if (owner.user) return owner.user.name || (owner.user.email ?? '');
  return owner.service_account?.name ?? 'Nobody';
}

/** Whether somebody may change, rotate and end a key, as the gateway decides it. */
export function mayManage({ may, mayIn, person }: ReturnType<typeof useSession>, key: PlacedKey): boolean {
  if (!mayIn(key.project.id, 'api.keys.write')) return false;
  if (key.product !== null) return may('api.products.write');
  return key.owner.user?.id === person.id || mayIn(key.project.id, 'api.members.write');
}

export const SORTS = {
  newest: { label: 'Newest first', by: (one: ProjectKey, other: ProjectKey) => other.created_at - one.created_at },
  today: {
    label: 'Dearest today first',
    by: (one: ProjectKey, other: ProjectKey) => (other.today?.costUsd ?? 0) - (one.today?.costUsd ?? 0),
  },
  spent: { label: 'Dearest first', by: (one: ProjectKey, other: ProjectKey) => other.spent_usd - one.spent_usd },
  used: {
    label: 'Last used first',
    by: (one: ProjectKey, other: ProjectKey) => (other.last_used_at ?? 0) - (one.last_used_at ?? 0),
  },
  name: { label: 'By name', by: (one: ProjectKey, other: ProjectKey) => one.name.localeCompare(other.name) },
} as const;

export function sortNamed(name: string | undefined): keyof typeof SORTS {
  return name !== undefined && Object.hasOwn(SORTS, name) ? (name as keyof typeof SORTS) : 'newest';
}

/** "60 requests and 1,000 tokens a minute". */
export function ratesInWords({ max_requests_per_1_minute: requests, max_tokens_per_1_minute: tokens }: Key): string {
  const parts = [
    ...(requests === null ? [] : [`${exact(requests)} requests`]),
    ...(tokens === null ? [] : [`${exact(tokens)} tokens`]),
  ];
  return parts.length === 0 ? 'As the gateway’s configuration says' : `${parts.join(' and ')} a minute`;
}

export const INTERVALS = [
  { value: 'month', label: 'a month (UTC)' },
  { value: 'week', label: 'a week (UTC)' },
  { value: 'day', label: 'a day (UTC)' },
  { value: 'life', label: 'in all its life' },
] as const;

export function intervalInWords(interval: string): string {
  return INTERVALS.find(({ value }) => value === interval)?.label ?? interval;
}
