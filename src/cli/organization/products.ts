import { at } from '../api.ts';
import type { Command, CommandCall } from '../command.ts';
import { inOptionsOf, UsageError } from '../failure.ts';
import { whileOf } from '../keys/rotate.ts';
import { oldSecretText, secretText } from '../keys/secret-text.ts';
import { expiryBody, NONE, spendLimitOf } from '../keys/wanted.ts';
import { amountBody, limitText, type SpendLimitJson, spentText } from '../spend-text.ts';
import { table } from '../table.ts';
import { placeOf, type SettingPlace } from './set-in.ts';

const ID = { value: 'ID', about: 'The product.', required: true } as const;
const TERMS = {
  name: { value: 'NAME', about: 'Display name (default for a new product: the id).' },
  routes: { value: 'A,B', about: 'Routes and models that its keys may call (default for a new product: system).' },
  'spend-limit': { value: 'USD', about: 'Total its keys may spend: 500, 500/month, 20/day.' },
  per: { value: 'PERIOD', about: 'Period of --spend-limit: life, day, week, month.' },
} as const;
const DEFAULT_OVERLAP = '24h';

const PRODUCTS = '/v1/organization/products';

/** A product as the HTTP API gives it. Times are Unix seconds. */
type Product = {
  id: string;
  name: string;
  routes: readonly string[];
  unserved: readonly string[];
  spend_limit: SpendLimitJson | null;
  spent_usd: number;
  spend_resets_at: number | null;
  api_keys: readonly { id: string }[];
  set_in: SettingPlace;
  off: string | null;
};
type ProductWithKey = Product & { api_key: { id: string; value: string } };
type RotatedProduct = ProductWithKey & { earlier_secret_until: number | null };

/** The option of each field of a product. */
const OPTION_OF = {
  id: 'ID',
  product_id: 'ID',
  name: '--name',
  routes: '--routes',
  spend_limit: '--spend-limit',
  api_key_id: '--key',
  expires_at: '--expires',
  overlap_seconds: '--overlap',
};

export const productsList: Command = {
  name: 'products list',
  about: 'List the products of the configuration file and of the settings.',
  options: {},
  examples: ['headgate products list'],
  async run({ api }) {
    const { data } = await api.list<Product>(PRODUCTS);
    const columns = [
      { title: 'ID', of: ({ id }: Product) => id },
      { title: 'NAME', of: ({ name }: Product) => name },
      { title: 'MAY CALL', of: routesText },
      { title: 'SPENT', of: (each: Product) => spentText(each.spend_limit, each.spent_usd, each.spend_resets_at) },
      { title: 'KEYS', of: ({ api_keys: keys }: Product) => keys.map(({ id }) => id).join(', ') || '-' },
      { title: 'SET IN', of: ({ set_in: place, off }: Product) => off ?? placeOf(place) },
    ];
    const none = 'No products yet. Add one: headgate products create helpdesk';
    return { text: data.length === 0 ? none : table(columns, data), json: { object: 'list', data } };
  },
};

export const productsCreate: Command = {
  name: 'products create',
  about: 'Create a product with its first key, and show that key once.',
  argument: { value: 'ID', about: 'Letters, digits, _ and -. Used in usage reports.', required: true },
  options: {
    ...TERMS,
    project: { value: 'ID', about: 'Project of its key (default: the default project).' },
    expires: { value: 'WHEN', about: 'Expiry of its key: after a duration (90d, 12h) or at a date (2027-01-31).' },
  },
  examples: [
    'headgate products create helpdesk --spend-limit 500/month',
    'headgate products create search --routes acme/fast,text-embedding-3-small',
  ],
  async run({ argument: id = '', values, tools, api }) {
    const { project, expires } = values;
    const wanted = {
      ...termsOf(values),
      id,
      ...(project !== undefined && { project_id: project }),
      ...expiryBody(expires, tools.clock.now()),
    };
    const json = await inOptionsOf(OPTION_OF, api.post<ProductWithKey>(PRODUCTS, wanted));
    const told = `Product ${id} may call ${routesText(json)}. Its key ${json.api_key.id}, shown only once:`;
    return { text: secretText(told, json.api_key.value), json };
  },
};

