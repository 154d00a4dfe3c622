import { z } from 'zod';
import {
  created,
  cursorQuery,
  deletedOf,
  inSecondsOrNull,
  modelText,
  nameText,
  origin,
  pageJson,
  pageOf,
  setInPlace,
  version,
  writable,
} from '../../api/fields.ts';
import { operation } from '../../api/operation.ts';
import { pricing, pricingJson } from '../../api/pricing.ts';
import { flag, named, seconds, text, type Written } from '../../api/schema.ts';
import type { Actor } from '../../core/audit.ts';
import { slicePage } from '../pages.ts';
import { atWork } from '../parts.ts';
import { resource } from '../resource.ts';
import { actorJson, madeBy } from '../routes/schemas.ts';
import {
  createPriceOverride,
  endPriceOverride,
  findPriceOverride,
  type KnownPrice,
  type ModelPrice,
  modelPrices,
  PRICE_STATES,
  pageOfPriceOverrides,
  updatePriceOverride,
} from './service.ts';

const OWN = 'Prices belong to the gateway: its first organization sets them, and they apply to all.';
const tag = 'Organization';
const READ = { permission: 'api.prices.read' } as const;
const WRITE = { permission: 'api.prices.write' } as const;
const ONE = '/v1/organization/price_overrides/{price_override_id}';
const ENDED = 'organization.price_override.deleted';

const from = seconds.nullable().describe('Start; `null` if unknown.');
const until = seconds.nullable().describe('End; `null` if unknown.');
const price = pricing.omit({ range: true });

const priceOverride = named(
  'PriceOverride',
  z.object({
    id: text,
    object: z.literal('organization.price_override'),
    model: text.describe('`provider/model`.'),
    price: price.nullable().describe('`null` if it can no longer be read.'),
    effective_at: from,
    ended_at: until,
    state: z
      .enum(PRICE_STATES)
      .describe(
        '`replaced`: a later one followed; `cancelled`: it ended before it began; `hidden`: the file has another.',
      ),
    note: text.nullable(),
    set_by: madeBy,
    origin,
    set_in: setInPlace,
    created_at: created.nullable(),
    updated_at: seconds.nullable(),
    version: version.nullable(),
  }),
);

const modelPrice = named(
  'ModelPrice',
  z.object({
    id: text,
    object: z.literal('organization.model_price'),
    model: text,
    pricing: price,
    effective_at: from,
    ended_at: until,
    in_force: flag,
    origin: z
      .enum(['settings', 'file', 'catalog', 'billed'])
      .describe('Its origin. `billed`: calls were billed by it before; `pricing.source` has the original one.'),
    price_override_id: text.nullable(),
    set_by: madeBy,
  }),
);

const fields = {
  price: z
    .looseObject({}, 'must be an object')
    .describe(
      'As in the configuration file: `input_per_1m`, `output_per_1m`, `cache_read_per_1m`, `tiers` and so on, in dollars.',
    ),
  effective_at: z
    .int('must be a whole number of seconds')
    .min(0)
    .max(8.64e12)
    .describe('From when on it bills, in Unix seconds: now or later.'),
  note: nameText.nullable().describe('Reason, for people.'),
};

const bodies = writable(
  'PriceOverride',
  {
    price: fields.price,
    effective_at: fields.effective_at.exactOptional().describe('Default: now.'),
    note: fields.note.exactOptional(),
  },
  { create: { model: modelText.max(321).describe('`provider/model`, or a name that leads to a model.') } },
);

export const LIST_PRICE_OVERRIDES = operation('listPriceOverrides', 'GET /v1/organization/price_overrides', {
  client: 'settings.priceOverrides.list',
  tag,
  summary: 'List the prices that were set for models, including ended ones, and those of the configuration file.',
  description: OWN,
  access: READ,
  query: cursorQuery({ limit: 20, max: 100 }).extend({
    model: text.exactOptional().describe('Only those of this model.'),
  }),
  answer: { description: 'A page of prices.', schema: pageOf('PriceOverrideList', priceOverride) },
});

export const CREATE_PRICE_OVERRIDE = operation('createPriceOverride', 'POST /v1/organization/price_overrides', {
  client: 'settings.priceOverrides.create',
  tag,
  summary: 'Set a model’s price from a time on. It applies to calls that begin then; earlier ones do not change.',
  description: OWN,
  access: WRITE,
  body: {
    schema: bodies.create,
  },
  answer: { description: 'The price.', schema: priceOverride },
});

export const RETRIEVE_PRICE_OVERRIDE = operation('retrievePriceOverride', `GET ${ONE}`, {
  client: 'settings.priceOverrides.retrieve',
  tag,
  summary: 'Get a price.',
  access: READ,
  answer: { description: 'The price.', schema: priceOverride },
});

