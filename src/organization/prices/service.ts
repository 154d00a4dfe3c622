import type { Actor } from '../../core/audit.ts';
import { QUALIFIED_NAME } from '../../core/model-name.ts';
import type { Price } from '../../core/money.ts';
import type { OrganizationStore, PriceReader } from '../../core/ports.ts';
import type { CatalogEntry, Directory } from '../../core/provider.ts';
import type { Page, PageQuery, Setting } from '../../core/settings.ts';
import { DAY_MS } from '../../core/utc-day.ts';
import {
  type Administration,
  change,
  changed,
  demandVersion,
  found,
  invalid,
  made,
  noSuch,
  put,
} from '../administration.ts';
import { demandCapacity, type SetIn, setInText, storedSetting } from '../beside-file.ts';
import { demandFirstOrganization } from '../organizations.ts';
import { byId, mergedPage, slicePage } from '../pages.ts';
import { lastBegun } from './in-force.ts';

/** The most stored prices, including ended ones: prices that were billed are never deleted. */
export const MAX_PRICE_OVERRIDES = 10_000;
/** The longest price as JSON, in characters. */
const MAX_PRICE = 16 * 1024;
/** The latest start: ten years ahead. */
const MAX_AHEAD_MS = 10 * 365 * DAY_MS;
/** A start this much in the past still counts as now. */
const PAST_MS = 60_000;

/** A price in the terms of the configuration file. */
export type PriceDefinition = Readonly<Record<string, unknown>>;

/** A price of the configuration file. */
export type FilePrice = { model: string; price: Price; place: SetIn };

/** What managing price overrides needs. */
export type PriceRules = {
  organizations: Pick<OrganizationStore, 'list'>;
  pricesOfFile(): readonly FilePrice[];
  /**
   * Reads the definition of a price for an id (empty if it has none yet), or returns the faulty member and the fault.
   */
  readPrice(id: string, definition: PriceDefinition, since: number): Price | { param: string; fault: string };
  directory(): Promise<Pick<Directory, 'find'>>;
  billed: PriceReader;
};

/** `hidden`: the file has another. `replaced`: a later one followed. `cancelled`: it ended before it began. */
export const PRICE_STATES = ['scheduled', 'in_force', 'replaced', 'ended', 'cancelled', 'hidden'] as const;

/** A price of the file or of the settings. Times are Unix ms; `from` and `until` are `null` if unknown. */
export type KnownPrice = {
  id: string;
  model: string;
  price: Price | null;
  from: number | null;
  until: number | null;
  state: (typeof PRICE_STATES)[number];
  setting: Setting<'price_override'> | null;
  place: SetIn | null;
};

export type NewPrice = { model: string; definition: PriceDefinition; from?: number | undefined; note?: string | null };
export type PriceEdit = Partial<Pick<NewPrice, 'definition' | 'from' | 'note'>>;

/** All prices, including past ones, by id; or those of one model. */
export async function listPriceOverrides(
  admin: Administration,
  rules: PriceRules,
  model?: string,
): Promise<KnownPrice[]> {
  await demandFirstOrganization({ ...rules, ...admin });
  if (model !== undefined) return pricesOfModel(admin, rules, await qualifiedName(rules, model));
  const stored = await admin.settings.all(admin.by.organizationId, 'price_override');
  return [...filePrices(rules), ...(await knownAll(admin, rules, stored))].sort(byId);
}

/** Those of the configuration file, by id. */
export function filePrices(rules: Pick<PriceRules, 'pricesOfFile'>, model?: string): KnownPrice[] {
  const wanted = rules.pricesOfFile().filter((each) => model === undefined || each.model === model);
  return wanted.map(knownOfFile).sort(byId);
}

/** A page of them. */
export async function pageOfPriceOverrides(
  admin: Administration,
  rules: PriceRules,
  { model, ...query }: PageQuery & { model?: string },
): Promise<Page<KnownPrice>> {
  if (model !== undefined) return slicePage(await listPriceOverrides(admin, rules, model), query);
  await demandFirstOrganization({ ...rules, ...admin });
  const { items, hasMore } = await admin.settings.list(admin.by.organizationId, 'price_override', query);
  const stored = { items: await knownAll(admin, rules, items), hasMore };
  return mergedPage(slicePage(rules.pricesOfFile().map(knownOfFile), query), stored, query);
}

async function pricesOfModel(admin: Administration, rules: PriceRules, model: string): Promise<KnownPrice[]> {
  const stored = await admin.settings.pricesOf(admin.by.organizationId, model);
  return [...filePrices(rules, model), ...(await knownAll(admin, rules, stored))].sort(byId);
}

/** Throws `not_found`. */
export async function findPriceOverride(admin: Administration, rules: PriceRules, id: string): Promise<KnownPrice> {
  await demandFirstOrganization({ ...rules, ...admin });
  const inFile = priceOfFile(rules, id);
  if (inFile !== undefined) return knownOfFile(inFile);
  const [only] = await knownAll(admin, rules, [await found(admin, 'price_override', id)]);
  return only!;
}

