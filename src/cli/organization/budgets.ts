import { dollarsText, MAX_LIMIT_CENTS, NANO_PER_CENT, nanoDollarsOf } from '../../core/money.ts';
import { roundedText } from '../../core/money-text.ts';
import { type Api, at } from '../api.ts';
import type { Command, CommandCall } from '../command.ts';
import { ApiRefusal, OperatorError, UsageError } from '../failure.ts';
import { timeText } from '../phrases.ts';
import { nanoOf } from '../spend-text.ts';
import { table } from '../table.ts';
import { momentOf } from '../when.ts';
import { shownName } from './shown-name.ts';
import { amountOf, BUDGET_OPTIONS, inOptions, wantedBudget } from './wanted-budget.ts';

const ORGANIZATION = { organization: { value: 'ID', about: 'The organization (default: the first).' } } as const;
const NAME = { value: 'NAME', about: 'The budget’s name.', required: true } as const;

const BUDGETS = '/v1/organization/budgets';
/** How often a change is tried that others overtake. */
const MAX_TRIES = 5;

type ShownOverride = { amount_usd: string; ends_at: number };

/** A named budget as the HTTP API gives it. Amounts are dollars, exactly; times are Unix seconds. */
type ShownBudget = {
  id: string;
  name: string;
  holders: readonly { type: string; id: string }[];
  interval: string;
  hard: boolean;
  overrides: readonly ShownOverride[];
  limit_usd: string;
  spent_usd: string;
  resets_at: number | null;
  version: number;
};

/** The use of a spend limit. */
type LimitUse = {
  project: { id: string; name: string } | null;
  limit: number;
  used: number;
  resets_at: number | null;
};

/** A row of the list: a spend limit or a named budget. */
type BudgetLine = { name: string; of: string; amount: string; spent: string; anew: string };

export const budgetsList: Command = {
  name: 'budgets list',
  about: 'List spend limits and budgets, and what budgets have spent.',
  options: ORGANIZATION,
  examples: ['headgate budgets list', 'headgate budgets list --json'],
  async run({ api }) {
    // Of rate limits, the use would have to be summed up.
    const ofSpend = { measure: 'spend_usd', include_archived: 'true' };
    const { data: limits } = await api.list<LimitUse>('/v1/organization/limit_use', ofSpend);
    const { data: budgets } = await api.list<ShownBudget>(BUDGETS);
    const columns = [
      { title: 'NAME', of: ({ name }: BudgetLine) => name },
      { title: 'OF', of: ({ of }: BudgetLine) => of },
      { title: 'AMOUNT', of: ({ amount }: BudgetLine) => amount },
      { title: 'SPENT', of: ({ spent }: BudgetLine) => spent },
      { title: 'ANEW (UTC)', of: ({ anew }: BudgetLine) => anew },
    ];
    const rows = [...limits.map(rowOfLimit), ...budgets.map(rowOfBudget)];
    return {
      text: rows.length === 0 ? 'No budgets are set. Add one: headgate budgets set 100' : table(columns, rows),
      json: { object: 'list', data: [...limits, ...budgets] },
    };
  },
};

export const budgetsSet: Command = {
  name: 'budgets set',
  about: 'Set what the organization, a project or others may spend. Further calls are refused.',
  details: [
    'Without --name, this is the limit per UTC month of the organization or a project, in whole cents. With --name, it',
    'changes or creates the budget of that name, for the organization or for --of, with any period. Earlier spending in the',
    'current period counts, except for life budgets, groups, --models and --instead, which count from their creation.',
  ].join('\n'),
  argument: { value: 'USD', about: 'Dollars; without --name, `none` removes the limit.', required: true },
  options: {
    ...ORGANIZATION,
    project: { value: 'ID', about: 'Monthly limit of this project (default: of the organization).' },
    name: { value: 'NAME', about: 'The budget to change or create.' },
    ...BUDGET_OPTIONS,
  },
  examples: [
    'headgate budgets set 5000',
    'headgate budgets set 250 --project proj_1',
    'headgate budgets set 50 --name research --of group:group_1,user:user_1 --per week --alerts 0.5,0.8',
    'headgate budgets set none',
  ],
  run: (call) =>
    call.values.name === undefined ? setLimit(call) : setBudget(call, shownName('--name', call.values.name)),
};

async function setLimit({ argument = '', values, flags, api }: CommandCall) {
  const other = Object.keys(BUDGET_OPTIONS).find((option) => values[option] !== undefined || flags.has(option));
  if (other !== undefined) throw new UsageError(`--${other} belongs to a named budget. Add --name.`);
  const { project } = values;
  const path =
    project === undefined ? '/v1/organization/spend_limit' : at`/v1/organization/projects/${project}/spend_limit`;
  const whose = project === undefined ? 'The organization' : `Project ${project}`;
  const cents = argument === 'none' ? null : centsOf(argument);
  const limit = { currency: 'USD', interval: 'month', threshold_amount: cents };
  const json = await (cents === null ? api.remove(path) : api.post(path, limit));
  const text =
    cents === null ? `${whose} has no monthly limit now.` : `${whose} may spend $${(cents / 100).toFixed(2)} a month.`;
  return { text: `${text} In force within a second.`, json };
}