export const UPDATE_PRICE_OVERRIDE = operation('updatePriceOverride', `POST ${ONE}`, {
  client: 'settings.priceOverrides.update',
  tag,
  summary: 'Change a price that has not begun. A later one must follow a price in force, so that bills stay.',
  access: WRITE,
  body: {
    schema: bodies.update,
  },
  answer: { description: 'The price.', schema: priceOverride },
  errors: ['conflict'],
});

export const DELETE_PRICE_OVERRIDE = operation('deletePriceOverride', `DELETE ${ONE}`, {
  client: 'settings.priceOverrides.delete',
  tag,
  summary: 'End a price now, so that the model costs what it would without it. It stays in the history.',
  access: WRITE,
  answer: { description: 'It has ended.', schema: deletedOf('PriceOverrideDeleted', ENDED) },
});

export const LIST_MODEL_PRICES = operation('listModelPrices', 'GET /v1/organization/models/{model_id}/prices', {
  client: 'settings.models.prices',
  tag,
  summary: 'List a model’s past, present and future prices.',
  description: `Prices that were set, the present one, and those that calls were billed by. Slashes in the name are encoded as \`%2F\`. ${OWN}`,
  access: READ,
  query: cursorQuery({ limit: 20, max: 100 }),
  answer: { description: 'A page of prices.', schema: pageOf('ModelPriceList', modelPrice) },
});

export const PRICE_OPERATIONS = resource([
  LIST_PRICE_OVERRIDES.handledBy(async ({ administrator, query }, parts) =>
    pageJson(await pageOfPriceOverrides(atWork(parts, administrator), parts.nameRules, query), overrideJson),
  ),
  CREATE_PRICE_OVERRIDE.handledBy(async ({ administrator, body }, parts) => {
    const admin = atWork(parts, administrator);
    const { model, ...terms } = body;
    const id = await createPriceOverride(admin, parts.nameRules, { ...editOf(terms), model, definition: terms.price });
    return overrideJson(await findPriceOverride(admin, parts.nameRules, id));
  }),
  RETRIEVE_PRICE_OVERRIDE.handledBy(async ({ administrator, path }, parts) =>
    overrideJson(await findPriceOverride(atWork(parts, administrator), parts.nameRules, path.price_override_id)),
  ),
  UPDATE_PRICE_OVERRIDE.handledBy(async ({ administrator, path, body }, parts) => {
    const admin = atWork(parts, administrator);
    const id = path.price_override_id;
    const { if_version: ifVersion, ...terms } = body;
    await updatePriceOverride(admin, parts.nameRules, { id, edit: editOf(terms), ifVersion });
    return overrideJson(await findPriceOverride(admin, parts.nameRules, id));
  }),
  DELETE_PRICE_OVERRIDE.handledBy(async ({ administrator, path }, parts) => {
    const id = path.price_override_id;
    await endPriceOverride(atWork(parts, administrator), parts.nameRules, id);
    return { id, object: ENDED, deleted: true };
  }),
  LIST_MODEL_PRICES.handledBy(async ({ administrator, path, query }, parts) =>
    pageJson(
      slicePage(await modelPrices(atWork(parts, administrator), parts.nameRules, path.model_id), query),
      modelPriceJson,
    ),
  ),
]);

type PriceInBody = { price?: Record<string, unknown>; effective_at?: number; note?: string | null };

/** A body in the terms of the services; members that are left out stay out. */
function editOf({ price: definition, effective_at: begins, note }: PriceInBody) {
  return {
    ...(definition !== undefined && { definition }),
    ...(begins !== undefined && { from: begins * 1000 }),
    ...(note !== undefined && { note }),
  };
}

function overrideJson(known: KnownPrice): Written<typeof priceOverride> {
  const { id, model, price: read, from: begins, until: ends, state, setting, place } = known;
  return {
    id,
    object: 'organization.price_override',
    model,
    price: read === null ? null : pricingJson(read),
    effective_at: inSecondsOrNull(begins),
    ended_at: inSecondsOrNull(ends),
    state,
    note: setting?.value.note ?? null,
    set_by: shownActor(setting?.value.by ?? null),
    origin: setting === null ? 'file' : 'settings',
    set_in: place,
    created_at: inSecondsOrNull(setting?.createdAt ?? null),
    updated_at: inSecondsOrNull(setting?.value.updatedAt ?? null),
    version: setting?.version ?? null,
  };
}

function modelPriceJson(known: ModelPrice): Written<typeof modelPrice> {
  const { id, model, price: read, from: begins, until: ends, isInForce, origin: whose, overrideId, by } = known;
  return {
    id,
    object: 'organization.model_price',
    model,
    pricing: pricingJson(read),
    effective_at: inSecondsOrNull(begins),
    ended_at: inSecondsOrNull(ends),
    in_force: isInForce,
    origin: whose,
    price_override_id: overrideId,
    set_by: shownActor(by),
  };
}

function shownActor(by: Actor | null) {
  return by === null ? null : actorJson(by);
}
