import { z } from 'zod';
import {
  amountIn,
  amountOfDollars,
  created,
  deletedOf,
  emailText,
  idText,
  modelText,
  nameText,
  pageJson,
  pageOf,
  pageQuery,
  version,
  writable,
} from '../../api/fields.ts';
import { operation } from '../../api/operation.ts';
import { flag, named, seconds, text } from '../../api/schema.ts';
import { GatewayError } from '../../core/errors.ts';
import { SPEND_PERIODS } from '../../core/records.ts';
import { type BudgetHolder, HOLDER_TYPES, type Setting } from '../../core/settings.ts';
import { MAX_ALLOWED_MODELS } from '../../keys/keys.ts';
import { atWork, type SettingsParts } from '../parts.ts';
import { resource } from '../resource.ts';
import {
  type BudgetEdit,
  createBudget,
  deleteBudget,
  findBudget,
  listBudgets,
  MAX_ALERTS,
  MAX_HOLDERS,
  MAX_OVERRIDES,
  MAX_RECIPIENTS,
  type NewBudget,
  updateBudget,
} from './service.ts';
import { budgetJson, budgetStandings } from './standing.ts';

const usd = text.describe('Dollars, exactly: `"12.5"`.');
const holder = z.object({ type: z.enum(HOLDER_TYPES), id: text });
const budget = named(
  'Budget',
  z.object({
    id: text,
    object: z.literal('organization.budget'),
    name: text,
    holders: z.array(holder).describe('Its holders, who share it.'),
    amount_usd: usd,
    interval: z.enum(SPEND_PERIODS),
    hard: flag.describe('Whether calls are refused once it is used up.'),
    alerts: z.array(z.number()),
    recipients: z.array(text),
    overrides: z.array(z.object({ amount_usd: usd, ends_at: seconds })).describe('Temporary additions.'),
    models: z.array(text).nullable(),
    instead: text.nullable(),
    limit_usd: usd.describe('The amount including current overrides.'),
    spent_usd: usd.describe('Spent in the current period, since the budget was created.'),
    reserved_usd: usd.describe('The most that open calls may cost.'),
    resets_at: seconds.nullable().describe('The next reset; `null` for none.'),
    created_at: created,
    version,
  }),
);

const { create: newBudget, update: budgetEdit } = writable('Budget', {
  name: nameText,
  holders: z
    .array(
      z.strictObject(
        {
          type: z.enum(HOLDER_TYPES, `must be one of ${HOLDER_TYPES.join(', ')}`),
          id: idText.exactOptional().describe('Left out for the type `organization`.'),
        },
        'must be an object',
      ),
      'must be a list',
    )
    .min(1, 'must name at least one')
    .max(MAX_HOLDERS, `must name at most ${MAX_HOLDERS}`)
    .describe('Its holders, who share it. For a `group` or `user`, the keys that people own.'),
  amount_usd: amountOfDollars,
  interval: z
    .enum(SPEND_PERIODS, `must be one of ${SPEND_PERIODS.join(', ')}`)
    .describe('In UTC; weeks begin on Monday.')
    .default('month'),
  hard: z
    .boolean('must be true or false')
    .describe('Whether calls are refused once it is used up; otherwise it only counts.')
    .default(true),
  alerts: z
    .array(z.number('must be a number'), 'must be a list')
    .max(MAX_ALERTS, `must name at most ${MAX_ALERTS}`)
    .describe('Parts of the amount that send `spend_alert.triggered`, once per period: `[0.5, 0.8]`.')
    .default([]),
  recipients: z
    .array(emailText, 'must be a list')
    .max(MAX_RECIPIENTS, `must name at most ${MAX_RECIPIENTS}`)
    .describe('Email addresses for its alerts.')
    .default([]),
  overrides: z
    .array(
      z.strictObject({
        amount_usd: amountOfDollars,
        ends_at: z.int('must be a whole number of seconds').min(0).max(8.64e12),
      }),
      'must be a list',
    )
    .max(MAX_OVERRIDES, `must have at most ${MAX_OVERRIDES}`)
    .describe('Temporary additions; ended ones are left out.')
    .default([]),
  models: z
    .array(modelText, 'must be a list')
    .max(MAX_ALLOWED_MODELS, `must name at most ${MAX_ALLOWED_MODELS} models`)
    .nullable()
    .describe('The models and routes that it applies to; `null` for all.')
    .default(null),
  instead: modelText
    .nullable()
    .describe('The model or route that serves once it is used up. Those calls count against other budgets only.')
    .default(null),
});

const reading = { tag: 'Organization', access: { permission: 'api.budgets.read' } } as const;
const writing = { tag: 'Organization', access: { permission: 'api.budgets.write' } } as const;

