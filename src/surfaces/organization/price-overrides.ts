import { z } from 'zod';
import { slicePage } from '../../admin/pages.ts';
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
} from '../../admin/price-overrides.ts';
import type { Actor } from '../../core/audit.ts';
import { pricing, pricingJson } from '../catalog.ts';
import { type HttpApi, operation } from '../operation.ts';
import { flag, named, seconds, text, type Written } from '../schema.ts';
import { actorJson, madeBy } from './route-schemas.ts';
import {
  atWork,
  created,
  cursorQuery,
  deletedOf,
  ifVersion,
  inSecondsOrNull,
  modelText,
  nameText,
  origin,
  pageJson,
  pageOf,
  type SettingsParts,
  setInPlace,
  version,
} from './shared.ts';

const OWN = 'Prices are the gateway’s own: its first organization sets them, and all are billed by them.';
const tag = 'Organization';
const READ = { permission: 'api.prices.read' } as const;
const WRITE = { permission: 'api.prices.write' } as const;
const ONE = '/v1/organization/price_overrides/{price_override_id}';
const ENDED = 'organization.price_override.deleted';

const from = seconds.nullable().describe('When it begins, or began; `null` where nobody says.');
const until = seconds.nullable().describe('When it ended, or will; `null`: that is not known.');
const price = pricing.omit({ range: true });

const priceOverride = named(
  'PriceOverride',
  z.object({
    id: text,
    object: z.literal('organization.price_override'),
    model: text.describe('`provider/model`.'),
    price: price.nullable().describe('`null` where it cannot be read any more.'),
    effective_at: from,
    ended_at: until,
    state: z
      .enum(PRICE_STATES)
      .describe(
        '`replaced`: a later one came; `cancelled`: it ended before it began; `hidden`: the file says another.',
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
      .describe('Who says it. `billed`: calls were billed by it before; `pricing.source` says whose it was.'),
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
  note: nameText.nullable().describe('Why it was set, for people.'),
};

export const LIST_PRICE_OVERRIDES = operation('listPriceOverrides', 'GET /v1/organization/price_overrides', {
  tag,
  summary: 'List the prices that were set for models, with all that are over, and those of the configuration file.',
  description: OWN,
  access: READ,
  query: cursorQuery({ limit: 20, max: 100 }).extend({
    model: text.exactOptional().describe('Only those of this model.'),
  }),
  answer: { description: 'A page of prices.', schema: pageOf('PriceOverrideList', priceOverride) },
});

export const CREATE_PRICE_OVERRIDE = operation('createPriceOverride', 'POST /v1/organization/price_overrides', {
  tag,
  summary:
    'Set what a model costs from a time on. Calls that begin then are billed by it; those before stay as they are.',
  description: OWN,
  access: WRITE,
  body: {
    schema: named(
      'PriceOverrideRequest',
      z.strictObject({
        model: modelText.max(321).describe('`provider/model`, or a name that leads to a model.'),
        price: fields.price,
        effective_at: fields.effective_at.exactOptional().describe('Left out: now.'),
        note: fields.note.exactOptional(),
      }),
    ),
  },
  answer: { description: 'The price.', schema: priceOverride },
});

export const RETRIEVE_PRICE_OVERRIDE = operation('retrievePriceOverride', `GET ${ONE}`, {
  tag,
  summary: 'Show a price that was set.',
  access: READ,
  answer: { description: 'The price.', schema: priceOverride },
});

export const UPDATE_PRICE_OVERRIDE = operation('updatePriceOverride', `POST ${ONE}`, {
  tag,
  summary: 'Change a price that has not begun. One that has is followed by another: what was billed stays.',
  access: WRITE,
  body: {
    schema: named(
      'PriceOverrideUpdate',
      z.strictObject({
        price: fields.price.exactOptional(),
        effective_at: fields.effective_at.exactOptional(),
        note: fields.note.exactOptional(),
        if_version: ifVersion,
      }),
    ),
  },
  answer: { description: 'The price.', schema: priceOverride },
  errors: ['conflict'],
});

export const DELETE_PRICE_OVERRIDE = operation('deletePriceOverride', `DELETE ${ONE}`, {
  tag,
  summary: 'End a price now: the model costs what it would without. It stays in the history.',
  access: WRITE,
  answer: { description: 'It has ended.', schema: deletedOf('PriceOverrideDeleted', ENDED) },
});

export const LIST_MODEL_PRICES = operation('listModelPrices', 'GET /v1/organization/models/{model_id}/prices', {
  tag,
  summary: 'List the prices that a model has, had and will have, as far as they are kept.',
  description: `What was set, what holds now, and by what calls were billed before. Slashes in the name are encoded as \`%2F\`. ${OWN}`,
  access: READ,
  query: cursorQuery({ limit: 20, max: 100 }),
  answer: { description: 'A page of prices.', schema: pageOf('ModelPriceList', modelPrice) },
});

export const PRICE_OPERATIONS = [
  LIST_PRICE_OVERRIDES,
  CREATE_PRICE_OVERRIDE,
  RETRIEVE_PRICE_OVERRIDE,
  UPDATE_PRICE_OVERRIDE,
  DELETE_PRICE_OVERRIDE,
  LIST_MODEL_PRICES,
];

export function servePrices(served: HttpApi, parts: SettingsParts): void {
  const { nameRules: rules } = parts;
  LIST_PRICE_OVERRIDES.serve(served, async ({ administrator, query }) =>
    pageJson(await pageOfPriceOverrides(atWork(parts, administrator), rules, query), overrideJson),
  );
  CREATE_PRICE_OVERRIDE.serve(served, async ({ administrator, body }) => {
    const admin = atWork(parts, administrator);
    const { model, ...terms } = body;
    const id = await createPriceOverride(admin, rules, { ...editOf(terms), model, definition: terms.price });
    return overrideJson(await findPriceOverride(admin, rules, id));
  });
  RETRIEVE_PRICE_OVERRIDE.serve(served, async ({ administrator, path }) =>
    overrideJson(await findPriceOverride(atWork(parts, administrator), rules, path.price_override_id)),
  );
  UPDATE_PRICE_OVERRIDE.serve(served, async ({ administrator, path, body }) => {
    const admin = atWork(parts, administrator);
    const id = path.price_override_id;
    const { if_version: ifVersion, ...terms } = body;
    await updatePriceOverride(admin, rules, { id, edit: editOf(terms), ifVersion });
    return overrideJson(await findPriceOverride(admin, rules, id));
  });
  DELETE_PRICE_OVERRIDE.serve(served, async ({ administrator, path }) => {
    const id = path.price_override_id;
    await endPriceOverride(atWork(parts, administrator), rules, id);
    return { id, object: ENDED, deleted: true };
  });
  LIST_MODEL_PRICES.serve(served, async ({ administrator, path, query }) =>
    pageJson(slicePage(await modelPrices(atWork(parts, administrator), rules, path.model_id), query), modelPriceJson),
  );
}

type PriceInBody = { price?: Record<string, unknown>; effective_at?: number; note?: string | null };

/** What a body says, in the words of the services; what it leaves out is left out. */
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
