import { z } from 'zod';
import { cursorQuery, inSeconds, pageJson, pageOf, yesOrNo } from '../../api/fields.ts';
import { operation } from '../../api/operation.ts';
import { decimal, named, oneOf, seconds, text, type Written, wholeNumber } from '../../api/schema.ts';
import { dollars } from '../../core/money.ts';
import { allBuckets } from '../../core/usage-buckets.ts';
import { slicePage } from '../pages.ts';
import { atWork } from '../parts.ts';
import { resource } from '../resource.ts';
import { BUSIEST_OF_MINUTES, projectsInUse, rateUses, spendUses } from './use.ts';

const limitUse = named(
  'LimitUse',
  z.object({
    id: text,
    object: z.literal('organization.limit_use'),
    project: z.object({ id: text, name: text }).nullable().describe('`null`: the organization’s own limit.'),
    model: text.nullable().describe('Of a rate limit: the name in calls.'),
    measure: z
      .enum(['spend_usd', 'requests', 'tokens'])
      .describe('`spend_usd`: dollars per UTC month. The others are per minute.'),
    limit: decimal,
    used: decimal.describe(
      `Of a rate limit, in the busiest of the last ${BUSIEST_OF_MINUTES} minutes; calls count in the minute in which they began.`,
    ),
    resets_at: seconds.nullable().describe('The end of the month; `null` for a rate limit.'),
  }),
);

export const LIST_LIMIT_USE = operation('listLimitUse', 'GET /v1/organization/limit_use', {
  client: 'settings.limitUse.list',
  tag: 'Organization',
  summary: 'List the limits of the organization and its projects with their use.',
  description:
    'Monthly spend limits for readers of budgets, and rate limits of models for readers of usage. ' +
    'The configuration’s own rate limits are left out, and archived projects unless they are included.',
  access: { permission: 'api.limits.read' },
  query: cursorQuery({ limit: 20, max: 100 }).extend({
    least_percent: wholeNumber(0, 100)
      .default(0)
      .describe('Only limits used at least this much, in percent: 80 finds those nearly used up.'),
    measure: oneOf(['spend_usd', 'requests', 'tokens']).exactOptional().describe('Only limits of this.'),
    include_archived: yesOrNo.exactOptional().describe('Whether spend limits of archived projects are listed, too.'),
  }),
  answer: { description: 'A page of limits.', schema: pageOf('LimitUseList', limitUse) },
});

type LimitUseJson = Written<typeof limitUse>;

export const LIMIT_USE_OPERATIONS = resource([
  LIST_LIMIT_USE.handledBy(async ({ administrator, caller, query }, parts) => {
    const admin = atWork(parts, administrator);
    const { permissions } = administrator;
    const { measure, include_archived: includesArchived = false } = query;
    const projects = await projectsInUse(admin);
    const spending = includesArchived ? await projectsInUse(admin, true) : projects;
    const [spends, rates] = await Promise.all([
      permissions.has('api.budgets.read') && (measure ?? 'spend_usd') === 'spend_usd'
        ? spendUses(admin, spending, parts.budgetUse)
        : [],
      permissions.has('api.usage.read') && measure !== 'spend_usd'
        ? rateUses(admin, projects, {
            buckets: (asked) => parts.reports.run(caller.key.id, () => allBuckets(parts.usage, asked)),
            directory: parts.nameRules.directory,
          })
        : [],
    ]);
    const all: LimitUseJson[] = [
      ...spends.map(({ id, project, limit, used, endsAt }) => ({
        ...{ id, object: 'organization.limit_use' as const, project, model: null },
        ...{ measure: 'spend_usd' as const, limit: dollars(limit), used: dollars(used), resets_at: inSeconds(endsAt) },
      })),
      ...rates.map((rate) => ({ ...rate, object: 'organization.limit_use' as const, resets_at: null })),
    ];
    const wanted = all.filter(
      (use) => use.used * 100 >= use.limit * query.least_percent && (measure === undefined || use.measure === measure),
    );
    return pageJson(slicePage(wanted, query), (use) => use);
  }),
]);
