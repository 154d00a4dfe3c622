import { useSession } from '../../../api/session.ts';
import { useWhole } from '../../../api/use.ts';
import { useSpending } from '../budgets/spending.ts';

/** What projects come to. `null`: not known yet. */
export type ProjectUse = {
  /** The columns that this person may not see. */
  hidden: readonly string[];
  /** Dollars of the UTC month so far. */
  spentBy: ((projectId: string) => number) | null;
  /** Dollars a month; `null`: none is set. */
  limitOf: ((projectId: string) => number | null) | null;
};

export function useProjectUse(): ProjectUse {
  const { may } = useSession();
  const sees = { spent: may('api.usage.read'), limit: may('api.budgets.read') };
  const limits = useWhole('listSpendLimits', {}, { enabled: sees.limit });
  const { spending } = useSpending(sees.spent);
  const cents = new Map(limits.items?.map(({ project_id: id, threshold_amount }) => [id, threshold_amount]));
  return {
    hidden: Object.entries(sees).flatMap(([column, isSeen]) => (isSeen ? [] : [column])),
    spentBy: spending?.ofProject ?? null,
    limitOf: limits.items && ((projectId) => (cents.has(projectId) ? cents.get(projectId)! / 100 : null)),
  };
}
