import { z } from 'zod';
import {
  created,
  deletedOf,
  inSeconds,
  inSecondsOrNull,
  nameText,
  pageJson,
  pageOf,
  pageQuery,
  version,
  writable,
} from '../../api/fields.ts';
import { operation } from '../../api/operation.ts';
import { count, named, seconds, text } from '../../api/schema.ts';
import { redactAddresses } from '../../core/address-redaction.ts';
import type { Setting } from '../../core/settings.ts';
import { WEBHOOK_EVENT_TYPES, type WebhookDelivery } from '../../core/webhooks.ts';
import { invalid } from '../administration.ts';
import { atWork, type SettingsParts } from '../parts.ts';
import { resource } from '../resource.ts';
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  type EndpointWithSecret,
  findWebhookEndpoint,
  listDeliveries,
  listWebhookEndpoints,
  rotateWebhookSecret,
  testWebhookEndpoint,
  updateWebhookEndpoint,
} from './service.ts';

const MAX_URL = 2_000;

const eventType = z.enum(WEBHOOK_EVENT_TYPES, `must be one of ${WEBHOOK_EVENT_TYPES.join(', ')}`);
const eventTypes = z
  .array(eventType)
  .min(1, 'must name at least one')
  .max(100, 'must name at most 100')
  .transform((types) => [...new Set(types)]);
