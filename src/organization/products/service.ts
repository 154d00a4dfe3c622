import { MODEL_NAME, OWNER_NAME } from '../../core/model-name.ts';
import { MAX_LIMIT_AMOUNT, type NanoDollars } from '../../core/money.ts';
import type { OrganizationStore } from '../../core/ports.ts';
import { nameFault } from '../../core/printable-text.ts';
import type { Directory } from '../../core/provider.ts';
import { type ApiKey, budgetId, type SpendLimit } from '../../core/records.ts';
import { SYSTEM_ROUTE } from '../../core/route.ts';
import type { Setting, StoredProduct } from '../../core/settings.ts';
import { periodAt } from '../../core/spend-period.ts';
import { keyNameAfter } from '../../keys/keys.ts';
import {
  type Administration,
  change,
  changed,
  demandVersion,
  differing,
  found,
  invalid,
  made,
  put,
  removed,
  unchanged,
} from '../administration.ts';
import { newKeyBy } from '../api-keys/owners.ts';
import { rotateProjectKey } from '../api-keys/service.ts';
import { demandCapacity, type SetIn, setInText, storedSetting } from '../beside-file.ts';
import type { BudgetUse } from '../budgets/standing.ts';
import { demandFirstOrganization } from '../organizations.ts';
import { byId } from '../pages.ts';
import { usageFor } from '../permissions.ts';
import { openProject } from '../projects/service.ts';
import { adding, type NewSecret } from '../service-accounts/service.ts';

/** The most products beside those of the file. */
export const MAX_PRODUCTS = 500;
export const MAX_PRODUCT_ROUTES = 100;
/** The most keys that are shown with a product. */
export const MAX_SHOWN_KEYS = 20;
const MAX_LABEL = 128;

/** The definition of a product. */
export type ProductTerms = { name: string; routes: readonly string[]; spendLimit: SpendLimit | null };

/** A product of the configuration file. */
export type FileProduct = ProductTerms & { id: string; place: SetIn };

/** What managing products needs. */
export type ProductRules = {
  organizations: Pick<OrganizationStore, 'list'>;
  productsOfFile(): readonly FileProduct[];
  /** What calls may name now. */
  directory(): Promise<Pick<Directory, 'find'>>;
};

/** A product of the file or of the settings. `off`: why it is not in force; `null` if it is. */
export type KnownProduct = ProductTerms & {
  id: string;
  setting: Setting<'product'> | null;
  place: SetIn | null;
  off: string | null;
};

/** A product with its use. */
export type ProductFacts = KnownProduct & {
  /** Its routes that do not exist now. */
  unserved: readonly string[];
  /** Its newest valid keys, at most `MAX_SHOWN_KEYS`. */
  keys: readonly ApiKey[];
  /** In the current period of its limit; without a limit, in total. */
  spent: NanoDollars;
  /** Its next reset (Unix ms); `null` for none. */
  spentUntil: number | null;
};

/** `projectId`: of its first key (default: the default project). Times are Unix ms. */
export type NewProduct = Partial<ProductTerms> & { id: string; projectId?: string; expiresAt?: number | null };

/** All products by id. Those of the file hide others. */
export async function listProducts(admin: Administration, rules: ProductRules): Promise<KnownProduct[]> {
  await demandFirstOrganization({ ...rules, ...admin });
  const ofFile = new Map(rules.productsOfFile().map((each) => [each.id, each]));
  const stored = await admin.settings.all(admin.by.organizationId, 'product');
  const kept = stored.map((setting) => known(setting, ofFile.get(setting.id)));
  return [...[...ofFile.values()].map(knownOfFile), ...kept].sort(byId);
}

/** Throws `not_found`. */
export async function findProduct(admin: Administration, rules: ProductRules, id: string): Promise<KnownProduct> {
  await demandFirstOrganization({ ...rules, ...admin });
  const inFile = productOfFile(rules, id);
  return inFile === undefined ? known(await found(admin, 'product', id)) : knownOfFile(inFile);
}

/** Products with their use, in their order. */
export async function productFacts(
  admin: Administration,
  rules: ProductRules,
  use: Pick<BudgetUse, 'spent'>,
  products: readonly KnownProduct[],
): Promise<ProductFacts[]> {
  if (products.length === 0) return [];
  const now = admin.clock.now();
  const { find } = await rules.directory();
  const periods = products.map(({ spendLimit }) => periodAt(spendLimit?.per ?? 'life', now));
  const asked = products.map(({ id }, index) => {
    const { sinceDay, throughDay } = periods[index]!;
    return { id: budgetId({ of: 'product', id }), sinceDay, throughDay };
  });
  const spent = await use.spent(asked);
  return Promise.all(
    products.map(async (product, index) => {
      return {
        ...product,
        unserved: product.routes.filter((name) => find(name) === undefined),
        keys: await newestKeys(admin, product.id, MAX_SHOWN_KEYS),
        spent: spent[index]!,
        spentUntil: endOfPeriod(product, now),
      };
    }),
  );
}

