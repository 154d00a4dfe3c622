import { dollarsText, MAX_LIMIT_CENTS, NANO_PER_CENT, nanoDollarsOf } from '../../core/money.ts';
import { roundedText } from '../../core/money-text.ts';
import {
  listBudgetsTask,
  overrideBudgetTask,
  putBudgetTask,
  removeBudgetTask,
  type StandingBudget,
  standingJson,
} from '../../tasks/budgets.ts';
import { type KeptSpendLimit, listSpendLimitsTask, setSpendLimitTask } from '../../tasks/settings.ts';
import type { Command, CommandCall } from '../command.ts';
import { UsageError } from '../failure.ts';
import { perform } from '../perform.ts';
import { timeText, unixSeconds } from '../phrases.ts';
import { table } from '../table.ts';
import { momentOf } from '../when.ts';
import { shownName } from './shown-name.ts';
import { amountOf, BUDGET_OPTIONS, inOptions, wantedBudget } from './wanted-budget.ts';

const ORGANIZATION = { organization: { value: 'ID', about: 'The organization (default: the first).' } } as const;
const NAME = { value: 'NAME', about: 'The budget’s name.', required: true } as const;

/** A row of the list: a spend limit or a named budget. */
type BudgetLine = { name: string; of: string; amount: string; spent: string; anew: string };

export const budgetsList: Command = {
  name: 'budgets list',
  about: 'List spend limits and budgets, and what budgets have spent.',
  options: ORGANIZATION,
  examples: ['headgate budgets list', 'headgate budgets list --json'],
  async run({ values: { organization = null }, where, tools }) {
    const input = { organizationId: organization };
    const setup = tools.readSetup(where);
    const { answer: limits, notes } = await perform(tools, setup, listSpendLimitsTask, input);
    const { answer: budgets } = await perform(tools, setup, listBudgetsTask, input);
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
      json: { object: 'list', data: [...limits.map(limitJson), ...budgets.map(standingJson)] },
      notes,
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

async function setLimit({ argument = '', values, flags, where, tools }: CommandCall) {
  const other = Object.keys(BUDGET_OPTIONS).find((option) => values[option] !== undefined || flags.has(option));
  if (other !== undefined) throw new UsageError(`--${other} belongs to a named budget. Add --name.`);
  const { organization = null, project = null } = values;
  const cents = argument === 'none' ? null : centsOf(argument);
  const input = { organizationId: organization, projectId: project, cents };
  await perform(tools, tools.readSetup(where), setSpendLimitTask, input);
  const whose = project === null ? 'The organization' : `Project ${project}`;
  const text =
    cents === null ? `${whose} has no monthly limit now.` : `${whose} may spend $${(cents / 100).toFixed(2)} a month.`;
  return { text: `${text} In force within a second.`, json: { project_id: project, cents, interval: 'month' } };
}

async function setBudget({ argument = '', values, flags, where, tools }: CommandCall, budgetName: string) {
  if (values.project !== undefined) throw new UsageError('With --name a project is said as --of project:ID.');
  const edit = wantedBudget(argument, values, flags);
  const input = { organizationId: values.organization ?? null, budgetName, edit };
  const { answer } = await inOptions(perform(tools, tools.readSetup(where), putBudgetTask, input));
  return { text: `${sentenceOf(answer)} In force within a second.`, json: standingJson(answer) };
}

export const budgetsRemove: Command = {
  name: 'budgets remove',
  about: 'Remove a named budget permanently, with its spending.',
  argument: NAME,
  options: ORGANIZATION,
  examples: ['headgate budgets remove research'],
  async run({ argument = '', values: { organization = null }, where, tools }) {
    const input = { organizationId: organization, budgetName: argument };
    await perform(tools, tools.readSetup(where), removeBudgetTask, input);
    return { text: `The budget ${argument} is removed.`, json: { name: argument, removed: true } };
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
  async run({ argument = '', second = '', values, where, tools }) {
    const until = momentOf(values.until ?? '', tools.clock.now(), 'ahead');
    if (until === null || until <= tools.clock.now()) {
      throw new UsageError('--until must be a duration such as 3d or 12h, or a future date such as 2027-01-31.');
    }
    const input = {
      organizationId: values.organization ?? null,
      budgetName: argument,
      amount: amountOf(second),
      until,
    };
    const { answer } = await inOptions(perform(tools, tools.readSetup(where), overrideBudgetTask, input));
    return {
      text: `${sentenceOf(answer)} Until ${timeText(until)} UTC. In force within a second.`,
      json: standingJson(answer),
    };
  },
};

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

function sentenceOf({ budget: { value }, standing }: StandingBudget): string {
  const may = value.isHard ? 'may spend' : 'reports spending beyond';
  return `The budget ${value.name} ${may} ${roundedText(standing.limit)} ${perText(value.per)}.`;
}

function rowOfLimit({ projectId, projectName, cents, spent, endsAt }: KeptSpendLimit): BudgetLine {
  const of = projectId === null ? 'the organization' : `project ${projectName ?? projectId}`;
  const amount = `$${(cents / 100).toFixed(2)} a month`;
  return { name: '-', of, amount, spent: roundedText(spent), anew: timeText(endsAt) };
}

function rowOfBudget({ budget: { value }, standing }: StandingBudget): BudgetLine {
  const amount = `${roundedText(standing.limit)} ${perText(value.per)}`;
  return {
    name: value.name,
    of: value.holders
      .map(({ type, id }) => (type === 'organization' ? 'the organization' : `${type} ${id}`))
      .join(', '),
    amount: value.isHard ? amount : `${amount}, not enforced`,
    spent: roundedText(standing.spent),
    anew: standing.endsAt === null ? '-' : timeText(standing.endsAt),
  };
}

function limitJson({ projectId, cents, spent, endsAt }: KeptSpendLimit) {
  return {
    ...{ project_id: projectId, cents, interval: 'month' },
    ...{ spent_usd: dollarsText(spent), resets_at: unixSeconds(endsAt) },
  };
}
