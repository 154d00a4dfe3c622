import { type CalledModel, isNamed } from '../core/access.ts';
import { type Budget, type CallBudgets, NO_BUDGETS } from '../core/budget.ts';
import { identityOf, matchesTerms, termsOf } from '../core/model-identity.ts';
import { NANO_PER_CENT } from '../core/money.ts';
import type { Directory, Target } from '../core/provider.ts';
import { type ApiKey, budgetId, budgetOwner, type KeyGroup, type SpendLimit } from '../core/records.ts';
import type { BudgetInForce, KeySettings, SpendLimitInForce } from '../core/settings.ts';

export type BudgetSources = {
  /** Read on each call of a product, since the config can be reloaded; `null`: no budget. */
  ofProduct(product: string): SpendLimit | null;
  /**
   * The budgets of a key, of whoever it belongs to and of pools, narrowest first. Read on each call: the same list while
   * nothing of it has changed.
   */
  ofKey(key: ApiKey): readonly Budget[];
};

/** The called model, and the resolver of names in budgets. */
export type BudgetedModel = CalledModel & Pick<Directory, 'find'>;

const NO_TARGETS: readonly Target[] = [];

/** A cache of all budgets of a key, valid while its inputs are the same. */
type KnownBudgets = { product: SpendLimit | null; own: readonly Budget[]; all: CallBudgets; isForAll: boolean };

/** Finds the budgets of calls. */
export class Budgets {
  readonly #sources: BudgetSources;
  readonly #known = new WeakMap<ApiKey, KnownBudgets>();

  constructor(sources: BudgetSources) {
    this.#sources = sources;
  }

  /**
   * Those of a call. A budget that names models holds for the one that serves, whatever it was called.
   *
   * @param targets of a route's call: who may serve it; none: only what holds whoever does
   *
   * /!\ Hot path: the same object for all calls of a key whose budgets hold for every model.
   */
  of(key: ApiKey, model: BudgetedModel, targets: readonly Target[] = NO_TARGETS): CallBudgets {
    const product = key.product === null ? null : this.#sources.ofProduct(key.product);
    const own = this.#sources.ofKey(key);
    if (product === null && own.length === 0) return NO_BUDGETS;
    let known = this.#known.get(key);
    if (known === undefined || known.product !== product || known.own !== own) {
      known = join(key, product, own);
      this.#known.set(key, known);
    }
    if (known.isForAll) return known.all;
    const { list } = known.all;
    const held = list.filter(
      (budget) =>
        !isInstead(budget, model) &&
        (holdsFor(budget, model) || targets.some((target) => appliesAt(budget, target, model.find))),
    );
    if (model.entry.origin === 'vendor') return held.length === list.length ? known.all : callBudgets(held);
    if (targets.length === 0) return { ...callBudgets(held), hasMore: held.length < list.length };
    const ofTargets = held.filter((budget) => !holdsFor(budget, model));
    const notAt = (target: Target) =>
      new Set(ofTargets.filter((budget) => !appliesAt(budget, target, model.find)).map(({ id }) => id));
    return { ...callBudgets(held), notAt };
  }
}

function join(key: ApiKey, product: SpendLimit | null, own: readonly Budget[]): KnownBudgets {
  const all = product === null ? own : [productBudget(key.product!, product), ...own];
  const isForAll = all.every(({ models, instead }) => models === null && instead === null);
  return { product, own, all: callBudgets(all), isForAll };
}

function callBudgets(list: readonly Budget[]): CallBudgets {
  const ids = list.filter(({ id }) => budgetOwner(id) === null).map(({ id }) => id);
  return { list, ids: ids.join(' ') };
}

/** True if the call is for what serves instead of it. */
function isInstead({ instead }: Budget, { entry, sent }: BudgetedModel): boolean {
  return instead !== null && isNamed(entry, sent, [instead]);
}

/** True if it applies to the called name, whichever target serves. */
function holdsFor({ models }: Budget, { entry, sent, find }: BudgetedModel): boolean {
  if (models === null || isNamed(entry, sent, models)) return true;
  return entry.origin === 'vendor' && matchesTerms(identityOf(entry.provider, entry.model), termsOf(models, find));
}

