import { basename } from 'node:path';
import type { Config } from '../../config/config.ts';
import type { Path } from '../../config/problems.ts';
import { readStoredPrice } from '../../config/stored-prices.ts';
import { type DefinitionFault, SETTINGS_SOURCE } from '../../config/stored-providers.ts';
import type { Price } from '../../core/money.ts';
import type { Storage } from '../../core/ports.ts';
import type { Directory } from '../../core/provider.ts';
import { SYSTEM_ROUTE } from '../../core/route.ts';
import { utcDay } from '../../core/utc-day.ts';
import type { SetIn } from '../../organization/beside-file.ts';
import type { FileNames, NameRules } from '../../organization/gateway-settings.ts';
import type { PriceDefinition } from '../../organization/prices/service.ts';
import type { Setup } from '../setup.ts';

type FileSetup = Pick<Setup, 'config' | 'lineOf'>;

/** `setup`: the configuration as read, without the settings. */
export function nameRulesOf(
  setup: () => FileSetup,
  { organizations, routes, prices }: Pick<Storage, 'organizations' | 'routes' | 'prices'>,
  directory: () => Promise<Directory>,
): NameRules {
  return {
    ...{ organizations, routes, directory },
    billed: prices,
    readPrice: readSettingsPrice,
    ...fileNamesOf(setup),
  };
}

export function fileNamesOf(setup: () => FileSetup): FileNames {
  const placeOf = (path: Path) => setInFile(setup(), path);
  return {
    productsOfFile: () =>
      [...setup().config.products].map(([id, { name, routes: names, budget }]) => ({
        ...{ id, name, routes: names },
        spendLimit: budget,
        place: placeOf(['products', id]),
      })),
    pricesOfFile: () => filePricesOf(setup().config).map(({ path, ...known }) => ({ ...known, place: placeOf(path) })),
    aliasesOfFile: () =>
      [...setup().config.aliases].map(([id, target]) => ({ id, target, place: placeOf(['aliases', id]) })),
    routeOfFile(name) {
      const { routes: own } = setup().config;
      if (name === SYSTEM_ROUTE || !own.some(({ id }) => id === name)) return null;
      return placeOf(['routes', name]);
    },
  };
}

/** The prices in a configuration and their places: facts, else models of providers. */
export function filePricesOf({ models, providers }: Config): { model: string; price: Price; path: Path }[] {
  const facts = [...models].map(([model, { price }]) => ({ model, price, path: ['models', model, 'price'] }));
  const listed = providers.flatMap(({ id, models: more, only }) =>
    (only ?? more).map((each, index) => ({
      model: `${id}/${each.id}`,
      price: each.price,
      path: ['providers', id, only === null ? 'models' : 'only', index, 'price'],
    })),
  );
  const known = new Map<string, { model: string; price: Price; path: Path }>();
  for (const { price, ...each } of [...listed, ...facts]) if (price != null) known.set(each.model, { ...each, price });
  return [...known.values()];
}

/** Reads a price of the settings. Its source names the setting, so that each price has its own version in the ledger. */
export function readSettingsPrice(id: string, definition: PriceDefinition, since: number): Price | DefinitionFault {
  const source = id === '' ? SETTINGS_SOURCE : `${SETTINGS_SOURCE} ${id}`;
  return readStoredPrice(definition, { source, since: utcDay(since) });
}

/** Only files have these. */
function setInFile({ config, lineOf }: FileSetup, path: Path): SetIn {
  return { file: basename(config.file ?? ''), line: lineOf(path) };
}
