import { dollarsText, type NanoDollars, nanoDollarsOf } from '../../core/money.ts';
import { SPEND_PERIODS } from '../../core/records.ts';
import { type BudgetHolder, HOLDER_TYPES } from '../../core/settings.ts';
import type { CommandCall, Options } from '../command.ts';
import { inOptionsOf, UsageError } from '../failure.ts';
import { NONE } from '../keys/wanted.ts';

/** Options that only a named budget has. */
export const BUDGET_OPTIONS: Options = {
  of: {
    value: 'TYPE:ID,…',
    about: `Holders that share it: ${HOLDER_TYPES.join(', ')}.`,
  },
  per: { value: 'PERIOD', about: `One of ${SPEND_PERIODS.join(', ')} (UTC); default for a new one: month.` },
  hard: { value: null, about: 'Refuse calls beyond it (default for a new one).' },
  soft: { value: null, about: 'Only count and alert.' },
  alerts: { value: '0.5,0.8', about: `Parts of it that send an alert, once per period; ${NONE} for no alerts.` },
  mail: { value: 'A@B,…', about: `Email addresses for its alerts, in addition to webhooks; or ${NONE}.` },
  models: { value: 'A,B', about: `Models and routes that it applies to; ${NONE} for all.` },
  instead: { value: 'MODEL', about: `Model or route that serves once it is used up; or ${NONE}.` },
};

/** The members of a request that change a budget. */
type BudgetInBody = {
  amount_usd: string;
  holders?: readonly BudgetHolder[];
  interval?: string;
  hard?: boolean;
  alerts?: readonly number[];
  recipients?: readonly string[];
  models?: readonly string[] | null;
  instead?: string | null;
};

/** The budget that the options describe. Throws a `UsageError` that names the faulty option. */
export function wantedBudget(usd: string, values: CommandCall['values'], flags: CommandCall['flags']): BudgetInBody {
  if (flags.has('hard') && flags.has('soft')) throw new UsageError('--hard and --soft cannot be used together.');
  const { of, per, alerts, mail, models, instead } = values;
  const edit: BudgetInBody = { amount_usd: dollarsText(amountOf(usd)) };
  if (of !== undefined) edit.holders = listOf(of).map(holderOf);
  if (per !== undefined) edit.interval = periodOf(per);
  if (flags.has('hard') || flags.has('soft')) edit.hard = flags.has('hard');
  if (alerts !== undefined) edit.alerts = listOf(alerts).map(partOf);
  if (mail !== undefined) edit.recipients = listOf(mail).map(addressOf);
  if (models !== undefined) edit.models = models === NONE ? null : listOf(models);
  if (instead !== undefined) edit.instead = instead === NONE ? null : instead;
  return edit;
}

function listOf(text: string): string[] {
  return text === NONE ? [] : text.split(',').map((each) => each.trim());
}

export function amountOf(usd: string): NanoDollars {
  const amount = nanoDollarsOf(usd.replace(/^\$/, ''));
  if (amount === null || amount === 0n) throw new UsageError('USD must be dollars above 0, such as 25 or 0.50.');
  return amount;
}

function holderOf(text: string): BudgetHolder {
  const [, word, id = ''] = /^([^:]+):(.+)$/.exec(text) ?? [];
  const type = HOLDER_TYPES.find((each) => each === word);
  if (type !== undefined) return { type, id };
  throw new UsageError(
    `--of must name holders such as project:proj_1 or group:group_1; the types are ${HOLDER_TYPES.join(', ')}.`,
  );
}

function periodOf(text: string) {
  const per = SPEND_PERIODS.find((each) => each === text);
  if (per === undefined) throw new UsageError(`--per must be one of ${SPEND_PERIODS.join(', ')}.`);
  return per;
}

function partOf(text: string): number {
  if (/^\d+(\.\d{1,6})?$/.test(text)) return Number(text);
  throw new UsageError('--alerts must be parts of the amount, such as 0.5,0.8.');
}

function addressOf(text: string): string {
  if (/^[^\s@<>",;]+@[^\s@<>",;]+$/u.test(text)) return text;
  throw new UsageError('--mail must be email addresses.');
}

/** The option of each field of a budget. */
const OPTION_OF: Readonly<Record<string, string>> = {
  name: '--name',
  amount_usd: 'USD',
  holders: '--of',
  alerts: '--alerts',
  recipients: '--mail',
  models: '--models',
  instead: '--instead',
};

/** Runs an operation of budgets. A refusal names the option at fault. */
export function inOptions<Result>(work: Promise<Result>): Promise<Result> {
  return inOptionsOf(OPTION_OF, work);
}