/** Sets a model's price from a time on. Throws `invalid_request` with the field of the HTTP API at fault. */
export async function createPriceOverride(
  admin: Administration,
  rules: PriceRules,
  { model: named, definition, from, note = null }: NewPrice,
): Promise<string> {
  await demandFirstOrganization({ ...rules, ...admin });
  const model = await overridable(rules, named);
  const fault = `exceeds the limit of ${MAX_PRICE_OVERRIDES} prices`;
  await demandCapacity(admin, 'price_override', { most: MAX_PRICE_OVERRIDES, param: 'model', fault });
  const value = {
    ...{ model, definition, from: beginning(admin, from), endedAt: null, note },
    by: admin.by.actor,
    updatedAt: admin.clock.now(),
  };
  demandGood(rules, definition, value.from);
  const setting = made(admin, 'price_override', { prefix: 'price', value });
  await change(admin, [put(setting, MAX_PRICE_OVERRIDES)], {
    type: 'price_override.created',
    resourceId: setting.id,
    details: { data: { model, price: definition, effective_at: value.from, note } },
  });
  return setting.id;
}

/**
 * Changes a price that has not begun, because others were already billed. Throws as `createPriceOverride` does, and
 * `conflict`.
 */
export async function updatePriceOverride(
  admin: Administration,
  rules: PriceRules,
  { id, edit, ifVersion }: { id: string; edit: PriceEdit; ifVersion?: number | undefined },
): Promise<void> {
  const setting = await storedPrice(admin, rules, id);
  demandVersion(setting, ifVersion);
  const before = setting.value;
  if (before.from <= admin.clock.now() || before.endedAt !== null)
    throw invalid('price_override_id', 'has begun or ended: set another price for the model');
  const { definition = before.definition, note = before.note } = edit;
  const from = edit.from === undefined ? before.from : beginning(admin, edit.from);
  demandGood(rules, definition, from);
  await change(admin, [put(changed(setting, { definition, note, from, updatedAt: admin.clock.now() }))], {
    type: 'price_override.updated',
    resourceId: id,
    details: {
      changes_requested: { price: definition, effective_at: from, note },
      before: { price: before.definition, effective_at: before.from, note: before.note },
    },
  });
}

/** Ends a price now; the model costs what it would without it. Past bills and the history stay. */
export async function endPriceOverride(admin: Administration, rules: PriceRules, id: string): Promise<void> {
  const setting = await storedPrice(admin, rules, id);
  const now = admin.clock.now();
  const { model, definition, from, endedAt } = setting.value;
  const ofModel = await admin.settings.pricesOf(admin.by.organizationId, model);
  const inForce = lastBegun(ofModel, now).get(model);
  if (endedAt !== null || (from <= now && inForce?.id !== id)) throw invalid('price_override_id', 'has already ended');
  await change(admin, [put(changed(setting, { endedAt: now, updatedAt: now }))], {
    type: 'price_override.ended',
    resourceId: id,
    details: { before: { model, price: definition, effective_at: from } },
  });
}

/** One price in a model's history. `by`: who set it, if it was set here. */
export type ModelPrice = {
  id: string;
  model: string;
  price: Price;
  from: number | null;
  until: number | null;
  isInForce: boolean;
  /** `billed`: calls were billed by it before. */
  origin: 'settings' | 'file' | 'catalog' | 'billed';
  overrideId: string | null;
  by: Actor | null;
};

/** The known history of a model's price: prices that were set, the present one, and those that billed. */
export async function modelPrices(admin: Administration, rules: PriceRules, name: string): Promise<ModelPrice[]> {
  await demandFirstOrganization({ ...rules, ...admin });
  const entry = (await rules.directory()).find(name);
  if (entry === undefined) return noSuch('model');
  const model = fullName(entry);
  const overrides = await pricesOfModel(admin, rules, model);
  const set = overrides.flatMap((each): ModelPrice[] => {
    const { id, price, from, until, state, setting } = each;
    if (price === null || setting === null || state === 'cancelled') return [];
    const kept = { id, model, price, from, until, isInForce: state === 'in_force' };
    return [{ ...kept, origin: 'settings', overrideId: id, by: setting.value.by }];
  });
  const { provider, model: present } = entry;
  const isOfFile = overrides.some(({ setting }) => setting === null);
  const current: ModelPrice[] =
    present.price === null || set.some(({ isInForce }) => isInForce)
      ? []
      : [{ ...ofNobody(model, present.price, 'current'), isInForce: true, origin: isOfFile ? 'file' : 'catalog' }];
  const known = [...set, ...current].map(({ price }) => sayingOf(price));
  const billed = (await rules.billed.ofModel(provider.id, present.upstreamId))
    .filter(({ price }) => !known.includes(sayingOf(price)))
    .map(({ id, price }) => ofNobody(model, price, id));
  return [...set, ...current, ...billed].sort(byId);
}