/** True if it applies to a route's call when this target serves. */
function appliesAt({ models, instead }: Budget, { provider, model }: Target, find: Directory['find']): boolean {
  if (models === null || instead === model.id || instead === `${provider.id}/${model.id}`) return false;
  return matchesTerms(identityOf(provider, model), termsOf(models, find));
}

/** The most cached budgets of settings. */
const MAX_KNOWN = 10_000;

/** The budgets from settings of organizations and projects. A limit has the same object for all its keys. */
export class SettingsBudgets {
  readonly #lists = new WeakMap<KeySettings, readonly Budget[]>();
  /**
   * By id, with when its limit was set. A limit that was removed and set again gets a new object, so that its spending is
   * read again.
   */
  readonly #known = new Map<string, { budget: Budget; setAt: number }>();
  /** By id and version. */
  readonly #shared = new Map<string, Budget>();

  /** Shared budgets, then the limits of the project and of the organization. */
  of(settings: KeySettings | undefined): readonly Budget[] {
    if (settings === undefined || settings.spendLimits.length + settings.budgets.length === 0) return NO_BUDGETS.list;
    const known = this.#lists.get(settings);
    if (known !== undefined) return known;
    const narrowestFirst = settings.spendLimits.toSorted(
      (one, other) => Number(one.projectId === null) - Number(other.projectId === null),
    );
    const list = [
      ...settings.budgets.map((budget) => this.#sharedBudget(budget)),
      ...narrowestFirst.map((limit) => this.#budget(limit)),
    ];
    this.#lists.set(settings, list);
    return list;
  }

  #budget({ organizationId, projectId, name, cents, setAt }: SpendLimitInForce): Budget {
    const group: KeyGroup =
      projectId === null ? { of: 'organization', id: organizationId } : { of: 'project', id: projectId };
    const id = budgetId(group);
    const amount = BigInt(cents) * NANO_PER_CENT;
    const called = `the budget of the ${group.of} \`${name}\``;
    const known = this.#known.get(id);
    if (known?.setAt === setAt && known.budget.amount === amount && known.budget.name === called) return known.budget;
    const budget = hardBudget(id, called, { amount, per: 'month' });
    remember(this.#known, id, { budget, setAt });
    return budget;
  }

  #sharedBudget({ id, version, value }: BudgetInForce): Budget {
    const key = `${id} ${version}`;
    const known = this.#shared.get(key);
    if (known !== undefined) return known;
    const { name, amount, per, isHard, instead, models, overrides } = value;
    const budget: Budget = {
      id,
      name: `the budget \`${name}\``,
      amount: BigInt(amount),
      per,
      overrides: overrides.map((more) => ({ amount: BigInt(more.amount), until: more.until })),
      isHard,
      instead,
      models,
    };
    remember(this.#shared, key, budget);
    return budget;
  }
}

/** Caches a value, and drops the oldest if there are too many. */
function remember<Value>(known: Map<string, Value>, key: string, value: Value): void {
  const [oldest] = known.keys();
  if (!known.has(key) && oldest !== undefined && known.size >= MAX_KNOWN) known.delete(oldest);
  known.set(key, value);
}

/** The spend limit of a key as a budget; `null` without one. */
export function keyBudget({ id, spendLimit }: Pick<ApiKey, 'id' | 'spendLimit'>): Budget | null {
  return spendLimit === null ? null : hardBudget(id, 'the spend limit of this API key', spendLimit);
}

/** One per product and configuration, shared by all its keys. */
const productBudgets = new WeakMap<SpendLimit, Budget>();

function productBudget(product: string, limit: SpendLimit): Budget {
  let budget = productBudgets.get(limit);
  if (budget === undefined) {
    budget = hardBudget(budgetId({ of: 'product', id: product }), `the budget of the product \`${product}\``, limit);
    productBudgets.set(limit, budget);
  }
  return budget;
}

function hardBudget(id: string, name: string, { amount, per }: SpendLimit): Budget {
  return { id, name, amount, per, overrides: [], isHard: true, instead: null, models: null };
}
