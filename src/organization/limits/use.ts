import type { NanoDollars } from '../../core/money.ts';
import { ratesFor, ratesForRoute } from '../../core/project-rate.ts';
import type { Directory } from '../../core/provider.ts';
import { budgetId } from '../../core/records.ts';
import type { ProjectRateLimit, Setting } from '../../core/settings.ts';
import { periodAt } from '../../core/spend-period.ts';
import type { BucketQuery, BucketRow } from '../../core/usage-buckets.ts';
import type { Administration } from '../administration.ts';
import { amountOf } from '../alerts/service.ts';
import type { BudgetUse } from '../budgets/standing.ts';
import { rateLimitId } from './service.ts';

const MINUTE_MS = 60_000;
/** The number of minutes among which the busiest is found. */
export const BUSIEST_OF_MINUTES = 10;

type Of = {
  id: string;
  /** `null`: the organization. */
  project: { id: string; name: string } | null;
};

/** A spend limit in the UTC month, and what was spent, under `budget`. `endsAt` in Unix ms. */
export type SpendUse = Of & { budget: string; limit: NanoDollars; used: NanoDollars; endsAt: number };

/** A project's rate limit of a model per minute, and its use in the busiest recent minute. */
export type RateUse = Of & { model: string; measure: 'requests' | 'tokens'; limit: number; used: number };

type Projects = ReadonlyMap<string, Of['project'] & object>;

/** The projects by id; archived ones only if they are included. */
export async function projectsInUse({ settings, by }: Administration, includesArchived = false): Promise<Projects> {
  const projects = await settings.all(by.organizationId, 'project');
  const inUse = projects.filter(({ value }) => includesArchived || value.archivedAt === null);
  return new Map(inUse.map(({ id, value }) => [id, { id, name: value.name }]));
}

/** The use of the monthly limits of the organization and its projects, as calls are checked against them. */
export async function spendUses(admin: Administration, projects: Projects, use: BudgetUse): Promise<SpendUse[]> {
  const { organizationId } = admin.by;
  const set = await admin.settings.all(organizationId, 'spend_limit');
  const limits = set.filter(({ parentId }) => parentId === null || projects.has(parentId));
  const { spent, endsAt } = await spentOfMonth(admin, limits, use);
  return limits.map(({ parentId, value }, index) => ({
    id: `${ownerOf(parentId, organizationId).id} spend`,
    budget: budgetId(ownerOf(parentId, organizationId)),
    project: parentId === null ? null : projects.get(parentId)!,
    limit: amountOf(value),
    used: spent[index]!,
    endsAt,
  }));
}

/** What was spent of each limit in this UTC month, in their order, and the next reset (Unix ms). */
export async function spentOfMonth(
  { by, clock }: Administration,
  limits: readonly Setting<'spend_limit'>[],
  use: Pick<BudgetUse, 'spent'>,
): Promise<{ spent: readonly NanoDollars[]; endsAt: number }> {
  const { sinceDay, throughDay, endsAt } = periodAt('month', clock.now());
  const owners = limits.map(({ parentId }) => budgetId(ownerOf(parentId, by.organizationId)));
  return { spent: await use.spent(owners.map((id) => ({ id, sinceDay, throughDay }))), endsAt };
}

function ownerOf(projectId: string | null, organizationId: string) {
  return projectId === null
    ? ({ of: 'organization', id: organizationId } as const)
    : ({ of: 'project', id: projectId } as const);
}

/** What finding the use of rate limits needs. */
export type RateUseParts = {
  /** Sums up calls; used only if there are rate limits. */
  buckets(query: BucketQuery): Promise<BucketRow[]>;
  directory(): Promise<Pick<Directory, 'find'>>;
};

/**
 * The use of projects' rate limits. Calls count in the minute in which they began, once they have ended, against the
 * limit that applied to them.
 */
