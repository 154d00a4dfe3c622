import { amountAt } from '../../core/budget.ts';
import { dollars } from '../../core/money.ts';
import type { OrganizationStore } from '../../core/ports.ts';
import type { Directory } from '../../core/provider.ts';
import type { Setting } from '../../core/settings.ts';
import { periodAt, periodId } from '../../core/spend-period.ts';
import type { GatewayStatus } from '../../core/target-status.ts';
import type { SummaryReader } from '../../core/usage-summary.ts';
import { DAY_MS } from '../../core/utc-day.ts';
import type { Administration } from '../administration.ts';
import { amountsOf, type BudgetUse } from '../budgets/standing.ts';
import { projectsInUse, type RateUse, type RateUseParts, rateUses, type SpendUse, spendUses } from '../limits/use.ts';
import { isInFirstOrganization } from '../organizations.ts';
import { whereMay } from '../permissions.ts';
import {
  type Concern,
  concernOfKey,
  concernOfModel,
  concernOfOldUsage,
  concernOfUnpriced,
  concernsOfOutgoing,
  concernsOfTargets,
  inOrder,
  KEY_ENDS_DAYS,
  MAX_ENDING_KEYS,
  MAX_OLD_USAGE_KEYS,
  MODEL_ENDS_DAYS,
  NEAR_END_PERCENT,
  percentOf,
  REFUSING_MS,
  usedSentence,
} from './items.ts';

/** A model is in use if it was called within this many days. */
const CALLED_DAYS = 30;
/** Budgets are read in pages, and only those of interest are kept. */
const BUDGETS_AT_ONCE = 100;
/** The most called models that are distinguished. */
const MAX_MODELS = 1_000;

/** The sources of the list. */
export type AttentionParts = {
  status(): Promise<GatewayStatus>;
  organizations: Pick<OrganizationStore, 'list'>;
  budgetUse: BudgetUse;
  directory(): Directory;
  /** Sums up calls, in the caller's turn of reports. */
  reports: { buckets: RateUseParts['buckets']; summarize: SummaryReader['summarize'] };
};

/** All problems that the administrator may see, worst first. */
export async function listConcerns(admin: Administration, parts: AttentionParts): Promise<Concern[]> {
  const now = admin.clock.now();
  const [targets, budgets, keys, adminKeys, oldUsage] = await Promise.all([
    targetConcerns(admin, parts, now),
    budgetConcerns(admin, parts.budgetUse, now),
    keyConcerns(admin, 'api_key_expiry', now),
    keyConcerns(admin, 'admin_api_key_expiry', now),
    oldUsageConcerns(admin, now),
  ]);
  // Reports run one after the other, so that the list counts as one open report of the caller.
  const limits = await limitConcerns(admin, parts, now);
  const models = await modelConcerns(admin, parts, now);
  return inOrder([...targets, ...budgets, ...limits, ...models, ...keys, ...adminKeys, ...oldUsage]);
}

/** The gateway's status, for administrators who may see the targets of routes. */
async function targetConcerns(
  { by }: Administration,
  { status, organizations }: AttentionParts,
  now: number,
): Promise<Concern[]> {
  if (!by.permissions.has('api.usage.read') || !by.permissions.has('api.settings.read')) return [];
  if (!(await isInFirstOrganization({ organizations, by }))) return [];
  const told = await status();
  return [...concernsOfTargets(told, now), ...concernsOfOutgoing(told, now), ...told.unpriced.map(concernOfUnpriced)];
}

async function budgetConcerns(admin: Administration, use: BudgetUse, now: number): Promise<Concern[]> {
  const { by, settings } = admin;
  if (!by.permissions.has('api.budgets.read')) return [];
  const concerns: Concern[] = [];
  for (let after: string | undefined; ; ) {
    const page = await settings.list(by.organizationId, 'budget', { limit: BUDGETS_AT_ONCE, after });
    concerns.push(...(await concernsOfBudgets(page.items, use, now)));
    after = page.items.at(-1)?.id;
    if (!page.hasMore || after === undefined) return concerns;
  }
}

