import { z } from 'zod';
import {
  created,
  cursorQuery,
  deletedOf,
  expiresAtTime,
  expiresInSeconds,
  expiryIn,
  idText,
  inSeconds,
  inSecondsOrNull,
  nameText,
  origin,
  pageJson,
  pageOf,
  setInPlace,
  version,
  writable,
} from '../../api/fields.ts';
import { operation } from '../../api/operation.ts';
import { decimal, named, seconds, text, type Written } from '../../api/schema.ts';
import { dollars } from '../../core/money.ts';
import type { ApiKey } from '../../core/records.ts';
import {
  inMembers,
  KEY_STATUS,
  keyStatus,
  overlapSeconds,
  SPEND_LIMIT,
  spendLimitInBody,
  spendLimitJson,
  spendLimitOf,
} from '../api-keys/key-json.ts';
import { slicePage } from '../pages.ts';
import { atWork, type SettingsParts } from '../parts.ts';
import { resource } from '../resource.ts';
import type { NewSecret } from '../service-accounts/service.ts';
import {
  createProduct,
  deleteProduct,
  findProduct,
  type KnownProduct,
  listProducts,
  MAX_PRODUCT_ROUTES,
  MAX_SHOWN_KEYS,
  type ProductFacts,
  type ProductTerms,
  productFacts,
  rotateProductKey,
  updateProduct,
} from './service.ts';

const OWN = 'Products belong to the gateway: its first organization manages them.';
const tag = 'Organization';
const READ = { permission: 'api.products.read' } as const;
const WRITE = { permission: 'api.products.write' } as const;
const ONE = '/v1/organization/products/{product_id}';
const DELETED = 'organization.product.deleted';

const members = {
  id: text.describe('The id that its keys refer to.'),
  object: z.literal('organization.product'),
  name: text,
  routes: z.array(text).describe('What its keys may call.'),
  unserved: z.array(text).describe('Those of `routes` that do not exist now.'),
  spend_limit: SPEND_LIMIT.describe('Total its keys may spend; `amount_decimal` is exact.'),
  spent_usd: decimal.describe('What counts against that in the period; without a limit, all its spending.'),
  spend_resets_at: seconds.nullable(),
  api_keys: z
    .array(
      z.object({
        id: text,
        project_id: text,
        name: text,
        redacted_value: text.describe('The first and last characters of the secret.'),
        created_at: created,
        expires_at: seconds.nullable(),
        status: KEY_STATUS,
      }),
    )
    .describe(
      `Its keys, newest first, at most ${MAX_SHOWN_KEYS}. They are changed and revoked like other keys of their project, by people who may change products.`,
    ),
  origin,
  set_in: setInPlace,
  off: text.nullable().describe('Why it is not in force: the file has a product with its id.'),
  created_at: created.nullable(),
  updated_at: seconds.nullable(),
  version: version.nullable(),
};
const product = named('Product', z.object(members));
const apiKey = z.object({
  id: text,
  name: text,
  value: text.describe('The secret, shown only here.'),
  created_at: created,
  expires_at: seconds.nullable(),
});
const productWithKey = named('ProductWithKey', z.object({ ...members, api_key: apiKey }));
const rotatedProduct = named(
  'RotatedProductKey',
  z.object({
    ...members,
    api_key: apiKey,
    earlier_secret_until: seconds.nullable().describe('`null`: it had none.'),
  }),
);

const fields = {
  name: nameText.max(128, 'must have at most 128 characters'),
  routes: z
    .array(idText, 'must be a list')
    .min(1, 'must name at least one')
    .max(MAX_PRODUCT_ROUTES, `must name at most ${MAX_PRODUCT_ROUTES}`)
    .describe('Routes, models and aliases that its keys may call.'),
  spend_limit: spendLimitInBody.nullable().describe('Total its keys may spend; `null`: as much as its keys allow.'),
};

const bodies = writable(
  'Product',
  {
    name: fields.name.exactOptional().describe('Default: the id.'),
    routes: fields.routes.exactOptional().describe('Default: the system route.'),
    spend_limit: fields.spend_limit.exactOptional(),
  },
  {
    create: {
      id: idText.describe('Letters, digits, `_` and `-`. Used in usage records.'),
      project_id: idText.exactOptional().describe('Project of its key (default: the default project).'),
      expires_in_seconds: expiresInSeconds.describe('Expiry of its key (default: never).'),
      expires_at: expiresAtTime,
    },
  },
);

export const LIST_PRODUCTS = operation('listProducts', 'GET /v1/organization/products', {
  client: 'settings.products.list',
  tag,
  summary: 'List the products of the configuration file, where they are changed, and of the settings, by id.',
  description: OWN,
  access: READ,
  query: cursorQuery({ limit: 20, max: 100 }),
  answer: { description: 'A page of products.', schema: pageOf('ProductList', product) },
});

export const CREATE_PRODUCT = operation('createProduct', 'POST /v1/organization/products', {
  client: 'settings.products.create',
  tag,
  summary: 'Create a product with its first key, whose secret is shown only here. The key works within a second.',
  description: OWN,
  access: WRITE,
  body: {
    schema: bodies.create,
  },
  answer: { description: 'The product with its key.', schema: productWithKey },
  errors: ['conflict'],
});

export const RETRIEVE_PRODUCT = operation('retrieveProduct', `GET ${ONE}`, {
  client: 'settings.products.retrieve',
  tag,
  summary: 'Get a product with its spending and keys.',
  access: READ,
  answer: { description: 'The product.', schema: product },
});

export const UPDATE_PRODUCT = operation('updateProduct', `POST ${ONE}`, {
  client: 'settings.products.update',
  tag,
  summary: 'Change a product. Members that are left out stay, and so does its spending.',
  access: WRITE,
  body: {
    schema: bodies.update,
  },
  answer: { description: 'The product.', schema: product },
  errors: ['conflict'],
});