/** The products of the configuration file, for an empty store. */
export function unusedProducts(
  rules: Pick<ProductRules, 'productsOfFile'>,
  { find, now }: Pick<Directory, 'find'> & { now: number },
): ProductFacts[] {
  const facts = rules.productsOfFile().map((product): ProductFacts => {
    const unserved = product.routes.filter((name) => find(name) === undefined);
    return { ...knownOfFile(product), unserved, keys: [], spent: 0n, spentUntil: endOfPeriod(product, now) };
  });
  return facts.sort(byId);
}

function endOfPeriod({ spendLimit }: ProductTerms, now: number): number | null {
  const { endsAt } = periodAt(spendLimit?.per ?? 'life', now);
  return Number.isFinite(endsAt) ? endsAt : null;
}

/** Creates a product with its first key. Throws `invalid_request` with the field of the HTTP API at fault. */
export async function createProduct(
  admin: Administration,
  rules: ProductRules,
  { id, name = id, routes = [SYSTEM_ROUTE], spendLimit = null, projectId, expiresAt = null }: NewProduct,
): Promise<{ product: KnownProduct; made: NewSecret }> {
  await demandFirstOrganization({ ...rules, ...admin });
  if (!OWNER_NAME.test(id)) throw invalid('id', 'must be a name of letters, digits, “_” and “-” (at most 64)');
  const inFile = productOfFile(rules, id);
  if (inFile !== undefined) throw invalid('id', `is taken: ${setIn(inFile)}`);
  const taken = await admin.settings.find(admin.by.organizationId, 'product', id);
  if (taken !== null) throw invalid('id', 'is the id of another product');
  const fault = `exceeds the limit of ${MAX_PRODUCTS} products`;
  await demandCapacity(admin, 'product', { most: MAX_PRODUCTS, param: 'id', fault });
  demandName(name);
  const value = { ...keptTerms({ name, routes, spendLimit }), updatedAt: admin.clock.now() };
  const inProject = projectId === undefined ? [] : [unchanged(await openProject(admin, projectId))];
  const product = made(admin, 'product', { id, value });
  const first = keyOf(admin, product.id, { name: value.name, projectId, expiresAt });
  await change(admin, [put(product, MAX_PRODUCTS), adding(admin, first), ...inProject], {
    type: 'product.created',
    resourceId: id,
    details: { data: { ...termsOf(value), api_key_id: first.key.id } },
    firstKey: first.key,
  });
  return { product: known(product), made: first };
}

/** Fields that are left out stay. Throws as `createProduct` does, and `conflict` if another version was expected. */
export async function updateProduct(
  admin: Administration,
  rules: ProductRules,
  { id, edit, ifVersion }: { id: string; edit: Partial<ProductTerms>; ifVersion?: number | undefined },
): Promise<KnownProduct> {
  const setting = await storedProduct(admin, rules, id);
  demandVersion(setting, ifVersion);
  const before = setting.value;
  if (edit.name !== undefined) demandName(edit.name);
  const value = { ...keptTerms({ ...productTerms(before), ...edit }), updatedAt: admin.clock.now() };
  const next = changed(setting, value);
  await change(admin, [put(next)], {
    type: 'product.updated',
    resourceId: id,
    details: { changes_requested: differing(termsOf(value), termsOf(before)), before: termsOf(before) },
  });
  return known(next, productOfFile(rules, id));
}

/** A product's key with a new secret, or its first key: `earlierUntil` is `null` then. */
export type RotatedKey = NewSecret & { earlierUntil: number | null };

/**
 * Replaces the secret of a product's key; the old one stays valid for `overlapMs`. `keyId` is optional for a single
 * key; a product without keys gets its first.
 */
export async function rotateProductKey(
  admin: Administration,
  rules: ProductRules,
  { id, keyId, overlapMs }: { id: string; keyId?: string | undefined; overlapMs: number },
): Promise<RotatedKey> {
  const product = await findProduct(admin, rules, id);
  const key = await chosenKey(admin, id, keyId);
  if (key !== null) return rotateProjectKey(admin, { projectId: key.projectId!, id: key.id }, overlapMs);
  const first = keyOf(admin, id, { name: product.name, expiresAt: null });
  const there = product.setting === null ? [] : [unchanged(product.setting)];
  await change(admin, [adding(admin, first), ...there], {
    type: 'api_key.created',
    resourceId: first.key.id,
    details: { data: { scopes: [] }, name: first.key.name, product: id },
  });
  return { ...first, earlierUntil: null };
}

