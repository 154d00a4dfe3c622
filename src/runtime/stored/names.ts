import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import type { Config, KnownFacts, ProductConfig } from '../../config/config.ts';
import { fileRouteIds } from '../../config/stored.ts';
import type { Price } from '../../core/money.ts';
import { endOf } from '../../organization/aliases/service.ts';
import type { KeptForGateway } from '../../organization/gateway-settings.ts';
import { productTerms } from '../../organization/products/service.ts';
import type { Setup } from '../setup.ts';
import { filePricesOf, readSettingsPrice } from './name-rules.ts';

/** Adds the products, prices and aliases of the settings to a configuration. The result stays the same until either changes. */
export class StoredNames {
  readonly #log: Logger;
  #last: { setup: Setup; kept: KeptForGateway; merged: Setup } | null = null;
  #products: ReadonlyMap<string, ProductConfig> = new Map();
  /** By the ids of their settings. */
  #prices: ReadonlyMap<string, Price> = new Map();

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Adds those whose name the file (`ofFile`) does not have. */
  beside(setup: Setup, ofFile: Config, kept: KeptForGateway | null): Setup {
    if (kept === null || kept.products.length + kept.prices.length + kept.aliases.length === 0) return setup;
    if (this.#last?.setup === setup && this.#last.kept === kept) return this.#last.merged;
    this.#products = this.#productsOf(kept);
    const { config } = setup;
    const merged: Setup = {
      ...setup,
      config: {
        ...config,
        products: new Map([...this.#products, ...config.products]),
        models: this.#modelsOf(ofFile, kept),
        aliases: aliasesOf(config, kept),
      },
    };
    this.#last = { setup, kept, merged };
    return merged;
  }

  /** Unchanged values keep their object, because spending is read again for a new limit object. */
  #productsOf({ products }: KeptForGateway): Map<string, ProductConfig> {
    return new Map(
      products.map(({ id, value }) => {
        const { name, routes, spendLimit } = productTerms(value);
        const config = { name, routes, budget: spendLimit };
        const before = this.#products.get(id);
        return [id, before !== undefined && isDeepStrictEqual(before, config) ? before : config];
      }),
    );
  }

  /** Facts of models with the prices of the settings, except for models with a price in the file. */
  #modelsOf(config: Config, { prices }: KeptForGateway): Map<string, KnownFacts> {
    const said = new Set(filePricesOf(config).map(({ model }) => model));
    const models = new Map(config.models);
    const read = new Map<string, Price>();
    for (const setting of prices) {
      const { id, value } = setting;
      if (said.has(value.model)) continue;
      const price = this.#prices.get(id) ?? readSettingsPrice(id, value.definition, value.from);
      if ('fault' in price) {
        this.#log.error({ price: id }, `A price of the settings is left out: ${price.param} ${price.fault}.`);
        continue;
      }
      read.set(id, price);
      models.set(value.model, { ...models.get(value.model), price });
    }
    this.#prices = read;
    return models;
  }
}

/** Resolves each alias to its model. Leaves out aliases with the id of a route of the file, and cycles. */
function aliasesOf(config: Config, { aliases }: KeptForGateway): Map<string, string> {
  const routes = new Set(fileRouteIds(config));
  const own = aliases.filter(({ id }) => !routes.has(id)).map(({ id, value }) => [id, value.target] as const);
  const targets = new Map([...own, ...config.aliases]);
  const ends = [...targets.keys()].flatMap((id) => {
    const end = endOf(targets, id);
    return end === null ? [] : [[id, end] as const];
  });
  return new Map(ends);
}