const url = z
  .string('must be text')
  .max(MAX_URL, `must have at most ${MAX_URL} characters`)
  .refine((value) => /^https?:$/.test(URL.parse(value)?.protocol ?? ''), 'must be a URL')
  .refine(
    (value) => !/^https?:\/\/[^/?#]*@/.test(URL.parse(value)?.href ?? ''),
    'must contain no user name and no password',
  )
  .describe('The public https address that events are sent to.');

const members = {
  id: text,
  object: z.literal('webhook_endpoint'),
  created_at: created,
  updated_at: seconds,
  name: text,
  url: text.describe('The values of its query are hidden: `***`. An update with this address keeps them.'),
  event_types: z.array(text),
  signing_secret_hint: text,
  version,
};
const endpoint = named('WebhookEndpoint', z.object(members));
const withSecret = named(
  'WebhookEndpointWithSecret',
  z.object({ ...members, signing_secret: text.describe('Shown only here.') }),
);

const delivery = named(
  'WebhookDelivery',
  z.object({
    id: text,
    object: z.literal('webhook_endpoint.delivery'),
    created_at: created,
    event_id: text.describe('The `webhook-id` of every attempt.'),
    event_type: text,
    status: z.enum(['waiting', 'delivered', 'failed']),
    attempts: count,
    next_attempt_at: seconds.nullable(),
    delivered_at: seconds.nullable(),
    status_code: count.nullable().describe('The status of the last attempt.'),
    error: text.nullable().describe('Why the last attempt could not be sent.'),
  }),
);

const READ = { permission: 'api.webhooks.read' } as const;
const WRITE = { permission: 'api.webhooks.write' } as const;
const tag = 'Organization';

const bodies = writable('WebhookEndpoint', { name: nameText, url, event_types: eventTypes });

export const LIST_WEBHOOKS = operation('listWebhookEndpoints', 'GET /v1/webhook_endpoints', {
  client: 'settings.webhookEndpoints.list',
  tag,
  summary: 'List the organization’s webhook endpoints, newest first.',
  access: READ,
  query: pageQuery(),
  answer: { description: 'A page of endpoints.', schema: pageOf('WebhookEndpointList', endpoint) },
});

export const CREATE_WEBHOOK = operation('createWebhookEndpoint', 'POST /v1/webhook_endpoints', {
  client: 'settings.webhookEndpoints.create',
  tag,
  summary: 'Create a webhook endpoint.',
  description:
    'Requests are signed as in Standard Webhooks, and repeated with growing pauses for a day until one is answered with 2xx. ' +
    'The `webhook-id` stays the same.',
  access: WRITE,
  body: {
    schema: bodies.create,
  },
  answer: { description: 'The endpoint with its secret.', schema: withSecret },
});

export const RETRIEVE_WEBHOOK = operation('retrieveWebhookEndpoint', 'GET /v1/webhook_endpoints/{webhook_id}', {
  client: 'settings.webhookEndpoints.retrieve',
  tag,
  summary: 'Get an endpoint.',
  access: READ,
  answer: { description: 'The endpoint.', schema: endpoint },
});

export const UPDATE_WEBHOOK = operation('updateWebhookEndpoint', 'POST /v1/webhook_endpoints/{webhook_id}', {
  client: 'settings.webhookEndpoints.update',
  tag,
  summary: 'Change an endpoint.',
  access: WRITE,
  body: {
    schema: bodies.update,
  },
  answer: { description: 'The endpoint.', schema: endpoint },
});

export const DELETE_WEBHOOK = operation('deleteWebhookEndpoint', 'DELETE /v1/webhook_endpoints/{webhook_id}', {
  client: 'settings.webhookEndpoints.delete',
  tag,
  summary: 'Delete an endpoint, and what it was still to be told.',
  access: WRITE,
  answer: { description: 'It was deleted.', schema: deletedOf('WebhookEndpointDeleted', 'webhook_endpoint.deleted') },
});

export const ROTATE_WEBHOOK = operation(
  'rotateWebhookSecret',
  'POST /v1/webhook_endpoints/{webhook_id}/rotate_secret',
  {
    client: 'settings.webhookEndpoints.rotateSecret',
    tag,
    summary: 'Replace the secret of an endpoint.',
    access: WRITE,
    body: {
      schema: named(
        'WebhookSecretRotation',
        z.strictObject({
          keep_old_secret_active_for_24_hours: z
            .boolean('must be true or false')
            .default(false)
            .describe('Whether requests are signed with both secrets for a day.'),
        }),
      ),
    },
    answer: { description: 'The endpoint with its new secret.', schema: withSecret },
  },
);

export const TEST_WEBHOOK = operation('testWebhookEndpoint', 'POST /v1/webhook_endpoints/{webhook_id}/test', {
  client: 'settings.webhookEndpoints.test',
  tag,
  summary: 'Send one test event to an endpoint.',
  access: WRITE,
  body: { schema: named('WebhookTest', z.strictObject({ event_type: eventType })) },
  answer: {
    description: 'The endpoint’s answer.',
    schema: named(
      'WebhookTestResult',
      z.object({
        object: z.literal('webhook_endpoint.test'),
        webhook_endpoint_id: text,
        event_type: text,
        status_code: count,
        success: z.literal(true).describe('It was sent; `status_code` has the answer.'),
      }),
    ),
  },
});

export const LIST_WEBHOOK_DELIVERIES = operation(
  'listWebhookDeliveries',
  'GET /v1/webhook_endpoints/{webhook_id}/deliveries',
  {
    client: 'settings.webhookEndpoints.deliveries',
    tag,
    summary: 'List the deliveries to an endpoint of the last 30 days, newest first.',
    access: READ,
    query: pageQuery(),
    answer: { description: 'A page of deliveries.', schema: pageOf('WebhookDeliveryList', delivery) },
  },
);

export const LIST_WEBHOOK_EVENT_TYPES = operation('listWebhookEventTypes', 'GET /v1/webhook_event_types', {
  client: 'settings.webhookEndpoints.eventTypes',
  tag,
  summary: 'List the types of webhook events.',
  access: READ,
  answer: {
    description: 'The types.',
    schema: named('WebhookEventTypeList', z.object({ object: z.literal('list'), data: z.array(text) })),
  },
});

export const WEBHOOK_OPERATIONS = resource([
  LIST_WEBHOOKS.handledBy(async ({ administrator, query }, parts) =>
    pageJson(await listWebhookEndpoints(atWork(parts, administrator), { order: 'desc', ...query }), endpointJson),
  ),
  CREATE_WEBHOOK.handledBy(async ({ administrator, body }, parts) => {
    demandHttps(parts, body.url);
    const { name, url: address, event_types } = body;
    const wanted = { name, url: address, eventTypes: event_types };
    return secretJson(await createWebhookEndpoint(atWork(parts, administrator), wanted));
  }),
  RETRIEVE_WEBHOOK.handledBy(async ({ administrator, path }, parts) =>
    endpointJson(await findWebhookEndpoint(atWork(parts, administrator), path.webhook_id)),
  ),
  UPDATE_WEBHOOK.handledBy(async ({ administrator, path, body }, parts) => {
    const { event_types, if_version, ...same } = body;
    if (same.url !== undefined) demandHttps(parts, same.url);
    const edit = { ...same, ...(event_types !== undefined && { eventTypes: event_types }) };
    return endpointJson(await updateWebhookEndpoint(atWork(parts, administrator), path.webhook_id, edit, if_version));
  }),
  DELETE_WEBHOOK.handledBy(async ({ administrator, path }, parts) => {
    await deleteWebhookEndpoint(atWork(parts, administrator), path.webhook_id);
    return { id: path.webhook_id, object: 'webhook_endpoint.deleted' as const, deleted: true as const };
  }),
  ROTATE_WEBHOOK.handledBy(async ({ administrator, path, body }, parts) => {
    const overlaps = body.keep_old_secret_active_for_24_hours;
    return secretJson(await rotateWebhookSecret(atWork(parts, administrator), path.webhook_id, overlaps));
  }),
  TEST_WEBHOOK.handledBy(async ({ administrator, path, body }, parts) => {
    const asked = { id: path.webhook_id, type: body.event_type, send: parts.sendWebhook };
    const outcome = await testWebhookEndpoint(atWork(parts, administrator), asked);
    if ('fault' in outcome) throw invalid('url', `cannot receive events: ${outcome.fault.replace(/\.$/, '')}`);
    return {
      object: 'webhook_endpoint.test' as const,
      webhook_endpoint_id: asked.id,
      event_type: asked.type,
      status_code: outcome.status,
      success: true as const,
    };
  }),
  LIST_WEBHOOK_DELIVERIES.handledBy(async ({ administrator, path, query }, parts) =>
    pageJson(await listDeliveries(atWork(parts, administrator), path.webhook_id, query), deliveryJson),
  ),
  LIST_WEBHOOK_EVENT_TYPES.handledBy(() => ({ object: 'list' as const, data: [...WEBHOOK_EVENT_TYPES] })),
]);

function demandHttps({ webhookHosts }: SettingsParts, address: string): void {
  const { protocol, hostname } = new URL(address);
  if (protocol !== 'https:' && !webhookHosts().includes(hostname)) throw invalid('url', 'must begin with https://');
}

function endpointJson({ id, createdAt, version: current, value }: Setting<'webhook_endpoint'>) {
  return {
    id,
    object: 'webhook_endpoint' as const,
    created_at: inSeconds(createdAt),
    updated_at: inSeconds(value.updatedAt),
    name: value.name,
    url: redactAddresses(value.url),
    event_types: [...value.eventTypes],
    signing_secret_hint: `whsec_…#${value.secretNumber}`,
    version: current,
  };
}

function secretJson({ endpoint: of, secret }: EndpointWithSecret) {
  return { ...endpointJson(of), signing_secret: secret };
}

function deliveryJson({ id, createdAt, event, attempts, nextAt, deliveredAt, outcome }: WebhookDelivery) {
  const isOver = nextAt === null ? ('failed' as const) : ('waiting' as const);
  return {
    id,
    object: 'webhook_endpoint.delivery' as const,
    created_at: inSeconds(createdAt),
    event_id: event.id,
    event_type: event.type,
    status: deliveredAt === null ? isOver : ('delivered' as const),
    attempts,
    next_attempt_at: inSecondsOrNull(nextAt),
    delivered_at: inSecondsOrNull(deliveredAt),
    status_code: outcome !== null && 'status' in outcome ? outcome.status : null,
    error: outcome !== null && 'fault' in outcome ? outcome.fault : null,
  };
}
