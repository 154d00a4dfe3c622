import { GatewayError } from '../core/errors.ts';
import type { NanoDollars } from '../core/money.ts';
import type { Setting } from '../core/settings.ts';
import {
  type BudgetEdit,
  type BudgetNames,
  budgetNamed,
  createBudget,
  deleteBudget,
  listBudgets,
  overrideBudget,
  updateBudget,
} from '../organization/budgets/service.ts';
import { type BudgetStanding, budgetJson, budgetStandings } from '../organization/budgets/standing.ts';
import { operatorAtWork } from './administration.ts';
import { type InOrganization, wholeList } from './settings.ts';
import type { Task, TaskServices } from './task.ts';

/** The requested members of a budget. Members that are left out keep their value, or the default of a new budget. */
export type WantedBudget = BudgetEdit;

/** A budget and its standing in the current period. */
export type StandingBudget = { budget: Setting<'budget'>; standing: BudgetStanding };

export const listBudgetsTask: Task<InOrganization, StandingBudget[]> = {
  name: 'budgets.list-shared',
  ofNothing: () => [],
  async run(services, { organizationId }) {
    const admin = await operatorAtWork(services, organizationId);
    return standingOf(services, await wholeList((page) => listBudgets(admin, page)));
  },
};

/** Changes the budget with this name, or creates one. The defaults are: the organization, monthly, hard. */
export const putBudgetTask: Task<InOrganization<{ budgetName: string; edit: WantedBudget }>, StandingBudget> = {
  name: 'budgets.put-shared',
  async run(services, { organizationId, budgetName: name, edit }) {
    const admin = await operatorAtWork(services, organizationId);
    const names = await namesOf(services);
    const before = await budgetNamed(admin, name);
    if (before !== null) return only(services, await updateBudget(admin, before, edit, names));
    const { amount = 0n, ...rest } = edit;
    const wanted = {
      name,
      holders: [{ type: 'organization' as const, id: admin.by.organizationId }],
      amount,
      per: 'month' as const,
      isHard: true,
      alerts: [],
      recipients: [],
      overrides: [],
      models: null,
      instead: null,
      ...rest,
    };
    return only(services, await createBudget(admin, wanted, names));
  },
};

export const removeBudgetTask: Task<InOrganization<{ budgetName: string }>, null> = {
  name: 'budgets.remove-shared',
  async run(services, { organizationId, budgetName }) {
    const admin = await operatorAtWork(services, organizationId);
    await deleteBudget(admin, ((await budgetNamed(admin, budgetName)) ?? noBudget(budgetName)).id);
    return null;
  },
};

/** Adds an amount until a time (Unix ms). */
export const overrideBudgetTask: Task<
  InOrganization<{ budgetName: string; amount: NanoDollars; until: number }>,
  StandingBudget
> = {
  name: 'budgets.override-shared',
  async run(services, { organizationId, budgetName, amount, until }) {
    const admin = await operatorAtWork(services, organizationId);
    const { id } = (await budgetNamed(admin, budgetName)) ?? noBudget(budgetName);
    const names = await namesOf(services);
    return only(services, await overrideBudget(admin, id, { amount, until }, names));
  },
};

async function namesOf(services: TaskServices): Promise<BudgetNames> {
  const { directory: served } = await services.models(true);
  return { served, rules: services.nameRules(services.storage) };
}

/** The budget as the HTTP API shows it. */
export function standingJson({ budget, standing }: StandingBudget) {
  return budgetJson(budget, standing);
}

async function only(services: TaskServices, budget: Setting<'budget'>): Promise<StandingBudget> {
  return (await standingOf(services, [budget]))[0]!;
}

async function standingOf(
  { storage, clock }: TaskServices,
  budgets: readonly Setting<'budget'>[],
): Promise<StandingBudget[]> {
  const standings = await budgetStandings(storage.thresholds, budgets, clock.now());
  return budgets.map((budget, index) => ({ budget, standing: standings[index]! }));
}

function noBudget(name: string): never {
  throw new GatewayError('not_found', `There is no budget “${name}”. List the budgets: headgate budgets list`);
}
