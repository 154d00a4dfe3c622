import {
  aliasesOf,
  createAlias,
  deleteAlias,
  findAlias,
  type KnownAlias,
  listAliases,
  updateAlias,
} from '../organization/aliases/service.ts';
import {
  createPriceOverride,
  endPriceOverride,
  filePrices,
  findPriceOverride,
  type KnownPrice,
  listPriceOverrides,
  type NewPrice,
  qualifiedName,
} from '../organization/prices/service.ts';
import { namesAtWork } from './products.ts';
import type { Task } from './task.ts';

/** A price as commands show it. */
export type ListedPrice = KnownPrice;

/** An alias as commands show it. */
export type ListedAlias = KnownAlias;

export const listPricesTask: Task<{ model: string | undefined }, ListedPrice[]> = {
  name: 'prices.list',
  async ofNothing({ fileNames, models }, { model }) {
    const directory = async () => (await models(false)).directory;
    return filePrices(fileNames, model && (await qualifiedName({ directory }, model)));
  },
  async run(services, { model }) {
    const { admin, rules } = await namesAtWork(services);
    return listPriceOverrides(admin, rules, model);
  },
};

export const setPriceTask: Task<NewPrice, ListedPrice> = {
  name: 'prices.set',
  async run(services, wanted) {
    const { admin, rules } = await namesAtWork(services);
    return findPriceOverride(admin, rules, await createPriceOverride(admin, rules, wanted));
  },
};

export const removePriceTask: Task<{ id: string }, null> = {
  name: 'prices.remove',
  async run(services, { id }) {
    const { admin, rules } = await namesAtWork(services);
    await endPriceOverride(admin, rules, id);
    return null;
  },
};

export const listAliasesTask: Task<Record<never, never>, ListedAlias[]> = {
  name: 'aliases.list',
  ofNothing: async ({ fileNames, models }) => aliasesOf(fileNames, [], (await models(false)).directory.find),
  async run(services) {
    const { admin, rules } = await namesAtWork(services);
    return listAliases(admin, rules);
  },
};

/** Changes an alias, or creates one. */
export const setAliasTask: Task<{ id: string; target: string }, ListedAlias> = {
  name: 'aliases.set',
  async run(services, { id, target }) {
    const { admin, rules } = await namesAtWork(services);
    const kept = await admin.settings.find(admin.by.organizationId, 'alias', id);
    await (kept !== null ? updateAlias : createAlias)(admin, rules, { id, target });
    return findAlias(admin, rules, id);
  },
};

export const removeAliasTask: Task<{ id: string }, null> = {
  name: 'aliases.remove',
  async run(services, { id }) {
    const { admin, rules } = await namesAtWork(services);
    await deleteAlias(admin, rules, id);
    return null;
  },
};
