import { MAX_LIMIT_AMOUNT, type NanoDollars } from '../../core/money.ts';
import type { Directory } from '../../core/provider.ts';
import {
  type BudgetHolder,
  holderKey,
  type Page,
  type PageQuery,
  type Setting,
  type SettingChange,
  type SharedBudget,
} from '../../core/settings.ts';
import { periodAt } from '../../core/spend-period.ts';
import {
  type Administration,
  change,
  changed,
  demandVersion,
  differing,
  found,
  invalid,
  made,
  put,
  removed,
} from '../administration.ts';
import type { AliasRules } from '../aliases/service.ts';

/** The most budgets of one holder, because each call is checked against all of them. */
const MAX_BUDGETS_OF_HOLDER = 20;
export const MAX_HOLDERS = 100;
export const MAX_ALERTS = 20;
export const MAX_RECIPIENTS = 50;
export const MAX_OVERRIDES = 20;
const MAX_PART = 10;

/** The requested budget. */
export type NewBudget = Omit<SharedBudget, 'amount' | 'overrides'> & {
  amount: NanoDollars;
  overrides: readonly { amount: NanoDollars; until: number }[];
};
export type BudgetEdit = Partial<NewBudget>;

/** What budgets may refer to. */
export type BudgetNames = {
  served: Pick<Directory, 'find' | 'products'>;
  /** The stored names too: they are served a moment after they were set, and nobody serves them if no gateway runs. */
  rules: Pick<AliasRules, 'routes'> & {
    directory(): Promise<Pick<Directory, 'find'>>;
    askedDirectory?(): Promise<Pick<Directory, 'find'>>;
  };
};

export function listBudgets({ settings, by }: Administration, query: PageQuery): Promise<Page<Setting<'budget'>>> {
  return settings.list(by.organizationId, 'budget', query);
}

/** Throws `not_found`. */
export function findBudget(admin: Administration, id: string): Promise<Setting<'budget'>> {
  return found(admin, 'budget', id);
}

/** The budget with a name; `null` if there is none. */
export async function budgetNamed(admin: Administration, name: string): Promise<Setting<'budget'> | null> {
  const { settings, by } = admin;
  const taken = await settings.find(by.organizationId, 'budget_name', name);
  return taken === null ? null : settings.find(by.organizationId, 'budget', taken.value.budgetId);
}

/**
 * Creates a budget. Earlier spending in the current period counts as far as it is known by key; for groups, certain
 * models and `life` it counts from now on. Throws `invalid_request` with the field of the HTTP API at fault.
 */
export async function createBudget(
  admin: Administration,
  wanted: NewBudget,
  names: BudgetNames,
): Promise<Setting<'budget'>> {
  await checkName(admin, wanted.name);
  await checkHolders(admin, wanted.holders, [], names);
  const value = keptBudget(admin, wanted);
  await checkInstead(admin, value, names);
  const budget = made(admin, 'budget', { prefix: 'budget', value });
  const changes = [
    put(budget),
    ...naming(admin, budget),
    ...holding(admin, budget.id, value.holders),
    ...countingEarlier(admin, budget),
  ];
  await change(admin, changes, { type: 'budget.created', resourceId: budget.id, details: { data: value } });
  return budget;
}

/** Keeps its spending. Throws as `createBudget` does, and `conflict` if another version was expected. */
export async function updateBudget(
  admin: Administration,
  { id, ifVersion }: { id: string; ifVersion?: number | undefined },
  edit: BudgetEdit,
  names: BudgetNames,
): Promise<Setting<'budget'>> {
  const budget = await findBudget(admin, id);
  demandVersion(budget, ifVersion);
  const before = budget.value;
  const isRenamed = edit.name !== undefined && edit.name !== before.name;
  if (isRenamed) await checkName(admin, edit.name!);
  if (edit.holders !== undefined) await checkHolders(admin, edit.holders, before.holders, names);
  const value = keptBudget(admin, { ...wantedOf(before), ...edit });
  if (value.instead !== before.instead) await checkInstead(admin, value, names);
  const next = changed(budget, value);
  const has = (list: readonly BudgetHolder[], one: BudgetHolder) =>
    list.some((other) => holderKey(other) === holderKey(one));
  const changes: SettingChange[] = [
    put(next),
    ...(isRenamed ? [unnaming(before.name), ...naming(admin, next)] : []),
    ...before.holders.filter((each) => !has(value.holders, each)).map((each) => letGo(id, each)),
    ...holding(
      admin,
      id,
      value.holders.filter((each) => !has(before.holders, each)),
    ),
  ];
  await change(admin, changes, {
    type: 'budget.updated',
    resourceId: id,
    details: { changes_requested: differing(value, before), before },
  });
  return next;
}

/** Calls no longer count against it, and its spending is deleted: a new budget with this name starts at zero. */
export async function deleteBudget(admin: Administration, id: string): Promise<void> {
  const budget = await findBudget(admin, id);
  const changes: SettingChange[] = [
    removed(budget),
    unnaming(budget.value.name),
    { removeEvery: { kind: 'budget_holder', id } },
  ];
  await change(admin, changes, { type: 'budget.deleted', resourceId: id, details: { before: budget.value } });
}

/** Adds an amount until a time (Unix ms), beside earlier overrides. */
export async function overrideBudget(
  admin: Administration,
  id: string,
  more: { amount: NanoDollars; until: number },
  names: BudgetNames,
): Promise<Setting<'budget'>> {
  const { value, version } = await findBudget(admin, id);
  const overrides = [...wantedOf(value).overrides, more];
  return updateBudget(admin, { id, ifVersion: version }, { overrides }, names);
}

async function checkName({ settings, by }: Administration, name: string): Promise<void> {
  const taken = await settings.find(by.organizationId, 'budget_name', name);
  if (taken !== null) throw invalid('name', 'is the name of another budget');
}

