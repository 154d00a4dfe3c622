import { z } from 'zod';
import { slicePage } from '../../admin/pages.ts';
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
} from '../../admin/products.ts';
import type { NewSecret } from '../../admin/service-accounts.ts';
import { dollars } from '../../core/money.ts';
import type { ApiKey } from '../../core/records.ts';
import { type HttpApi, operation } from '../operation.ts';
import { decimal, named, seconds, text, type Written } from '../schema.ts';
import {
  inMembers,
  KEY_STATUS,
  keyStatus,
  overlapSeconds,
  SPEND_LIMIT,
  spendLimitInBody,
  spendLimitJson,
  spendLimitOf,
} from './key-limits.ts';
import {
  atWork,
  created,
  cursorQuery,
  deletedOf,
  endsAt,
  expiresInSeconds,
  idText,
  ifVersion,
  inSeconds,
  inSecondsOrNull,
  nameText,
  origin,
  pageJson,
  pageOf,
  type SettingsParts,
  setInPlace,
  version,
} from './shared.ts';

const OWN = 'Products are the gateway’s own: its first organization has them.';
const tag = 'Organization';
const READ = { permission: 'api.products.read' } as const;
const WRITE = { permission: 'api.products.write' } as const;
const ONE = '/v1/organization/products/{product_id}';
const DELETED = 'organization.product.deleted';

