import type { AliasRules } from './aliases.ts';
import type { PriceRules } from './price-overrides.ts';
import type { ProductRules } from './products.ts';

/** What the gateway's own names are set up by, beside those of the configuration: products, prices and aliases. */
export type OwnRules = ProductRules & PriceRules & AliasRules;