/** Each must exist, and have room for one more budget if it is new. */
async function checkHolders(
  admin: Administration,
  holders: readonly BudgetHolder[],
  before: readonly BudgetHolder[],
  names: BudgetNames,
): Promise<void> {
  const { settings, by } = admin;
  const known = new Set(before.map(holderKey));
  for (const [index, holder] of holders.entries()) {
    const key = holderKey(holder);
    if (holders.findIndex((each) => holderKey(each) === key) !== index)
      throw invalid(`holders.${index}.id`, 'is repeated');
    if (known.has(key)) continue;
    if (!(await isThere(admin, holder, names))) {
      throw invalid(`holders.${index}.id`, `names no ${WORDS[holder.type]} of this organization`);
    }
    const query = { parentId: key, limit: MAX_BUDGETS_OF_HOLDER };
    const held = await settings.list(by.organizationId, 'budget_holder', query);
    if (held.items.length >= MAX_BUDGETS_OF_HOLDER) {
      throw invalid(`holders.${index}.id`, `already has ${MAX_BUDGETS_OF_HOLDER} budgets, the limit`);
    }
  }
}

const WORDS: Readonly<Record<BudgetHolder['type'], string>> = {
  organization: 'id',
  project: 'project',
  group: 'group',
  user: 'user',
  api_key: 'API key for models',
  product: 'product',
};

async function isThere({ settings, by }: Administration, { type, id }: BudgetHolder, { served }: BudgetNames) {
  const { organizationId } = by;
  switch (type) {
    case 'organization':
      return id === organizationId;
    case 'project':
      return (await settings.find(organizationId, 'project', id))?.value.archivedAt === null;
    case 'group':
      return (await settings.find(organizationId, 'group', id)) !== null;
    case 'user':
      return (await settings.find(organizationId, 'member', id)) !== null;
    case 'api_key': {
      const key = await settings.key(organizationId, id);
      return key !== null && key.access === 'models' && key.revokedAt === null;
    }
    case 'product':
      return served.products.has(id) || (await settings.find(organizationId, 'product', id)) !== null;
    default:
      return type satisfies never;
  }
}

/** It must be callable. */
async function checkInstead(
  { settings, by }: Administration,
  { instead }: SharedBudget,
  { served, rules }: BudgetNames,
): Promise<void> {
  if (instead === null || served.find(instead) !== undefined) return;
  if ((await rules.directory()).find(instead) !== undefined) return;
  if ((await settings.find(by.organizationId, 'alias', instead)) !== null) return;
  if ((await rules.routes.list()).some(({ id }) => id === instead)) return;
  if ((await rules.askedDirectory?.())?.find(instead) !== undefined) return;
  throw invalid('instead', 'is not a model or route');
}

/** The stored form of a budget, checked except for name, holders and `instead`. Ended overrides are left out. */
function keptBudget({ clock }: Administration, wanted: NewBudget): SharedBudget {
  const { amount, alerts, instead, holders } = wanted;
  const overrides = wanted.overrides.filter(({ until }) => until > clock.now());
  if (holders.length === 0) throw invalid('holders', 'must name at least one');
  if (amount <= 0n) throw invalid('amount_usd', 'must be greater than 0');
  const whole = overrides.reduce((sum, more) => sum + more.amount, amount);
  if (whole > MAX_LIMIT_AMOUNT) throw invalid('amount_usd', 'including its overrides is more than a billion dollars');
  for (const [index, part] of alerts.entries()) {
    const isPart = part > 0 && part <= MAX_PART && Math.round(part * 1e6) / 1e6 === part;
    if (!isPart)
      throw invalid(`alerts.${index}`, `must be a fraction from 0.000001 to ${MAX_PART}, with at most six decimals`);
    if (alerts.indexOf(part) !== index) throw invalid(`alerts.${index}`, 'is repeated');
  }
  if (instead !== null && !wanted.isHard) throw invalid('instead', 'needs a `hard` budget');
  if (wanted.models?.length === 0) throw invalid('models', 'must name at least one, or be null for all');
  return {
    ...wanted,
    amount: String(amount),
    overrides: overrides.map((more) => ({ ...more, amount: String(more.amount) })),
  };
}

function wantedOf(kept: SharedBudget): NewBudget {
  const overrides = kept.overrides.map((more) => ({ ...more, amount: BigInt(more.amount) }));
  return { ...kept, amount: BigInt(kept.amount), overrides };
}

function naming(admin: Administration, { id, value }: Setting<'budget'>): SettingChange[] {
  return [put(made(admin, 'budget_name', { id: value.name, value: { budgetId: id } }))];
}

function unnaming(name: string): SettingChange {
  return { remove: { kind: 'budget_name', id: name, parentId: null, version: 1 } };
}

function holding(admin: Administration, id: string, holders: readonly BudgetHolder[]): SettingChange[] {
  return holders.map((holder) =>
    put(made(admin, 'budget_holder', { id, parentId: holderKey(holder), value: {} }), MAX_BUDGETS_OF_HOLDER),
  );
}

/** Past spending is known by key and day, but not by model. */
function countingEarlier({ clock }: Administration, { id, value }: Setting<'budget'>): SettingChange[] {
  const { sinceDay } = periodAt(value.per, clock.now());
  const isForAll = value.models === null && value.instead === null;
  const holders = value.holders.filter(({ type }) => type !== 'group');
  if (sinceDay === null || !isForAll || holders.length === 0) return [];
  return [{ countEarlier: { budgetId: id, holders, sinceDay } }];
}

function letGo(id: string, holder: BudgetHolder): SettingChange {
  return { remove: { kind: 'budget_holder', id, parentId: holderKey(holder), version: 1 } };
}
