import { useRead } from '../../../api/use.ts';

type Spending = { whole: number; ofProject: (projectId: string) => number };

/** What was spent in the UTC month so far, by project. `spending` is `null` while it is not known, or not to be seen. */
export function useSpending(enabled: boolean): { spending: Spending | null; isLoading: boolean } {
  const query = { start_time: monthStart(), group_by: ['project_id' as const], limit: 31 };
  const { data, isLoading } = useRead('listCosts', { query }, { enabled });
  if (data === undefined) return { spending: null, isLoading };
  const sums = new Map<string | null, number>();
  for (const { results } of data.data) {
    for (const { project_id: id, amount } of results) sums.set(id, (sums.get(id) ?? 0) + amount.value);
  }
  const whole = [...sums.values()].reduce((sum, each) => sum + each, 0);
  return { spending: { whole, ofProject: (projectId) => sums.get(projectId) ?? 0 }, isLoading };
}

/** When the UTC month began, in Unix seconds. */
function monthStart(): number {
  const now = new Date();
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1) / 1000;
}
