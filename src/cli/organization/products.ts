import { dollars } from '../../core/money.ts';
import {
  createProductTask,
  deleteProductTask,
  editProductTask,
  type ListedProduct,
  listProductsTask,
  rotateProductTask,
} from '../../tasks/products.ts';
import type { Command, CommandCall } from '../command.ts';
import { inOptionsOf, UsageError } from '../failure.ts';
import { whileOf } from '../keys/rotate.ts';
import { oldSecretText, secretText } from '../keys/secret-text.ts';
import { spendText, spentText } from '../keys/show.ts';
import { expiryOf, NONE, spendLimitOf } from '../keys/wanted.ts';
import { perform } from '../perform.ts';
import { unixSeconds } from '../phrases.ts';
import { table } from '../table.ts';

const ID = { value: 'ID', about: 'The product.', required: true } as const;
const TERMS = {
  name: { value: 'NAME', about: 'Display name (default for a new product: the id).' },
  routes: { value: 'A,B', about: 'Routes and models that its keys may call (default for a new product: system).' },
  'spend-limit': { value: 'USD', about: 'Total its keys may spend: 500, 500/month, 20/day.' },
  per: { value: 'PERIOD', about: 'Period of --spend-limit: life, day, week, month.' },
} as const;
const DEFAULT_OVERLAP = '24h';

/** The option of each field of a product. */
const OPTION_OF = {
  id: 'ID',
  product_id: 'ID',
  name: '--name',
  routes: '--routes',
  spend_limit: '--spend-limit',
  api_key_id: '--key',
  expiresAt: '--expires',
  overlap: '--overlap',
};

export const productsList: Command = {
  name: 'products list',
  about: 'List the products of the configuration file and of the settings.',
  options: {},
  examples: ['headgate products list'],
  async run({ where, tools }) {
    const { answer, notes } = await perform(tools, tools.readSetup(where), listProductsTask, {});
    const columns = [
      { title: 'ID', of: ({ id }: ListedProduct) => id },
      { title: 'NAME', of: ({ name }: ListedProduct) => name },
      { title: 'MAY CALL', of: routesText },
      { title: 'SPENT', of: spentText },
      { title: 'KEYS', of: ({ keys }: ListedProduct) => keys.map(({ id }) => id).join(', ') || '-' },
      { title: 'SET IN', of: ({ place, off }: ListedProduct) => off ?? placeOf(place) },
    ];
    return {
      text:
        answer.length === 0 ? 'No products yet. Add one: headgate products create helpdesk' : table(columns, answer),
      json: { object: 'list', data: answer.map(productJson) },
      notes,
    };
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
  async run({ argument: id = '', values, where, tools }) {
    const { project, expires } = values;
    const wanted = {
      ...termsOf(values),
      id,
      ...(project !== undefined && { projectId: project }),
      ...(expires !== undefined && { expiresAt: expiryOf(expires, tools.clock.now()) }),
    };
    const work = perform(tools, tools.readSetup(where), createProductTask, wanted);
    const { product, made } = (await inOptionsOf(OPTION_OF, work)).answer;
    return {
      text: secretText(
        `Product ${id} may call ${routesText(product)}. Its key ${made.key.id}, shown only once:`,
        made.secret,
      ),
      json: { ...productJson(product), api_key_id: made.key.id, key: made.secret },
    };
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
  async run({ argument: id = '', values, where, tools }) {
    const edit = termsOf(values);
    if (Object.keys(edit).length === 0) {
      throw new UsageError('Nothing is to be changed: name one of --name, --routes, --spend-limit.');
    }
    const work = perform(tools, tools.readSetup(where), editProductTask, { id, edit });
    const { answer } = await inOptionsOf(OPTION_OF, work);
    const limit = answer.spendLimit === null ? 'as much as its keys allow' : spendText(answer.spendLimit);
    return {
      text: `Product ${id} may call ${routesText(answer)}, and spend ${limit}. In force within a second.`,
      json: productJson(answer),
    };
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
  async run({ argument: id = '', values: { key: keyId, overlap = DEFAULT_OVERLAP }, where, tools }) {
    const overlapMs = whileOf(overlap);
    const input = { id, keyId, overlapMs };
    const work = perform(tools, tools.readSetup(where), rotateProductTask, input);
    const { key, secret, earlierUntil } = (await inOptionsOf(OPTION_OF, work)).answer;
    const whose = `Key ${key.id} of the product ${id}`;
    const told =
      earlierUntil === null
        ? `${whose}, shown only once:`
        : `${whose} has a new secret, shown only once. ${oldSecretText(overlapMs, earlierUntil)}`;
    return {
      text: secretText(told, secret),
      json: { id, api_key_id: key.id, key: secret, earlier_until: unixSeconds(earlierUntil) },
    };
  },
};

export const productsDelete: Command = {
  name: 'products delete',
  about: 'Delete a product, and revoke its keys, for good. Its usage stays.',
  argument: ID,
  options: {},
  examples: ['headgate products delete helpdesk'],
  async run({ argument: id = '', where, tools }) {
    await inOptionsOf(OPTION_OF, perform(tools, tools.readSetup(where), deleteProductTask, { id }));
    return {
      text: `Product ${id} is deleted. Its keys are refused everywhere within a second.`,
      json: { id, deleted: true },
    };
  },
};

function termsOf({ name, routes, 'spend-limit': limit, per }: CommandCall['values']) {
  const isNone = limit === NONE && per === undefined;
  const spendLimit = isNone ? null : spendLimitOf(limit, per);
  return {
    ...(name !== undefined && { name }),
    ...(routes !== undefined && { routes: routes.split(',').map((each) => each.trim()) }),
    ...(limit !== undefined && { spendLimit }),
  };
}

function routesText({ routes, unserved }: ListedProduct): string {
  return routes.map((route) => (unserved.includes(route) ? `${route} (does not exist)` : route)).join(', ');
}

/** Where a setting is made: `headgate.yaml, line 7`, `settings`. */
export function placeOf(place: ListedProduct['place']): string {
  if (place === null) return 'settings';
  return place.line === null ? place.file : `${place.file}, line ${place.line}`;
}

function productJson(product: ListedProduct) {
  const { id, name, routes, unserved, spendLimit, spent, spentUntil, keys, place, off } = product;
  return {
    id,
    name,
    routes,
    unserved,
    spend_limit: spendLimit === null ? null : { usd: dollars(spendLimit.amount), per: spendLimit.per },
    spent_usd: dollars(spent),
    spent_until: unixSeconds(spentUntil),
    api_keys: keys.map((key) => ({ id: key.id, name: key.name, hint: key.hint })),
    set_in: place,
    off,
  };
}