export const productsEdit: Command = {
  name: 'products edit',
  about: 'Change a product. Options that are left out change nothing.',
  argument: ID,
  options: {
    ...TERMS,
    name: { ...TERMS.name, about: 'Display name.' },
    routes: { ...TERMS.routes, about: 'The only routes and models that its keys may call.' },
    'spend-limit': { value: 'USD', about: `As for a new product, or ${NONE}.` },
  },
  examples: ['headgate products edit helpdesk --spend-limit 800/month', 'headgate products edit search --routes echo'],
  async run({ argument: id = '', values, api }) {
    const edit = termsOf(values);
    if (Object.keys(edit).length === 0) {
      throw new UsageError('Nothing is to be changed: name one of --name, --routes, --spend-limit.');
    }
    const json = await inOptionsOf(OPTION_OF, api.post<Product>(at`/v1/organization/products/${id}`, edit));
    const limit = json.spend_limit === null ? 'as much as its keys allow' : limitText(json.spend_limit);
    return { text: `Product ${id} may call ${routesText(json)}, and spend ${limit}. In force within a second.`, json };
  },
};

export const productsRotate: Command = {
  name: 'products rotate',
  about: 'Replace the secret of a product’s key and show the new one once.',
  details: 'The old secret stays valid for a while. A product without a key gets its first.',
  argument: ID,
  options: {
    key: { value: 'ID', about: 'The key, if it has several.' },
    overlap: { value: 'WHILE', about: `How long the old secret stays valid, 0s to 90d (default: ${DEFAULT_OVERLAP}).` },
  },
  examples: ['headgate products rotate helpdesk', 'headgate products rotate helpdesk --overlap 0s'],
  async run({ argument: id = '', values: { key, overlap = DEFAULT_OVERLAP }, api }) {
    const overlapMs = whileOf(overlap);
    const wanted = { ...(key !== undefined && { api_key_id: key }), overlap_seconds: Math.round(overlapMs / 1000) };
    const rotating = api.post<RotatedProduct>(at`/v1/organization/products/${id}/rotate`, wanted);
    const json = await inOptionsOf(OPTION_OF, rotating);
    const { api_key: made, earlier_secret_until: until } = json;
    const whose = `Key ${made.id} of the product ${id}`;
    const told =
      until === null
        ? `${whose}, shown only once:`
        : `${whose} has a new secret, shown only once. ${oldSecretText(overlapMs, until * 1000)}`;
    return { text: secretText(told, made.value), json };
  },
};

export const productsDelete: Command = {
  name: 'products delete',
  about: 'Delete a product, and revoke its keys, for good. Its usage stays.',
  argument: ID,
  options: {},
  examples: ['headgate products delete helpdesk'],
  async run({ argument: id = '', api }) {
    const json = await inOptionsOf(OPTION_OF, api.remove(at`/v1/organization/products/${id}`));
    return { text: `Product ${id} is deleted. Its keys are refused everywhere within a second.`, json };
  },
};

function termsOf({ name, routes, 'spend-limit': limit, per }: CommandCall['values']) {
  const isNone = limit === NONE && per === undefined;
  const spendLimit = isNone ? null : spendLimitOf(limit, per);
  return {
    ...(name !== undefined && { name }),
    ...(routes !== undefined && { routes: routes.split(',').map((each) => each.trim()) }),
    ...(limit !== undefined && { spend_limit: amountBody(spendLimit) }),
  };
}

function routesText({ routes, unserved }: Product): string {
  return routes.map((route) => (unserved.includes(route) ? `${route} (does not exist)` : route)).join(', ');
}