export const ROTATE_PRODUCT_KEY = operation('rotateProductKey', `POST ${ONE}/rotate`, {
  client: 'settings.products.rotate',
  tag,
  summary: 'Replace the secret of a product’s key, or create the first key. Products of the file are accepted too.',
  access: WRITE,
  body: {
    schema: named(
      'ProductRotateRequest',
      z.strictObject({
        api_key_id: idText.exactOptional().describe('Required if it has several keys.'),
        overlap_seconds: overlapSeconds,
      }),
    ),
  },
  answer: { description: 'The product with that key.', schema: rotatedProduct },
});

export const DELETE_PRODUCT = operation('deleteProduct', `DELETE ${ONE}`, {
  client: 'settings.products.delete',
  tag,
  summary: 'Delete a product, and revoke its keys. Usage records stay; another of its id goes on with what was spent.',
  access: WRITE,
  answer: { description: 'It was deleted.', schema: deletedOf('ProductDeleted', DELETED) },
});

export const PRODUCT_OPERATIONS = resource([
  LIST_PRODUCTS.handledBy(async ({ administrator, query }, parts) => {
    const admin = atWork(parts, administrator);
    const page = slicePage(await listProducts(admin, parts.nameRules), query);
    const items = await productFacts(admin, parts.nameRules, parts.budgetUse, page.items);
    return pageJson({ ...page, items }, (each) => productJson(each, parts.admin.clock.now()));
  }),
  CREATE_PRODUCT.handledBy(async ({ administrator, body }, parts) => {
    const admin = atWork(parts, administrator);
    const { id, project_id: projectId, expires_in_seconds: _in, expires_at: _at, ...terms } = body;
    const wanted = { ...termsOf(terms), id, ...(projectId !== undefined && { projectId }) };
    const making = createProduct(admin, parts.nameRules, {
      ...wanted,
      expiresAt: expiryIn(body, parts.admin.clock.now()),
    });
    const { product: kept, made } = await inMembers(making);
    return { ...(await shown(parts, administrator, kept)), api_key: secretJson(made) };
  }),
  RETRIEVE_PRODUCT.handledBy(async ({ administrator, path }, parts) =>
    shown(parts, administrator, await findProduct(atWork(parts, administrator), parts.nameRules, path.product_id)),
  ),
  UPDATE_PRODUCT.handledBy(async ({ administrator, path, body }, parts) => {
    const { if_version: ifVersion, ...terms } = body;
    const wanted = { id: path.product_id, edit: termsOf(terms), ifVersion };
    return shown(parts, administrator, await updateProduct(atWork(parts, administrator), parts.nameRules, wanted));
  }),
  ROTATE_PRODUCT_KEY.handledBy(async ({ administrator, path, body }, parts) => {
    const admin = atWork(parts, administrator);
    const id = path.product_id;
    const { api_key_id: keyId, overlap_seconds: overlap } = body;
    const rotated = await inMembers(rotateProductKey(admin, parts.nameRules, { id, keyId, overlapMs: overlap * 1000 }));
    return {
      ...(await shown(parts, administrator, await findProduct(admin, parts.nameRules, id))),
      api_key: secretJson(rotated),
      earlier_secret_until: inSecondsOrNull(rotated.earlierUntil),
    };
  }),
  DELETE_PRODUCT.handledBy(async ({ administrator, path }, parts) => {
    const id = path.product_id;
    await deleteProduct(atWork(parts, administrator), parts.nameRules, id);
    return { id, object: DELETED, deleted: true };
  }),
]);

type TermsInBody = { name?: string; routes?: string[]; spend_limit?: z.output<typeof fields.spend_limit> };

/** A body in the terms of the services; members that are left out stay out. */
function termsOf({ spend_limit: limit, ...same }: TermsInBody): Partial<ProductTerms> {
  if (limit === undefined) return same;
  return { ...same, spendLimit: limit === null ? null : spendLimitOf(limit) };
}

type By = Parameters<typeof atWork>[1];

async function shown(parts: SettingsParts, by: By, known: KnownProduct) {
  const [facts] = await productFacts(atWork(parts, by), parts.nameRules, parts.budgetUse, [known]);
  return productJson(facts!, parts.admin.clock.now());
}

function secretJson({ key, secret }: NewSecret) {
  const { id, name, createdAt, expiresAt } = key;
  return { id, name, value: secret, created_at: inSeconds(createdAt), expires_at: inSecondsOrNull(expiresAt) };
}

function productJson(facts: ProductFacts, now: number): Written<typeof product> {
  const { id, name, routes, unserved, spendLimit, spent, spentUntil, keys, setting, place, off } = facts;
  return {
    id,
    object: 'organization.product',
    name,
    routes,
    unserved,
    spend_limit: spendLimitJson(spendLimit),
    spent_usd: dollars(spent),
    spend_resets_at: inSecondsOrNull(spentUntil),
    api_keys: keys.map((key) => keyJson(key, now)),
    origin: setting === null ? 'file' : 'settings',
    set_in: place,
    off,
    created_at: inSecondsOrNull(setting?.createdAt ?? null),
    updated_at: inSecondsOrNull(setting?.value.updatedAt ?? null),
    version: setting?.version ?? null,
  };
}

function keyJson(key: ApiKey, now: number) {
  const { id, projectId, name, hint, createdAt, expiresAt } = key;
  return {
    id,
    project_id: projectId!,
    name,
    redacted_value: hint,
    created_at: inSeconds(createdAt),
    expires_at: inSecondsOrNull(expiresAt),
    status: keyStatus(key, now),
  };
}
