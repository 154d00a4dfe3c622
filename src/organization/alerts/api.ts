import { z } from 'zod';
import {
  cursorQuery,
  emailText,
  ifVersion,
  ifVersionOrNone,
  pageJson,
  pageOf,
  pageQuery,
  version,
} from '../../api/fields.ts';
import { operation } from '../../api/operation.ts';
import { named, text } from '../../api/schema.ts';
import { MAX_LIMIT_CENTS } from '../../core/money.ts';
import type { Setting } from '../../core/settings.ts';
import { slicePage } from '../pages.ts';
import { atWork } from '../parts.ts';
import { resource } from '../resource.ts';
import {
  allSpendLimits,
  createSpendAlert,
  deleteSpendAlert,
  deleteSpendLimit,
  findSpendAlert,
  findSpendLimit,
  listSpendAlerts,
  type SpendAlert,
  type SpendOwner,
  setSpendLimit,
  updateSpendAlert,
} from './service.ts';

const MAX_RECIPIENTS = 50;

const cents = z
  .int('must be a whole number of cents')
  .min(1, 'must be greater than 0')
  .max(MAX_LIMIT_CENTS, `must be at most ${MAX_LIMIT_CENTS}`)
  .describe('Whole cents.');
const money = {
  currency: z.literal('USD', 'must be USD'),
  interval: z.literal('month', 'must be month').describe('A UTC month.'),
  threshold_amount: cents,
};
const channel = z.strictObject({
  type: z.literal('email', 'must be email'),
  recipients: z
    .array(emailText, 'must be a list')
    .min(1, 'must name at least one')
    .max(MAX_RECIPIENTS, `must name at most ${MAX_RECIPIENTS}`),
  subject_prefix: z.string('must be text').max(200, 'must have at most 200 characters').nullish(),
});

const limitRequest = named('SpendLimitRequest', z.strictObject({ ...money, if_version: ifVersionOrNone }));
const alertWords = { ...money, notification_channel: channel };
const alertRequest = named('SpendAlertRequest', z.strictObject(alertWords));
const alertUpdate = named('SpendAlertUpdate', z.strictObject({ ...alertWords, if_version: ifVersion }));

type SpendOf = 'organization' | 'project';

/** The names and paths of the same operations for the organization and for each project. */
const WORDS = {
  organization: { base: '/v1/organization', name: 'Organization', what: 'the organization' },
  project: { base: '/v1/organization/projects/{project_id}', name: 'Project', what: 'a project' },
} as const;

const reading = { tag: 'Organization', access: { permission: 'api.budgets.read' } } as const;
const writing = { tag: 'Organization', access: { permission: 'api.budgets.write' } } as const;

const limited = { ...money, version, enforcement: z.object({ status: z.enum(['inactive', 'enforcing']) }) };

function limitOperations(of: SpendOf) {
  const { base, name, what } = WORDS[of];
  const object = z.literal<`${SpendOf}.spend_limit`>(`${of}.spend_limit`);
  const limit = named(`${name}SpendLimit`, z.object({ object, ...limited }));
  const deleted = z.literal<`${SpendOf}.spend_limit.deleted`>(`${of}.spend_limit.deleted`);
  return {
    get: operation(`retrieve${name}SpendLimit`, `GET ${base}/spend_limit`, {
      ...reading,
      summary: `Get the monthly spend limit of ${what}.`,
      answer: { description: 'The limit.', schema: limit },
    }),
    set: operation(`update${name}SpendLimit`, `POST ${base}/spend_limit`, {
      ...writing,
      summary: `Set the monthly spend limit of ${what}. Calls beyond it are refused.`,
      body: { schema: limitRequest },
      answer: { description: 'The limit.', schema: limit },
      errors: ['conflict'],
    }),
    delete: operation(`delete${name}SpendLimit`, `DELETE ${base}/spend_limit`, {
      ...writing,
      summary: `Remove the spend limit of ${what}.`,
      answer: {
        description: 'The deleted object.',
        schema: named(`${name}SpendLimitDeleted`, z.object({ object: deleted, deleted: z.literal(true) })),
      },
    }),
  };
}

function alertOperations(of: SpendOf) {
  const { base, name, what } = WORDS[of];
  const alert = named(
    `${name}SpendAlert`,
    z.object({
      id: text,
      object: z.literal<`${SpendOf}.spend_alert`>(`${of}.spend_alert`),
      ...money,
      notification_channel: z.object({
        type: z.literal('email'),
        recipients: z.array(text),
        subject_prefix: text.nullable(),
      }),
      version,
    }),
  );
  const deleted = z.literal<`${SpendOf}.spend_alert.deleted`>(`${of}.spend_alert.deleted`);
  return {
    list: operation(`list${name}SpendAlerts`, `GET ${base}/spend_alerts`, {
      ...reading,
      summary: `List the spend alerts of ${what}.`,
      query: pageQuery(),
      answer: { description: 'A page of alerts.', schema: pageOf(`${name}SpendAlertList`, alert) },
    }),
    create: operation(`create${name}SpendAlert`, `POST ${base}/spend_alerts`, {
      ...writing,
      summary: `Create an alert for an amount that ${what} spends in a month.`,
      body: { schema: alertRequest },
      answer: { description: 'The alert.', schema: alert },
    }),
    get: operation(`retrieve${name}SpendAlert`, `GET ${base}/spend_alerts/{alert_id}`, {
      ...reading,
      summary: `Get a spend alert of ${what}.`,
      answer: { description: 'The alert.', schema: alert },
    }),
    update: operation(`update${name}SpendAlert`, `POST ${base}/spend_alerts/{alert_id}`, {
      ...writing,
      summary: `Change a spend alert of ${what}.`,
      body: { schema: alertUpdate },
      answer: { description: 'The alert.', schema: alert },
      errors: ['conflict'],
    }),
    delete: operation(`delete${name}SpendAlert`, `DELETE ${base}/spend_alerts/{alert_id}`, {
      ...writing,
      summary: `Delete an alert on what ${what} spends.`,
      answer: {
        description: 'The deleted object.',
        schema: named(`${name}SpendAlertDeleted`, z.object({ id: text, object: deleted, deleted: z.literal(true) })),
      },
    }),
  };
}