async function setBudget({ argument = '', values, flags, api }: CommandCall, name: string) {
  if (values.project !== undefined) throw new UsageError('With --name a project is said as --of project:ID.');
  const edit = wantedBudget(argument, values, flags);
  const before = await budgetNamed(api, name);
  const json = await inOptions(
    before === undefined
      ? api.post<ShownBudget>(BUDGETS, { name, holders: [{ type: 'organization' }], ...edit })
      : api.post<ShownBudget>(at`/v1/organization/budgets/${before.id}`, edit),
  );
  return { text: `${sentenceOf(json)} In force within a second.`, json };
}

/** The budget with this name; `undefined` if there is none. */
async function budgetNamed(api: Api, name: string): Promise<ShownBudget | undefined> {
  const { data } = await api.list<ShownBudget>(BUDGETS);
  return data.find((each) => each.name === name);
}

async function demandBudget(api: Api, name: string): Promise<ShownBudget> {
  const budget = await budgetNamed(api, name);
  if (budget !== undefined) return budget;
  throw new OperatorError(`There is no budget “${name}”. List the budgets: headgate budgets list`);
}

export const budgetsRemove: Command = {
  name: 'budgets remove',
  about: 'Remove a named budget permanently, with its spending.',
  argument: NAME,
  options: ORGANIZATION,
  examples: ['headgate budgets remove research'],
  async run({ argument = '', api }) {
    const { id } = await demandBudget(api, argument);
    const json = await api.remove(at`/v1/organization/budgets/${id}`);
    return { text: `The budget ${argument} is removed.`, json };
  },
};

export const budgetsOverride: Command = {
  name: 'budgets override',
  about: 'Add an amount to a named budget until a time.',
  argument: NAME,
  second: { value: 'USD', about: 'Dollars to add.', required: true },
  options: {
    ...ORGANIZATION,
    until: {
      value: 'WHEN',
      about: 'After a duration (3d, 12h) or at a date (2027-01-31, or 2027-01-31T09:00:00Z).',
      required: true,
    },
  },
  examples: ['headgate budgets override research 50 --until 3d'],
  async run({ argument = '', second = '', values, tools, api }) {
    const until = momentOf(values.until ?? '', tools.clock.now(), 'ahead');
    if (until === null || until <= tools.clock.now()) {
      throw new UsageError('--until must be a duration such as 3d or 12h, or a future date such as 2027-01-31.');
    }
    const added = { amount_usd: dollarsText(amountOf(second)), ends_at: Math.ceil(until / 1000) };
    const json = await inOptions(withOverride(api, argument, added, tools.clock.now()));
    return { text: `${sentenceOf(json)} Until ${timeText(until)} UTC. In force within a second.`, json };
  },
};

/** Adds to the overrides that are there. Those that ended before `now` (Unix ms) are dropped. */
async function withOverride(api: Api, name: string, added: ShownOverride, now: number): Promise<ShownBudget> {
  for (let tries = 1; ; tries += 1) {
    const { id, overrides, version } = await demandBudget(api, name);
    const current = overrides.filter(({ ends_at: end }) => end * 1000 > now);
    const edit = { overrides: [...current, added], if_version: version };
    try {
      return await api.post<ShownBudget>(at`/v1/organization/budgets/${id}`, edit);
    } catch (error) {
      const isOvertaken = error instanceof ApiRefusal && error.status === 409;
      if (!isOvertaken || tries === MAX_TRIES) throw error;
    }
  }
}

function centsOf(text: string): number {
  const amount = nanoDollarsOf(text.replace(/^\$/, ''));
  if (amount === null || amount === 0n || amount % NANO_PER_CENT !== 0n) {
    throw new UsageError('USD must be dollars in whole cents, such as 25 or 99.50, or none.');
  }
  const cents = Number(amount / NANO_PER_CENT);
  if (cents > MAX_LIMIT_CENTS) throw new UsageError(`USD must be at most ${MAX_LIMIT_CENTS / 100}.`);
  return cents;
}

/** `a week`; `in total`. */
function perText(per: string): string {
  return per === 'life' ? 'in all' : `a ${per}`;
}

function sentenceOf({ name, hard, limit_usd: limit, interval }: ShownBudget): string {
  const may = hard ? 'may spend' : 'reports spending beyond';
  return `The budget ${name} ${may} ${roundedText(nanoOf(limit))} ${perText(interval)}.`;
}

function rowOfLimit({ project, limit, used, resets_at: end }: LimitUse): BudgetLine {
  const of = project === null ? 'the organization' : `project ${project.name}`;
  const amount = `$${limit.toFixed(2)} a month`;
  return { name: '-', of, amount, spent: roundedText(nanoOf(used)), anew: anewText(end) };
}

function rowOfBudget({ name, holders, interval, hard, limit_usd, spent_usd, resets_at: end }: ShownBudget): BudgetLine {
  const amount = `${roundedText(nanoOf(limit_usd))} ${perText(interval)}`;
  return {
    name,
    of: holders.map(({ type, id }) => (type === 'organization' ? 'the organization' : `${type} ${id}`)).join(', '),
    amount: hard ? amount : `${amount}, not enforced`,
    spent: roundedText(nanoOf(spent_usd)),
    anew: anewText(end),
  };
}

function anewText(seconds: number | null): string {
  return seconds === null ? '-' : timeText(seconds * 1000);
}