function ofNobody(model: string, price: Price, id: string): ModelPrice {
  const from = price.date === '' ? null : Date.parse(price.date);
  return { ...{ id, model, price, from }, until: null, isInForce: false, origin: 'billed', overrideId: null, by: null };
}

/** Distinguishes prices of the same source and day. */
function sayingOf(price: Price): string {
  return JSON.stringify(price, (_, value: unknown) => {
    if (typeof value === 'bigint') return String(value);
    const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isMap ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))) : value;
  });
}

async function knownAll(
  admin: Administration,
  rules: PriceRules,
  stored: readonly Setting<'price_override'>[],
): Promise<KnownPrice[]> {
  const ids = stored.map(({ id }) => id);
  const replacedAt = await admin.settings.replacementsOf(admin.by.organizationId, ids);
  const inFile = new Set(rules.pricesOfFile().map(({ model }) => model));
  const now = admin.clock.now();
  return stored.map((setting) => {
    const { id, value } = setting;
    const { model, from, endedAt } = value;
    const read = rules.readPrice(id, value.definition, from);
    const next = replacedAt.get(id) ?? null;
    const until = endedAt === null || (next !== null && next < endedAt) ? next : endedAt;
    const state = (): KnownPrice['state'] => {
      if (!begins(setting)) return 'cancelled';
      if (inFile.has(model)) return 'hidden';
      if (from > now) return 'scheduled';
      if (next !== null && next <= now) return 'replaced';
      return endedAt === null ? 'in_force' : 'ended';
    };
    return { id, model, price: 'fault' in read ? null : read, from, until, state: state(), setting, place: null };
  });
}

function begins({ value: { from, endedAt } }: Setting<'price_override'>): boolean {
  return endedAt === null || endedAt > from;
}

function knownOfFile(inFile: FilePrice): KnownPrice {
  const { model, price, place } = inFile;
  const from = price.date === '' ? null : Date.parse(price.date);
  return { id: idOf(inFile), model, price, from, until: null, state: 'in_force', setting: null, place };
}

function idOf({ model }: FilePrice): string {
  return `file/${model}`;
}

function priceOfFile(rules: PriceRules, id: string): FilePrice | undefined {
  return rules.pricesOfFile().find((each) => idOf(each) === id);
}

/** Throws as `storedSetting` does. */
function storedPrice(admin: Administration, rules: PriceRules, id: string): Promise<Setting<'price_override'>> {
  const inFile = priceOfFile(rules, id);
  return storedSetting(admin, rules, 'price_override', { id, inFile: inFile && setIn(inFile) });
}

/** The name under which a model's price is stored. Throws `invalid_request` if it cannot have one. */
async function overridable(rules: PriceRules, named: string): Promise<string> {
  const { find } = await rules.directory();
  const entry = find(named);
  if (entry !== undefined && entry.origin !== 'vendor')
    throw invalid('model', 'is a route, whose price is in its definition');
  if (entry?.provider.transport === 'echo') throw invalid('model', 'is built in, and its price cannot be changed');
  const model = entry === undefined ? named : fullName(entry);
  if (!QUALIFIED_NAME.test(model)) throw invalid('model', 'does not exist now; use `provider/model`');
  const ofFile = rules.pricesOfFile().find((each) => each.model === model);
  if (ofFile !== undefined) throw invalid('model', `has its price from the file, because ${setIn(ofFile)}`);
  return model;
}

export async function qualifiedName({ directory }: Pick<PriceRules, 'directory'>, name: string): Promise<string> {
  const entry = (await directory()).find(name);
  return entry === undefined ? name : fullName(entry);
}

function fullName({ origin, id, provider, model }: CatalogEntry): string {
  return origin === 'vendor' ? `${provider.id}/${model.id}` : id;
}

/** The start of a price. Throws `invalid_request` if it has passed: bills do not change. */
function beginning({ clock }: Administration, from: number | undefined): number {
  const now = clock.now();
  if (from === undefined) return now;
  if (from < now - PAST_MS) throw invalid('effective_at', 'must not be in the past, because bills do not change');
  if (from > now + MAX_AHEAD_MS) throw invalid('effective_at', 'must be within ten years');
  return Math.max(from, now);
}

function demandGood(rules: PriceRules, definition: PriceDefinition, from: number): void {
  if (JSON.stringify(definition).length > MAX_PRICE)
    throw invalid('price', `must be smaller than ${MAX_PRICE} characters`);
  if (Object.keys(definition).length === 0) throw invalid('price', 'must name at least one rate');
  const read = rules.readPrice('', definition, from);
  if ('fault' in read) throw invalid(read.param === '' ? 'price' : `price.${read.param}`, read.fault);
}

function setIn({ place }: FilePrice): string {
  return setInText('it', place);
}