/** An extension: OpenAI's operations on one limit answer 404 if there is none. */
const LIST = operation('listSpendLimits', 'GET /v1/organization/spend_limits', {
  client: 'settings.spendLimits.list',
  ...reading,
  summary: 'List the monthly spend limits of the organization and its projects.',
  query: cursorQuery({ limit: 100, max: 1000 }),
  answer: {
    description: 'A page of limits, by id.',
    schema: pageOf(
      'SpendLimitList',
      named(
        'SpendLimit',
        z.object({
          id: text.describe('Id of the project, or of the organization.'),
          object: z.enum(['organization.spend_limit', 'project.spend_limit']),
          project_id: text.nullable().describe('`null`: the organization as a whole.'),
          ...limited,
        }),
      ),
    ),
  },
});

const LIMITS = { organization: limitOperations('organization'), project: limitOperations('project') };
const ALERTS = { organization: alertOperations('organization'), project: alertOperations('project') };

export const SPEND_OPERATIONS = resource([
  LIST.handledBy(async ({ administrator, query }, parts) => {
    const limits = (await allSpendLimits(atWork(parts, administrator))).map((limit) => ({
      id: limit.parentId ?? administrator.organizationId,
      projectId: limit.parentId,
      limit,
    }));
    return pageJson(slicePage(limits, query), ({ id, projectId, limit }) => ({
      ...{ id, project_id: projectId },
      ...limitJson(projectId === null ? 'organization' : 'project', limit),
    }));
  }),
  ...(['organization', 'project'] as const).flatMap((owner) => [...limitsOf(owner), ...alertsOf(owner)]),
]);

function ownerIn(path: Readonly<Record<string, string>>): SpendOwner {
  return path.project_id ?? null;
}

function limitsOf(of: SpendOf) {
  return resource([
    LIMITS[of].get.handledBy(async ({ administrator, path }, parts) =>
      limitJson(of, await findSpendLimit(atWork(parts, administrator), ownerIn(path))),
    ),
    LIMITS[of].set.handledBy(async ({ administrator, path, body: { threshold_amount: cents, if_version } }, parts) => {
      const admin = atWork(parts, administrator);
      return limitJson(of, await setSpendLimit(admin, ownerIn(path), { cents }, if_version));
    }),
    LIMITS[of].delete.handledBy(async ({ administrator, path }, parts) => {
      await deleteSpendLimit(atWork(parts, administrator), ownerIn(path));
      return { object: `${of}.spend_limit.deleted`, deleted: true };
    }),
  ]);
}

function alertsOf(of: SpendOf) {
  return resource([
    ALERTS[of].list.handledBy(async ({ administrator, path, query }, parts) =>
      pageJson(await listSpendAlerts(atWork(parts, administrator), ownerIn(path), query), (each) =>
        alertJson(of, each),
      ),
    ),
    ALERTS[of].create.handledBy(async ({ administrator, path, body }, parts) =>
      alertJson(of, await createSpendAlert(atWork(parts, administrator), ownerIn(path), alertOf(body))),
    ),
    ALERTS[of].get.handledBy(async ({ administrator, path }, parts) =>
      alertJson(of, await findSpendAlert(atWork(parts, administrator), ownerIn(path), path.alert_id)),
    ),
    ALERTS[of].update.handledBy(async ({ administrator, path, body }, parts) => {
      const which = { owner: ownerIn(path), id: path.alert_id, ifVersion: body.if_version };
      return alertJson(of, await updateSpendAlert(atWork(parts, administrator), which, alertOf(body)));
    }),
    ALERTS[of].delete.handledBy(async ({ administrator, path }, parts) => {
      const id = path.alert_id;
      await deleteSpendAlert(atWork(parts, administrator), ownerIn(path), id);
      return { id, object: `${of}.spend_alert.deleted`, deleted: true };
    }),
  ]);
}

function limitJson(of: SpendOf, { value: { cents, isEnforced }, version: number }: Setting<'spend_limit'>) {
  return {
    object: `${of}.spend_limit` as const,
    currency: 'USD' as const,
    interval: 'month' as const,
    threshold_amount: cents,
    version: number,
    enforcement: { status: isEnforced ? ('enforcing' as const) : ('inactive' as const) },
  };
}

function alertOf({ threshold_amount, notification_channel: channelOf }: z.output<typeof alertRequest>): SpendAlert {
  return {
    cents: threshold_amount,
    recipients: channelOf.recipients,
    subjectPrefix: channelOf.subject_prefix ?? null,
  };
}

function alertJson(of: SpendOf, { id, value, version: number }: Setting<'spend_alert'>) {
  return {
    id,
    object: `${of}.spend_alert` as const,
    currency: 'USD' as const,
    interval: 'month' as const,
    threshold_amount: value.cents,
    notification_channel: {
      type: 'email' as const,
      recipients: value.recipients,
      subject_prefix: value.subjectPrefix,
    },
    version: number,
  };
}