export async function rateUses(
  admin: Administration,
  projects: Projects,
  { buckets, directory }: RateUseParts,
): Promise<RateUse[]> {
  const { organizationId } = admin.by;
  const set = await admin.settings.all(organizationId, 'rate_limit');
  const rates = set.filter(({ parentId }) => projects.has(parentId!));
  if (rates.length === 0) return [];
  const thisMinute = Math.floor(admin.clock.now() / MINUTE_MS) * MINUTE_MS;
  const rows = await buckets({
    organizationId,
    of: 'all',
    by: ['project', 'model', 'requested_model', 'provider', 'upstream_model'],
    from: thisMinute - (BUSIEST_OF_MINUTES - 1) * MINUTE_MS,
    until: thisMinute + MINUTE_MS,
    widthMs: MINUTE_MS,
    only: {},
    hidesTargets: false,
  });
  const busiest = busiestOf(rates, rows, (await directory()).find);
  return rates.flatMap((rate) => usesOf(rate, projects, busiest.get(rate)));
}

type Rate = Setting<'rate_limit'>;
type Used = { requests: number; tokens: number };

/** The maximum of any minute, by rate limit. */
function busiestOf(rates: readonly Rate[], rows: readonly BucketRow[], find: Directory['find']): Map<Rate, Used> {
  const byProject = Map.groupBy(rates, ({ parentId }) => parentId);
  const named = new Map([...byProject].map(([id, all]) => [id, new Map(all.map((rate) => [rate.value.model, rate]))]));
  const byMinute = new Map<Rate, Map<number, Used>>();
  for (const { start, values, sums } of rows) {
    const ofProject = named.get(values.project ?? null);
    for (const rate of ofProject === undefined ? [] : ratesHeldTo(values, ofProject, find)) {
      const minutes = byMinute.get(rate) ?? new Map<number, Used>();
      byMinute.set(rate, minutes);
      // Calls of one minute may have used several names.
      const { requests, tokens } = minutes.get(start) ?? { requests: 0, tokens: 0 };
      minutes.set(start, {
        requests: requests + sums.calls,
        tokens: tokens + sums.inputTokens + sums.outputTokens,
      });
    }
  }
  const most = (minutes: Map<number, Used>, measure: keyof Used) =>
    Math.max(...[...minutes.values()].map((used) => used[measure]));
  return new Map(
    [...byMinute].map(([rate, minutes]) => [
      rate,
      { requests: most(minutes, 'requests'), tokens: most(minutes, 'tokens') },
    ]),
  );
}

/** The rate limits that applied to calls: those of the model that served, and of the route that chose it. */
function ratesHeldTo(
  { model, requested_model: sent, provider, upstream_model: upstream }: BucketRow['values'],
  rates: ReadonlyMap<string, Rate>,
  find: Directory['find'],
): ReadonlySet<Rate> {
  const entry = find(model ?? '');
  if (entry?.origin === 'vendor') return new Set(ratesFor(entry, rates, find));
  const isAsked = entry !== undefined && find(sent ?? '')?.id === entry.id;
  const ofRoute = entry === undefined ? [] : ratesForRoute({ entry, sent: isAsked ? sent! : entry.id }, rates);
  const [at, id] = [provider ?? '', upstream ?? model ?? ''];
  const known = find(`${at}/${id}`);
  const served = known?.origin === 'vendor' ? known : { provider: { id: at }, model: { id, upstreamId: id } };
  return new Set([...ofRoute, ...ratesFor(served, rates, find)]);
}

function usesOf({ parentId, value }: Rate, projects: Projects, used: Used = { requests: 0, tokens: 0 }): RateUse[] {
  const { model, requestsPerMinute, tokensPerMinute }: ProjectRateLimit = value;
  const of = (measure: RateUse['measure'], limit: number | null): RateUse[] => {
    if (limit === null) return [];
    const id = `${parentId} ${rateLimitId(model)} ${measure}`;
    return [{ id, project: projects.get(parentId!)!, model, measure, limit, used: used[measure] }];
  };
  return [...of('requests', requestsPerMinute), ...of('tokens', tokensPerMinute)];
}
