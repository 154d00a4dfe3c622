import type { PassedThreshold, WatchedSpend } from '../../core/budget.ts';
import type { SendMail } from '../../core/mail.ts';
import { dollars, dollarsText } from '../../core/money.ts';
import { roundedText } from '../../core/money-text.ts';
import { budgetId, type KeyGroup, type Organization } from '../../core/records.ts';
import type { Setting } from '../../core/settings.ts';
import type { WebhookEventType } from '../../core/webhooks.ts';
import type { AdminParts } from '../administration.ts';
import { amountsOf } from '../budgets/standing.ts';
import { notify } from '../webhooks/notify.ts';
import { amountOf } from './service.ts';

/** Spending to report, and how. */
export type SpendNotice = { watched: WatchedSpend; tell(passed: PassedThreshold): Promise<void> };

export type NoticeParts = Pick<AdminParts, 'settings' | 'webhooks' | 'clock' | 'ids'> & {
  /** `null` without a mail server. */
  sendMail: SendMail | null;
};

/** An alert and its subject: in words, and as its event has it. */
type Alert = {
  organizationId: string;
  type: WebhookEventType;
  id: string;
  what: string;
  data: Readonly<Record<string, unknown>>;
  recipients: readonly string[];
  subjectPrefix: string | null;
};

/**
 * All alerts of an organization. Webhook and mail are separate notices, so that a failure of one does not repeat the
 * other.
 */
export async function spendNotices(parts: NoticeParts, organization: Organization): Promise<SpendNotice[]> {
  const alerts = await parts.settings.all(organization.id, 'spend_alert');
  const limits = await parts.settings.all(organization.id, 'spend_limit');
  const budgets = await parts.settings.all(organization.id, 'budget');
  const owners = await ownersOf(parts, organization, [...alerts, ...limits]);
  return [
    ...alerts.flatMap((alert) => noticesOfAlert(parts, owners, alert)),
    ...limits.flatMap((limit) => noticesOfLimit(parts, owners, limit)),
    ...budgets.flatMap((budget) => noticesOfBudget(parts, organization, budget)),
  ];
}

/** The subjects of spending: an organization, and the names of its projects. */
type Owners = { organization: Organization; names: ReadonlyMap<string, string> };

async function ownersOf(
  { settings }: NoticeParts,
  organization: Organization,
  limits: readonly Pick<Setting<'spend_alert' | 'spend_limit'>, 'parentId'>[],
): Promise<Owners> {
  const ids = [...new Set(limits.flatMap(({ parentId }) => parentId ?? []))];
  const projects = ids.length === 0 ? [] : await settings.all(organization.id, 'project', { ids });
  return { organization, names: new Map(projects.map((project) => [project.id, project.value.name])) };
}

function noticesOfAlert(parts: NoticeParts, owners: Owners, alert: Setting<'spend_alert'>): SpendNotice[] {
  const { watched, about } = monthOf(owners, alert);
  return noticesOf(parts, { ...watched, id: alert.id }, { ...about, type: 'spend_alert.triggered', ...alert.value });
}

function noticesOfLimit(parts: NoticeParts, owners: Owners, limit: Setting<'spend_limit'>): SpendNotice[] {
  const { watched, about } = monthOf(owners, limit);
  const id = `${watched.spentUnder} limit`;
  const alert = { ...about, type: 'spend_limit.reached', recipients: [], subjectPrefix: null } as const;
  return noticesOf(parts, { ...watched, id, isHard: true }, alert);
}

/** The watched month of the organization or a project, and its wording. */
function monthOf(
  { organization, names }: Owners,
  {
    id,
    parentId,
    createdAt,
    value,
  }: Pick<Setting<'spend_alert' | 'spend_limit'>, 'id' | 'parentId' | 'createdAt' | 'value'>,
): { watched: Omit<WatchedSpend, 'id'>; about: Pick<Alert, 'organizationId' | 'id' | 'what' | 'data'> } {
  const { id: organizationId, name } = organization;
  const of: KeyGroup = parentId === null ? { of: 'organization', id: organizationId } : { of: 'project', id: parentId };
  const amount = amountOf(value);
  const what = `The ${of.of} "${parentId === null ? name : (names.get(parentId) ?? parentId)}"`;
  const data = { id, project_id: parentId, currency: 'USD', interval: 'month', threshold_amount: value.cents };
  return {
    watched: {
      spentUnder: budgetId(of),
      amount,
      per: 'month',
      overrides: [],
      alerts: [amount],
      isHard: false,
      isMailed: false,
      since: createdAt,
    },
    about: { organizationId, id, what, data },
  };
}

function noticesOfBudget(
  parts: NoticeParts,
  { id: organizationId }: Organization,
  { id, createdAt, value }: Setting<'budget'>,
): SpendNotice[] {
  const { name, per, alerts, recipients, isHard } = value;
  if (alerts.length === 0) return [];
  const watched: WatchedSpend = {
    ...{ id, spentUnder: id, ...amountsOf(value), per, alerts, isHard },
    ...{ isMailed: false, since: createdAt },
  };
  const data = { id, name, currency: 'USD', interval: per };
  const what = `The budget "${name}"`;
  return noticesOf(parts, watched, {
    organizationId,
    type: 'spend_alert.triggered',
    id,
    what,
    data,
    recipients,
    subjectPrefix: null,
  });
}

function noticesOf(parts: NoticeParts, watched: WatchedSpend, alert: Alert): SpendNotice[] {
  const told: SpendNotice[] = [{ watched, tell: (passed) => tellEndpoints(parts, alert, passed) }];
  const { sendMail } = parts;
  if (sendMail !== null && alert.recipients.length > 0) {
    told.push({
      watched: { ...watched, id: `${watched.id} mail`, isMailed: true },
      tell: (passed) => sendMail(mailOf(alert, passed)),
    });
  }
  return told;
}

function tellEndpoints(
  parts: NoticeParts,
  { organizationId, type, data }: Alert,
  { amount, spent, period }: PassedThreshold,
): Promise<void> {
  return notify(parts, {
    organizationId,
    type,
    data: {
      ...data,
      alert_usd: dollars(amount),
      spent_usd: dollars(spent),
      spent_decimal: dollarsText(spent),
      period_start: startOf(period),
    },
  });
}

function mailOf({ id, what, recipients, subjectPrefix }: Alert, { amount, spent, period }: PassedThreshold) {
  const sentence = `${what} has spent ${roundedText(spent)}`;
  return {
    to: recipients,
    subject: [subjectPrefix, sentence].filter((part) => part !== null && part !== '').join(' '),
    text: [
      `${sentence}, more than its alert at ${roundedText(amount)}.`,
      '',
      `Since: ${startOf(period) === null ? 'its beginning' : `${period.split(' ')[1]}, UTC`}.`,
      `Alert: ${id}.`,
    ].join('\n'),
  };
}

/** The start of a period (`periodId`) in Unix seconds; `null` for a lifetime. */
function startOf(period: string): number | null {
  const [, day] = period.split(' ');
  return day === undefined ? null : Date.parse(day) / 1000;
}