async function concernsOfBudgets(
  budgets: readonly Setting<'budget'>[],
  use: BudgetUse,
  now: number,
): Promise<Concern[]> {
  if (budgets.length === 0) return [];
  const asked = budgets.map(({ id, value }) => {
    const period = periodAt(value.per, now);
    return { id, ...period, period: periodId(value.per, period) };
  });
  const hard = budgets.filter(({ value }) => value.isHard).map(({ id }) => id);
  const [spent, refusals] = await Promise.all([use.spent(asked), refusalsOf(use, hard, now)]);
  return budgets.flatMap(({ id, value }, index): Concern[] => {
    const { endsAt, period } = asked[index]!;
    const used = { used: dollars(spent[index]!), limit: dollars(amountAt(amountsOf(value), now)) };
    const refusedAt = value.isHard ? (refusals.get(`${id} ${period}`) ?? null) : null;
    const percent = percentOf(used);
    if (percent < NEAR_END_PERCENT && refusedAt === null) return [];
    const { instead } = value;
    const name = `The budget ${value.name}`;
    return [
      {
        id: `budget ${id}`,
        kind: 'budget',
        severity: percent >= 100 || (refusedAt !== null && instead === null) ? 'critical' : 'warning',
        subject: { type: 'budget', id, name: value.name },
        use: { unit: 'usd', ...used },
        refusedAt,
        instead,
        at: Number.isFinite(endsAt) ? endsAt : null,
        sentence: refusedAt === null ? usedSentence(name, percent) : refusingSentence(name, percent, instead),
      },
    ];
  });
}

/** A hard budget refuses before its end, if the rest is less than the highest cost of a call. */
function refusingSentence(name: string, percent: number, instead: string | null): string {
  const does = instead === null ? 'refuses calls' : `has calls served by ${instead}`;
  return percent >= 100
    ? `${name} ${does} because it is used up.`
    : `${name} ${does}: ${percent} % of it is used, and the rest is too little for them.`;
}

/** Recent refusals of budgets, by id and period. */
async function refusalsOf(use: BudgetUse, ids: readonly string[], now: number): Promise<Map<string, number>> {
  const refused = ids.length === 0 ? [] : await use.usedUp(ids);
  const lately = refused.filter(({ at }) => at > now - REFUSING_MS);
  return new Map(lately.map(({ id, period, at }) => [`${id} ${period}`, at]));
}

/** Like the list of limits: money for readers of budgets, rate limits for readers of usage. */
async function limitConcerns(
  admin: Administration,
  { budgetUse, reports, directory }: AttentionParts,
  now: number,
): Promise<Concern[]> {
  const { permissions } = admin.by;
  if (!permissions.has('api.limits.read')) return [];
  const projects = await projectsInUse(admin);
  const spends = permissions.has('api.budgets.read') ? await spendUses(admin, projects, budgetUse) : [];
  const ofMonth = periodId('month', periodAt('month', now));
  const refusals = await refusalsOf(
    budgetUse,
    spends.map(({ budget }) => budget),
    now,
  );
  const rateParts = { buckets: reports.buckets, directory: async () => directory() };
  const rates = permissions.has('api.usage.read') ? await rateUses(admin, projects, rateParts) : [];
  return [
    ...spends.flatMap((each) =>
      concernOfSpend(each, refusals.get(`${each.budget} ${ofMonth}`) ?? null, admin.by.organizationId),
    ),
    ...rates.flatMap(concernOfRate),
  ];
}

function concernOfSpend({ project, endsAt, ...spend }: SpendUse, refusedAt: number | null, organizationId: string) {
  const use = { unit: 'usd' as const, used: dollars(spend.used), limit: dollars(spend.limit) };
  const percent = percentOf(use);
  if (percent < NEAR_END_PERCENT && refusedAt === null) return [];
  const name = `The monthly limit of ${project === null ? 'the organization' : project.name}`;
  const concern: Concern = {
    id: `spend_limit ${spend.id}`,
    kind: 'spend_limit',
    severity: percent >= 100 || refusedAt !== null ? 'critical' : 'warning',
    subject:
      project === null
        ? { type: 'organization', id: organizationId, name: 'the organization' }
        : { type: 'project', ...project },
    project,
    use,
    refusedAt,
    at: endsAt,
    sentence: refusedAt === null ? usedSentence(name, percent) : refusingSentence(name, percent, null),
  };
  return [concern];
}