const LIST = operation('listBudgets', 'GET /v1/organization/budgets', {
  client: 'settings.budgets.list',
  ...reading,
  summary: 'List budgets with their spending.',
  query: pageQuery(),
  answer: { description: 'A page of budgets.', schema: pageOf('BudgetList', budget) },
});
const CREATE = operation('createBudget', 'POST /v1/organization/budgets', {
  client: 'settings.budgets.create',
  ...writing,
  summary: 'Create a budget for a project, group, person, key, product or all, or several of them together.',
  description:
    'Spending of its holders in the current period counts; for groups, `models`, `instead` and `life` it counts ' +
    'from now on. Every process goes by it within a second.',
  body: { schema: newBudget },
  answer: { description: 'The budget.', schema: budget },
  errors: ['conflict'],
});
const RETRIEVE = operation('retrieveBudget', 'GET /v1/organization/budgets/{budget_id}', {
  client: 'settings.budgets.retrieve',
  ...reading,
  summary: 'Get a budget with its spending.',
  answer: { description: 'The budget.', schema: budget },
});
const UPDATE = operation('updateBudget', 'POST /v1/organization/budgets/{budget_id}', {
  client: 'settings.budgets.update',
  ...writing,
  summary: 'Change a budget. Members that are left out stay, and so does its spending.',
  body: { schema: budgetEdit },
  answer: { description: 'The budget.', schema: budget },
  errors: ['conflict'],
});
const DELETE = operation('deleteBudget', 'DELETE /v1/organization/budgets/{budget_id}', {
  client: 'settings.budgets.delete',
  ...writing,
  summary: 'Delete a budget. What it has spent is forgotten.',
  answer: { description: 'The deleted object.', schema: deletedOf('BudgetDeleted', 'organization.budget.deleted') },
});

export const BUDGET_OPERATIONS = resource([
  LIST.handledBy(async ({ administrator, query }, parts) => {
    const page = await listBudgets(atWork(parts, administrator), query);
    const standings = await budgetStandings(parts.budgetUse, page.items, parts.admin.clock.now());
    return pageJson(
      { ...page, items: page.items.map((each, index) => budgetJson(each, standings[index]!)) },
      (each) => each,
    );
  }),
  CREATE.handledBy(async ({ administrator, body }, parts) => {
    const wanted = wantedOf(body, administrator.organizationId);
    return shown(parts, await createBudget(atWork(parts, administrator), wanted, await namesIn(parts)));
  }),
  RETRIEVE.handledBy(async ({ administrator, path }, parts) =>
    shown(parts, await findBudget(atWork(parts, administrator), path.budget_id)),
  ),
  UPDATE.handledBy(async ({ administrator, path, body: { if_version, ...body } }, parts) => {
    const which = { id: path.budget_id, ifVersion: if_version };
    const edit = editOf(body, administrator.organizationId);
    return shown(parts, await updateBudget(atWork(parts, administrator), which, edit, await namesIn(parts)));
  }),
  DELETE.handledBy(async ({ administrator, path }, parts) => {
    const id = path.budget_id;
    await deleteBudget(atWork(parts, administrator), id);
    return { id, object: 'organization.budget.deleted', deleted: true };
  }),
]);

async function shown({ budgetUse, admin }: SettingsParts, made: Setting<'budget'>) {
  const [standing] = await budgetStandings(budgetUse, [made], admin.clock.now());
  return budgetJson(made, standing!);
}

const namesIn = async ({ nameRules }: SettingsParts) => ({ served: await nameRules.directory(), rules: nameRules });

type Body = Omit<z.output<typeof budgetEdit>, 'if_version'>;

/** A body in the terms of the services; members that are left out stay out. */
function editOf(body: Body, organizationId: string): BudgetEdit {
  const { holders, amount_usd, interval, hard, overrides, ...same } = body;
  const edit: BudgetEdit = { ...same };
  if (holders !== undefined) edit.holders = holdersOf(holders, organizationId);
  if (amount_usd !== undefined) edit.amount = amountIn(amount_usd, 'amount_usd');
  if (interval !== undefined) edit.per = interval;
  if (hard !== undefined) edit.isHard = hard;
  if (overrides !== undefined) {
    edit.overrides = overrides.map(({ amount_usd: more, ends_at }, index) => ({
      amount: amountIn(more, `overrides.${index}.amount_usd`),
      until: ends_at * 1000,
    }));
  }
  return edit;
}

function wantedOf(body: z.output<typeof newBudget>, organizationId: string): NewBudget {
  const { name, alerts, recipients, models, instead, interval: per, hard: isHard } = body;
  const { holders = [], amount: wholeAmount = 0n, overrides = [] } = editOf(body, organizationId);
  return { name, holders, amount: wholeAmount, per, isHard, alerts, recipients, overrides, models, instead };
}

function holdersOf(holders: NonNullable<Body['holders']>, organizationId: string): BudgetHolder[] {
  return holders.map(({ type, id }, index) => {
    const named = id ?? (type === 'organization' ? organizationId : undefined);
    if (named === undefined) throw invalidAt(`holders.${index}.id`, 'must be given');
    return { type, id: named };
  });
}

function invalidAt(param: string, fault: string): GatewayError {
  return new GatewayError('invalid_request', `\`${param}\` ${fault}.`, { param });
}
