import { redactAddresses } from '../../core/address-redaction.ts';
import type { Page, PageQuery, Setting, WebhookEndpoint } from '../../core/settings.ts';
import { DAY_MS } from '../../core/utc-day.ts';
import type {
  SendWebhook,
  WebhookDelivery,
  WebhookEvent,
  WebhookEventType,
  WebhookOutcome,
} from '../../core/webhooks.ts';
import {
  type Administration,
  type AdminParts,
  change,
  changed,
  demandVersion,
  found,
  invalid,
  made,
  put,
  removed,
} from '../administration.ts';
import { eventOf } from './notify.ts';
import { signedWebhook, webhookSecret } from './signing.ts';

/** The most endpoints of an organization: each event goes to all that want it. */
const MAX_WEBHOOK_ENDPOINTS = 1_000;
/** How long the previous secret is valid after a rotation, on request. */
const OVERLAP_MS = DAY_MS;

export type NewWebhookEndpoint = Pick<WebhookEndpoint, 'name' | 'url' | 'eventTypes'>;
/** An endpoint and its secret, which is returned only on creation and rotation. */
export type EndpointWithSecret = { endpoint: Setting<'webhook_endpoint'>; secret: string };

export async function createWebhookEndpoint(
  admin: Administration,
  wanted: NewWebhookEndpoint,
): Promise<EndpointWithSecret> {
  const all = await admin.settings.all(admin.by.organizationId, 'webhook_endpoint');
  if (all.length >= MAX_WEBHOOK_ENDPOINTS) {
    throw invalid('url', `exceeds the limit of ${MAX_WEBHOOK_ENDPOINTS} endpoints per organization`);
  }
  demandWhole(wanted.url);
  const value = { ...wanted, secretNumber: 1, earlierUntil: null, updatedAt: admin.clock.now() };
  const endpoint = made(admin, 'webhook_endpoint', { prefix: 'whe', value });
  await change(admin, [put(endpoint, MAX_WEBHOOK_ENDPOINTS)], {
    type: 'webhook_endpoint.created',
    resourceId: endpoint.id,
    details: { data: shown(wanted) },
  });
  return { endpoint, secret: secretOf(admin, endpoint) };
}

export function listWebhookEndpoints(
  { settings, by }: Administration,
  query: PageQuery,
): Promise<Page<Setting<'webhook_endpoint'>>> {
  return settings.list(by.organizationId, 'webhook_endpoint', query);
}

/** Throws `not_found`. */
export function findWebhookEndpoint(admin: Administration, id: string): Promise<Setting<'webhook_endpoint'>> {
  return found(admin, 'webhook_endpoint', id);
}

export async function updateWebhookEndpoint(
  admin: Administration,
  id: string,
  edit: Partial<NewWebhookEndpoint>,
  ifVersion?: number,
): Promise<Setting<'webhook_endpoint'>> {
  const endpoint = await findWebhookEndpoint(admin, id);
  demandVersion(endpoint, ifVersion);
  const { name, url, eventTypes } = endpoint.value;
  const isAsShown = edit.url === redactAddresses(url);
  if (edit.url !== undefined && !isAsShown) demandWhole(edit.url);
  const next = changed(endpoint, { ...edit, ...(isAsShown && { url }), updatedAt: admin.clock.now() });
  await change(admin, [put(next)], {
    type: 'webhook_endpoint.updated',
    resourceId: id,
    details: { changes_requested: shown(edit), before: shown({ name, url, eventTypes }) },
  });
  return next;
}

/** As it may be shown: the values of a query are often secrets of the receiver. */
function shown(endpoint: Partial<NewWebhookEndpoint>): Partial<NewWebhookEndpoint> {
  return endpoint.url === undefined ? endpoint : { ...endpoint, url: redactAddresses(endpoint.url) };
}

/** Throws `invalid_request` for an address with hidden values, which was shown and then changed. */
function demandWhole(url: string): void {
  if (/[?&;=]\*\*\*/.test(url)) throw invalid('url', 'must contain the hidden values, and not `***`');
}

/** @param overlaps whether requests are also signed with the previous secret for a day */
export async function rotateWebhookSecret(
  admin: Administration,
  id: string,
  overlaps: boolean,
): Promise<EndpointWithSecret> {
  const before = await findWebhookEndpoint(admin, id);
  const now = admin.clock.now();
  const endpoint = changed(before, {
    secretNumber: before.value.secretNumber + 1,
    earlierUntil: overlaps ? now + OVERLAP_MS : null,
    updatedAt: now,
  });
  await change(admin, [put(endpoint)], { type: 'webhook_endpoint.secret_rotated', resourceId: id, details: {} });
  return { endpoint, secret: secretOf(admin, endpoint) };
}

export async function deleteWebhookEndpoint(admin: Administration, id: string): Promise<void> {
  const endpoint = await findWebhookEndpoint(admin, id);
  const { name, url } = endpoint.value;
  await change(admin, [removed(endpoint)], {
    type: 'webhook_endpoint.deleted',
    resourceId: id,
    details: { before: shown({ name, url }) },
  });
  await admin.webhooks.forget({ organizationId: admin.by.organizationId, endpointId: id });
}

/** Sends one test event now. */
export async function testWebhookEndpoint(
  admin: Administration,
  { id, type, send }: { id: string; type: WebhookEventType; send: SendWebhook },
): Promise<WebhookOutcome> {
  const endpoint = await findWebhookEndpoint(admin, id);
  const event = eventOf(admin, { organizationId: admin.by.organizationId, type, data: { id: 'test', test: true } });
  return send(requestFor(admin, endpoint, event));
}

export async function listDeliveries(
  admin: Administration,
  endpointId: string,
  query: PageQuery,
): Promise<Page<WebhookDelivery>> {
  await findWebhookEndpoint(admin, endpointId);
  return admin.webhooks.list(admin.by.organizationId, { endpointId, ...query });
}

/** A request to an endpoint now, with its current signature. */
export function requestFor(
  { pepper, clock }: Pick<AdminParts, 'pepper' | 'clock'>,
  { id, value }: Setting<'webhook_endpoint'>,
  event: WebhookEvent,
) {
  const { url, secretNumber, earlierUntil } = value;
  const now = clock.now();
  const hasEarlier = earlierUntil !== null && earlierUntil > now;
  return signedWebhook(pepper, { id, url, secretNumber, ...(hasEarlier && { earlier: secretNumber - 1 }) }, event, now);
}

function secretOf({ pepper }: Administration, { id, value }: Setting<'webhook_endpoint'>): string {
  return webhookSecret(pepper, { id, secretNumber: value.secretNumber });
}