const members = {
  id: text.describe('What its keys name.'),
  object: z.literal('organization.product'),
  name: text,
  routes: z.array(text).describe('What its keys may call.'),
  unserved: z.array(text).describe('Those of `routes` that lead nowhere now.'),
  spend_limit: SPEND_LIMIT.describe('What all its keys may spend together; `amount_decimal` is exact.'),
  spent_usd: decimal.describe('What counts against that, in its period; in its life where it has none.'),
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
      `Its keys, newest first, ${MAX_SHOWN_KEYS} at most. They are changed and revoked as those of their project, by whoever may change products.`,
    ),
  origin,
  set_in: setInPlace,
  off: text.nullable().describe('Why it is not in force: the file has a product of its id.'),
  created_at: created.nullable(),
  updated_at: seconds.nullable(),
  version: version.nullable(),
};
const product = named('Product', z.object(members));
const apiKey = z.object({
  id: text,
  name: text,
  value: text.describe('The secret, told this once.'),
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
  spend_limit: spendLimitInBody.nullable().describe('What all its keys may spend together; `null`: whatever they may.'),
};

export const LIST_PRODUCTS = operation('listProducts', 'GET /v1/organization/products', {
  tag,
  summary: 'List the products of the configuration file, which is where they are changed, and of the settings, by id.',
  description: OWN,
  access: READ,
  query: cursorQuery({ limit: 20, max: 100 }),
  answer: { description: 'A page of products.', schema: pageOf('ProductList', product) },
});

export const CREATE_PRODUCT = operation('createProduct', 'POST /v1/organization/products', {
  tag,
  summary: 'Make a product with its first key, whose secret is told this once. It is taken within a second.',
  description: OWN,
  access: WRITE,
  body: {
    schema: named(
      'ProductRequest',
      z.strictObject({
        id: idText.describe('Letters, digits, `_` and `-`. Usage records name it.'),
        name: fields.name.exactOptional().describe('Left out, the id.'),
        routes: fields.routes.exactOptional().describe('Left out, the system route.'),
        spend_limit: fields.spend_limit.exactOptional(),
        project_id: idText.exactOptional().describe('Project of its key (default: the default project).'),
        expires_in_seconds: expiresInSeconds.describe('When its key ends; left out, never.'),
      }),
    ),
  },
  answer: { description: 'The product with its key.', schema: productWithKey },
  errors: ['conflict'],
});

export const RETRIEVE_PRODUCT = operation('retrieveProduct', `GET ${ONE}`, {
  tag,
  summary: 'Show a product, what it has spent, and its keys.',
  access: READ,
  answer: { description: 'The product.', schema: product },
});

export const UPDATE_PRODUCT = operation('updateProduct', `POST ${ONE}`, {
  tag,
  summary: 'Change a product; what is left out stays, and so does what was spent.',
  access: WRITE,
  body: {
    schema: named(
      'ProductUpdate',
      z.strictObject({
        name: fields.name.exactOptional(),
        routes: fields.routes.exactOptional(),
        spend_limit: fields.spend_limit.exactOptional(),
        if_version: ifVersion,
      }),
    ),
  },
  answer: { description: 'The product.', schema: product },
  errors: ['conflict'],
});

export const ROTATE_PRODUCT_KEY = operation('rotateProductKey', `POST ${ONE}/rotate`, {
  tag,
  summary:
    'Give a key of a product another secret, and a product without a key its first. One of the file may be named, too.',
  access: WRITE,
  body: {
    schema: named(
      'ProductRotateRequest',
      z.strictObject({
        api_key_id: idText.exactOptional().describe('Must be given where it has several keys.'),
        overlap_seconds: overlapSeconds,
      }),
    ),
  },
  answer: { description: 'The product with that key.', schema: rotatedProduct },
});

export const DELETE_PRODUCT = operation('deleteProduct', `DELETE ${ONE}`, {
  tag,
  summary: 'Delete a product, and revoke its keys. Usage records stay; another of its id goes on with what was spent.',
  access: WRITE,
  answer: { description: 'It is gone.', schema: deletedOf('ProductDeleted', DELETED) },
});

export const PRODUCT_OPERATIONS = [
  LIST_PRODUCTS,
  CREATE_PRODUCT,
  RETRIEVE_PRODUCT,
  UPDATE_PRODUCT,
  ROTATE_PRODUCT_KEY,
  DELETE_PRODUCT,
];

export function serveProducts(served: HttpApi, parts: SettingsParts): void {
  const { nameRules: rules, budgetUse } = parts;
  const { clock } = parts.admin;
  LIST_PRODUCTS.serve(served, async ({ administrator, query }) => {
    const admin = atWork(parts, administrator);
    const page = slicePage(await listProducts(admin, rules), query);
    const items = await productFacts(admin, rules, budgetUse, page.items);
    return pageJson({ ...page, items }, (each) => productJson(each, clock.now()));
  });
  CREATE_PRODUCT.serve(served, async ({ administrator, body }) => {
    const admin = atWork(parts, administrator);
    const { id, project_id: projectId, expires_in_seconds: expiresIn, ...terms } = body;
    const wanted = { ...termsOf(terms), id, ...(projectId !== undefined && { projectId }) };
    const making = createProduct(admin, rules, { ...wanted, expiresAt: endsAt(clock.now(), expiresIn) });
    const { product: kept, made } = await inMembers(making);
    return { ...(await shown(parts, administrator, kept)), api_key: secretJson(made) };
  });
  RETRIEVE_PRODUCT.serve(served, async ({ administrator, path }) =>
    shown(parts, administrator, await findProduct(atWork(parts, administrator), rules, path.product_id)),
  );
  UPDATE_PRODUCT.serve(served, async ({ administrator, path, body }) => {
    const { if_version: ifVersion, ...terms } = body;
    const wanted = { id: path.product_id, edit: termsOf(terms), ifVersion };
    return shown(parts, administrator, await updateProduct(atWork(parts, administrator), rules, wanted));
  });
  ROTATE_PRODUCT_KEY.serve(served, async ({ administrator, path, body }) => {
    const admin = atWork(parts, administrator);
    const id = path.product_id;
    const { api_key_id: keyId, overlap_seconds: overlap } = body;
    const rotated = await inMembers(rotateProductKey(admin, rules, { id, keyId, overlapMs: overlap * 1000 }));
    return {
      ...(await shown(parts, administrator, await findProduct(admin, rules, id))),
      api_key: secretJson(rotated),
      earlier_secret_until: inSecondsOrNull(rotated.earlierUntil),
    };
  });
  DELETE_PRODUCT.serve(served, async ({ administrator, path }) => {
    const id = path.product_id;
    await deleteProduct(atWork(parts, administrator), rules, id);
    return { id, object: DELETED, deleted: true };
  });
}

type TermsInBody = { name?: string; routes?: string[]; spend_limit?: z.output<typeof fields.spend_limit> };

/** What a body says, in the words of the services; what it leaves out is left out. */
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