function concernOfRate({ id, project, model, measure, limit, used }: RateUse): Concern[] {
  const percent = percentOf({ used, limit });
  if (percent < NEAR_END_PERCENT || project === null) return [];
  const name = `${model}: the ${measure} a minute of ${project.name}`;
  return [
    {
      id: `rate_limit ${id}`,
      kind: 'rate_limit',
      severity: percent >= 100 ? 'critical' : 'warning',
      subject: { type: 'project', ...project },
      project,
      model,
      use: { unit: measure, used, limit },
      sentence: usedSentence(name, percent, 'are'),
    },
  ];
}

/**
 * Models that shut down soon, or have, and that were called recently or are in a route. Calls are summed only if such a
 * model could have been called.
 */
async function modelConcerns(admin: Administration, parts: AttentionParts, now: number): Promise<Concern[]> {
  const { permissions, organizationId } = admin.by;
  if (!permissions.has('api.projects.read')) return [];
  const { entries, find } = parts.directory();
  const last = now + MODEL_ENDS_DAYS * DAY_MS;
  const ending = new Map(
    entries.flatMap(({ id, origin, model: { shutDownAt } }) =>
      origin === 'vendor' && shutDownAt !== undefined && Date.parse(shutDownAt) <= last ? [[id, shutDownAt]] : [],
    ),
  );
  if (ending.size === 0) return [];
  const routes = permissions.has('api.routes.read') ? routesTo({ entries, find }, ending) : new Map<string, string[]>();
  const called = permissions.has('api.usage.read')
    ? await parts.reports.summarize({
        organizationId,
        by: ['model'],
        from: now - CALLED_DAYS * DAY_MS,
        through: now,
        hidesTargets: false,
        limit: MAX_MODELS,
      })
    : { rows: [] };
  const names = called.rows.flatMap(({ values, sums }) => (sums.calls > 0 ? [values.model ?? ''] : []));
  return [...new Set([...names, ...routes.keys()])].flatMap((id) => {
    const day = ending.get(id);
    return day === undefined ? [] : [concernOfModel(id, day, { now, routes: routes.get(id) ?? [] })];
  });
}

/** The routes that lead to these models, by the model's id. */
function routesTo({ entries, find }: Pick<Directory, 'entries' | 'find'>, models: ReadonlyMap<string, string>) {
  const routes = new Map<string, string[]>();
  for (const entry of entries) {
    if (entry.origin === 'vendor') continue;
    const named = [...entry.route.targets, ...entry.route.fallbacks].map(({ model }) => find(model)?.id ?? '');
    for (const id of new Set(named)) {
      if (models.has(id)) routes.set(id, [...(routes.get(id) ?? []), entry.id]);
    }
  }
  return routes;
}

async function keyConcerns(
  { by, settings }: Administration,
  kind: 'api_key_expiry' | 'admin_api_key_expiry',
  now: number,
): Promise<Concern[]> {
  const isAdmin = kind === 'admin_api_key_expiry';
  // Admin keys belong to no project.
  const ofAdmins = by.permissions.has('api.admin_keys.read') ? {} : null;
  const where = isAdmin ? ofAdmins : await whereMay(by, 'api.keys.read');
  if (where === null) return [];
  const ending = await settings.endingKeys(by.organizationId, {
    access: isAdmin ? 'administration' : 'models',
    after: now,
    until: now + KEY_ENDS_DAYS * DAY_MS,
    limit: MAX_ENDING_KEYS,
    ...where,
  });
  return ending.map((key) => concernOfKey(kind, key));
}

async function oldUsageConcerns({ by, settings }: Administration, now: number): Promise<Concern[]> {
  const where = await whereMay(by, 'api.keys.read');
  if (where === null) return [];
  const limit = MAX_OLD_USAGE_KEYS.counted + 1;
  const keys = await settings.oldUsageKeys(by.organizationId, { now, limit, ...where });
  return keys.length === 0 ? [] : [concernOfOldUsage(by.organizationId, keys)];
}
