import type { KeptModel, ModelStore } from '../../../core/route-store.ts';
import { wholeSummary } from '../../../core/usage-summary.ts';
import type { Tables } from '../../tables.ts';
import type { TableThread } from './table-thread.ts';

/** The methods of a room of the tables: those that answer once, and those whose answers come in parts. */
type Methods<Room> = { [Name in keyof Room]: 'once' | 'parts' };

/** The tables of another thread: each question goes there, behind all records that were handed in before. */
export function remoteTables(thread: TableThread): Tables {
  function remote<Name extends keyof Tables>(room: Name, methods: Methods<Tables[Name]>): Tables[Name] {
    const calls = Object.entries(methods).map(([method, answers]) => {
      const stream = (...args: unknown[]) => thread.stream({ room, method, args });
      return [method, answers === 'parts' ? stream : (...args: unknown[]) => thread.ask({ room, method, args })];
    });
    return Object.fromEntries(calls) as Tables[Name];
  }

  const models = remote('models', {
    list: 'once',
    find: 'once',
    live: 'once',
    add: 'once',
    forget: 'once',
    enforce: 'once',
    addRows: 'once',
    countRows: 'once',
    rows: 'parts',
  });
  const usage = remote('usage', USAGE);
  return {
    keys: remote('keys', {
      find: 'once',
      create: 'once',
      list: 'once',
      revoke: 'once',
      change: 'once',
      rotate: 'once',
      noteUse: 'once',
      get: 'once',
      named: 'once',
      oldest: 'once',
      earlierSecrets: 'once',
      use: 'once',
      changes: 'once',
    }),
    organizations: remote('organizations', { list: 'once', create: 'once' }),
    settings: remote('settings', SETTINGS),
    people: remote('people', PEOPLE),
    audit: remote('audit', { list: 'once', verify: 'once', accept: 'once' }),
    usage: { ...usage, summarize: (query) => wholeSummary(usage.summaryParts(query)) },
    calls: remote('calls', { find: 'once', findAll: 'once', decisions: 'parts' }),
    settled: remote('settled', { newest: 'once', since: 'once' }),
    spend: remote('spend', { spent: 'once' }),
    prices: remote('prices', { ofModel: 'once' }),
    leases: remote('leases', { exchange: 'once', end: 'once', catchUp: 'once', clear: 'once' }),
    routes: remote('routes', {
      list: 'once',
      put: 'once',
      remove: 'once',
      keepVersion: 'once',
      version: 'once',
      changes: 'once',
    }),
    models: withWeights(models),
    webhooks: remote('webhooks', WEBHOOKS),
    refused: remote('refused', { add: 'once', list: 'once', find: 'once', purge: 'once' }),
    feedback: remote('feedback', { put: 'once', find: 'once' }),
    thresholds: remote('thresholds', THRESHOLDS),
    upkeep: remote('upkeep', UPKEEP),
  };
}

const USAGE: Methods<Tables['usage']> = {
  list: 'once',
  summarize: 'once',
  summaryParts: 'parts',
  firstTokens: 'once',
  buckets: 'parts',
};

const SETTINGS: Methods<Tables['settings']> = {
  find: 'once',
  list: 'once',
  all: 'once',
  count: 'once',
  countByParent: 'once',
  members: 'once',
  openInvitesOf: 'once',
  projects: 'once',
  pricesOf: 'once',
  replacementsOf: 'once',
  change: 'once',
  keys: 'once',
  keyCounts: 'once',
  keyModels: 'once',
  keysOfModels: 'once',
  key: 'once',
  keysOfIds: 'once',
  endingKeys: 'once',
  oldUsageKeys: 'once',
  search: 'once',
};

const WEBHOOKS: Methods<Tables['webhooks']> = {
  add: 'once',
  due: 'once',
  take: 'once',
  note: 'once',
  list: 'once',
  forget: 'once',
};

const UPKEEP: Methods<Tables['upkeep']> = {
  takeOver: 'once',
  settle: 'once',
  catchUp: 'once',
  instances: 'once',
  recover: 'once',
  forget: 'once',
  purge: 'once',
  check: 'once',
  read: 'once',
};

const THRESHOLDS: Methods<Tables['thresholds']> = {
  spent: 'once',
  held: 'once',
  noteUsedUp: 'once',
  usedUp: 'once',
  told: 'once',
  tell: 'once',
};

const PEOPLE: Methods<Tables['people']> = {
  person: 'once',
  personOf: 'once',
  isKnownNetwork: 'once',
  hasSignedIn: 'once',
  memberships: 'once',
  isInvited: 'once',
  passkeys: 'once',
  passkey: 'once',
  session: 'once',
  sessions: 'once',
  sessionOf: 'once',
  memberSessions: 'once',
  ownerLink: 'once',
};

/** A copy of a `Buffer` comes from another thread as plain bytes. */
function withWeights(models: ModelStore): ModelStore {
  const read = (model: KeptModel): KeptModel => ({ ...model, weights: Buffer.from(model.weights) });
  return {
    ...models,
    list: async (routeId) => (await models.list(routeId)).map(read),
    find: async (id) => readOrNull(await models.find(id)),
    live: async (routeId) => readOrNull(await models.live(routeId)),
  };
  function readOrNull(model: KeptModel | null): KeptModel | null {
    return model === null ? null : read(model);
  }
}