/** Deletes a product and revokes its keys. */
export async function deleteProduct(admin: Administration, rules: ProductRules, id: string): Promise<void> {
  const setting = await storedProduct(admin, rules, id);
  const revoked = { revokeKeys: { of: 'product' as const, id, at: admin.clock.now() } };
  // Keys of a product that the file also has stay valid.
  const isHidden = productOfFile(rules, id) !== undefined;
  await change(admin, [removed(setting), ...(isHidden ? [] : [revoked])], {
    type: 'product.deleted',
    resourceId: id,
    details: { before: termsOf(setting.value) },
  });
}

/** `null` if it has none. */
async function chosenKey(admin: Administration, product: string, keyId: string | undefined): Promise<ApiKey | null> {
  if (keyId === undefined) {
    const [only, other] = await newestKeys(admin, product, 2);
    if (other !== undefined) throw invalid('api_key_id', 'is required, because the product has several keys');
    return only ?? null;
  }
  const key = await admin.settings.key(admin.by.organizationId, keyId);
  if (key?.product !== product || key.revokedAt !== null) throw invalid('api_key_id', 'is not a key of this product');
  return key;
}

async function newestKeys(
  { settings, by }: Administration,
  product: string,
  limit: number,
): Promise<readonly ApiKey[]> {
  return (await settings.keys(by.organizationId, { access: 'models', product, limit, order: 'desc' })).items;
}

function keyOf(
  admin: Administration,
  product: string,
  { name, projectId, expiresAt }: { name: string; projectId?: string | undefined; expiresAt: number | null },
): NewSecret {
  const usage = usageFor(admin.by, projectId ?? null);
  const of = { name: keyNameAfter(name), product, expiresAt, usage };
  return newKeyBy(admin, { ...of, ...(projectId !== undefined && { projectId }) });
}

/** Throws as `storedSetting` does. */
async function storedProduct(admin: Administration, rules: ProductRules, id: string): Promise<Setting<'product'>> {
  const inFile = productOfFile(rules, id);
  return storedSetting(admin, rules, 'product', { id, inFile: inFile && setIn(inFile) });
}

function productOfFile(rules: ProductRules, id: string): FileProduct | undefined {
  return rules.productsOfFile().find((each) => each.id === id);
}

/**
 * The stored form of a product. Throws `invalid_request` at the faulty field. A missing route may exist later:
 * `ProductFacts` reports it.
 */
function keptTerms({ name, routes, spendLimit }: ProductTerms): Omit<StoredProduct, 'updatedAt'> {
  if (routes.length === 0) throw invalid('routes', 'must name at least one');
  if (routes.length > MAX_PRODUCT_ROUTES) throw invalid('routes', `must name at most ${MAX_PRODUCT_ROUTES}`);
  for (const [index, route] of routes.entries()) {
    const param = `routes.${index}`;
    if (!MODEL_NAME.test(route))
      throw invalid(param, 'must be a name of 1 to 256 characters of ASCII, without spaces and *');
    if (routes.indexOf(route) !== index) throw invalid(param, 'is repeated');
  }
  if (spendLimit === null) return { name, routes, spendLimit };
  const { amount, per } = spendLimit;
  if (amount <= 0n) throw invalid('spend_limit.amount_usd', 'must be greater than 0');
  if (amount > MAX_LIMIT_AMOUNT) throw invalid('spend_limit.amount_usd', 'must be at most a billion dollars');
  return { name, routes, spendLimit: { amount: String(amount), per } };
}

/** A stored one is not checked again. */
function demandName(name: string): void {
  const fault = nameFault(name);
  if (fault !== null) throw invalid('name', fault);
  const isLabel = name.length <= MAX_LABEL && /^\S(.*\S)?$/u.test(name);
  if (!isLabel) throw invalid('name', `must be a name of 1 to ${MAX_LABEL} characters`);
}

/** What the audit log shows of it. */
function termsOf({ name, routes, spendLimit }: StoredProduct) {
  return { name, routes, spend_limit: spendLimit };
}

/** `inFile`: the file's product that hides it. */
function known(setting: Setting<'product'>, inFile?: FileProduct): KnownProduct {
  const { id, value } = setting;
  return { ...productTerms(value), id, setting, place: null, off: inFile === undefined ? null : setIn(inFile) };
}

function knownOfFile(product: FileProduct): KnownProduct {
  return { ...product, setting: null, off: null };
}

/** A product of the settings with its amount as a number. */
export function productTerms({ name, routes, spendLimit }: StoredProduct): ProductTerms {
  return {
    name,
    routes,
    spendLimit: spendLimit === null ? null : { amount: BigInt(spendLimit.amount), per: spendLimit.per },
  };
}

function setIn({ place }: FileProduct): string {
  return setInText('a product of this id', place);
}
