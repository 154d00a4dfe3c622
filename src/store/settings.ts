import { type Insertable, type Kysely, type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import type { PeopleChange } from '../core/people.ts';
import type {
  Page,
  PageQuery,
  RouteChange,
  Setting,
  SettingChange,
  SettingKind,
  SettingKinds,
} from '../core/settings.ts';
import type { SettingsStore } from '../core/settings-store.ts';
import { textsOf, unindexed } from './dialect.ts';
import { foundAgain, keyFoundAgain } from './found-again.ts';
import { keyOf, keyStatements, keysOfIds } from './keys.ts';
import { pageOf, placeOf } from './pages.ts';
import { isPeopleChange, peopleStatements } from './people.ts';
import { isRouteChange, routeStatements } from './routes.ts';
import type { Schema } from './schema.ts';
import { countEarlierSpend } from './spend.ts';
import type { Statement, Transact } from './statements.ts';

type SettingsRow = Selectable<Schema['settings']>;

/** Lists that have files of their own (`settings-lists.ts`). */
export type SettingsLists = Pick<
  SettingsStore,
  | 'pricesOf'
  | 'replacementsOf'
  | 'members'
  | 'openInvitesOf'
  | 'projects'
  | 'keys'
  | 'keyCounts'
  | 'keyModels'
  | 'keysOfModels'
  | 'endingKeys'
  | 'oldUsageKeys'
  | 'search'
>;

export type SettingsStoreParts = {
  db: Kysely<Schema>;
  transact: Transact;
  catchUp(): Promise<void>;
  lists: SettingsLists;
};

/** The settings of organizations. Each question and each change names the organization that it is of. */
export function createSettingsStore({ db, transact, catchUp, lists }: SettingsStoreParts): SettingsStore {
  const ofKind = (organizationId: string, kind: SettingKind, parentId: string | null | undefined) =>
    settingsOf(db, organizationId, { kind, parentId });

  return {
    async find(organizationId, kind, id, parentId = null) {
      const row = await ofKind(organizationId, kind, parentId).where('id', '=', id).executeTakeFirst();
      return row === undefined ? null : readSetting(kind, row);
    },

    async list(organizationId, kind, query) {
      const { parentId = null } = query;
      const { from, direction, past } = placeOf(query, 'asc');
      let rows = ofKind(organizationId, kind, parentId)
        .orderBy('id', direction)
        .limit(query.limit + 1);
      if (from !== undefined) rows = rows.where('id', past, from);
      return pageIn(kind, rows, query);
    },

    all: async (organizationId, kind, { parentId, ...filter } = {}) =>
      (await filtered(ofKind(organizationId, kind, parentId), filter).execute()).map((row) => readSetting(kind, row)),

    async count(organizationId, kind) {
      const counted = ofKind(organizationId, kind, undefined)
        .clearSelect()
        .select((eb) => eb.fn.countAll().as('rows'));
      return Number((await counted.executeTakeFirstOrThrow()).rows);
    },

    countByParent: (organizationId, kind, parentIds) =>
      countByParent(ofKind(organizationId, kind, undefined), parentIds),

    ...lists,
    key: (organizationId, id) => keyOf(db, id, organizationId),
    keysOfIds: (organizationId, ids) => keysOfIds(db, organizationId, ids),

    async change(organizationId, changes, audited) {
      // What was spent is to be in the sums that are counted.
      if (changes.some((each) => 'countEarlier' in each)) await catchUp();
      return transact(
        changes.flatMap((change) => statementsOf(db, organizationId, change)),
        audited,
      );
    },
  };
}

/** All of a kind in an organization; of every parent where `parentId` is `undefined`. */
function settingsOf(
  db: Kysely<Schema>,
  organizationId: string,
  { kind, parentId }: { kind: SettingKind; parentId: string | null | undefined },
): SettingsQuery {
  const all = db
    .selectFrom('settings')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('kind', '=', kind);
  return parentId === undefined ? all : all.where('parent_id', '=', parentId ?? '');
}

type SettingsQuery = SelectQueryBuilder<Schema, 'settings', SettingsRow>;
type ByIds = Omit<NonNullable<Parameters<SettingsStore['all']>[2]>, 'parentId'>;

function filtered(rows: SettingsQuery, { parentIds, id, ids = id === undefined ? undefined : [id] }: ByIds) {
  let found = rows.orderBy('id');
  if (ids !== undefined) found = found.where('id', 'in', textsOf(ids));
  if (parentIds === undefined) return found;
  // Found by id where there are ids, and then told apart: each id under each parent would be looked for in the index.
  const parent = ids === undefined ? sql.ref<string>('parent_id') : unindexed(sql.ref<string>('parent_id'));
  return found.where(parent, 'in', textsOf(parentIds));
}

export async function pageIn<Kind extends SettingKind>(
  kind: Kind,
  rows: { execute(): Promise<SettingsRow[]> },
  query: PageQuery,
): Promise<Page<Setting<Kind>>> {
  const found = await rows.execute();
  return pageOf(
    found.map((row) => readSetting(kind, row)),
    query,
  );
}

async function countByParent(rows: SettingsQuery, parentIds: readonly string[]): Promise<Map<string, number>> {
  const counted = rows
    .where('parent_id', 'in', textsOf(parentIds))
    .clearSelect()
    .select(['parent_id', (eb) => eb.fn.countAll().as('rows')])
    .groupBy('parent_id');
  return new Map((await counted.execute()).map(({ parent_id: id, rows: count }) => [id, Number(count)]));
}

function statementsOf(db: Kysely<Schema>, organizationId: string, change: SettingChange): Statement[] {
  if (isPeopleChange(change)) return peopleStatements(db, organizationId, change);
  if (isRouteChange(change)) return routeStatements(db, change);
  return [statementOf(db, organizationId, change)].flat();
}

function statementOf(
  db: Kysely<Schema>,
  organizationId: string,
  change: Exclude<SettingChange, PeopleChange | RouteChange>,
): Statement | Statement[] {
  if ('put' in change) return putStatement(db, organizationId, change.put, change.most);
  if ('remove' in change) {
    const { kind, id, parentId, version } = change.remove;
    const removed = deletion(db, organizationId, kind)
      .where('parent_id', '=', parentId ?? '')
      .where('id', '=', id)
      .where('version', '=', BigInt(version));
    return { query: removed.compile(), mustChange: true };
  }
  if ('asRead' in change) {
    const { kind, parentId, found, ...filter } = change.asRead;
    return foundAgain(db, filtered(settingsOf(db, organizationId, { kind, parentId }), filter), found);
  }
  if ('keyAsRead' in change) return keyFoundAgain(db, organizationId, change.keyAsRead);
  if ('unchanged' in change) {
    const { kind, id, parentId, version } = change.unchanged;
    const same = db
      .updateTable('settings')
      .set({ version })
      .where('organization_id', '=', organizationId)
      .where('kind', '=', kind)
      .where('parent_id', '=', parentId ?? '')
      .where('id', '=', id)
      .where('version', '=', BigInt(version));
    return { query: same.compile(), mustChange: true };
  }
  if ('removeAll' in change) {
    const { kind, parentId } = change.removeAll;
    const removed = deletion(db, organizationId, kind).where(({ eb, or, and }) =>
      // What begins with a `/` is all that sorts from it to the next character, `0`.
      or([
        eb('parent_id', '=', parentId),
        and([eb('parent_id', '>', `${parentId}/`), eb('parent_id', '<', `${parentId}0`)]),
      ]),
    );
    return { query: removed.compile(), mustChange: false };
  }
  if ('countEarlier' in change) {
    return { query: countEarlierSpend(db, organizationId, change.countEarlier), mustChange: false };
  }
  if ('renameOrganization' in change) {
    const { name, before } = change.renameOrganization;
    const named = db
      .updateTable('organizations')
      .set({ name })
      .where('id', '=', organizationId)
      .where('name', '=', before);
    return { query: named.compile(), mustChange: true };
  }
  if ('removeEvery' in change) {
    const { kind, id } = change.removeEvery;
    return { query: deletion(db, organizationId, kind).where('id', '=', id).compile(), mustChange: false };
  }
  return keyStatements(db, organizationId, change);
}

function deletion(db: Kysely<Schema>, organizationId: string, kind: SettingKind) {
  return db.deleteFrom('settings').where('organization_id', '=', organizationId).where('kind', '=', kind);
}

function putStatement(
  db: Kysely<Schema>,
  organizationId: string,
  setting: Setting<SettingKind>,
  most: number | undefined,
): Statement {
  const { kind, id, version } = setting;
  const row = settingRow(organizationId, setting);
  if (version === 1) {
    if (most === undefined) return { query: db.insertInto('settings').values(row).compile(), mustChange: true };
    return { query: insertedAmong(db, row, most).compile(), mustChange: true };
  }
  const changed = db
    .updateTable('settings')
    .set({ version, value: row.value })
    .where('organization_id', '=', organizationId)
    .where('kind', '=', kind)
    .where('parent_id', '=', row.parent_id)
    .where('id', '=', id)
    .where('version', '=', BigInt(version - 1));
  return { query: changed.compile(), mustChange: true };
}

/** A setting as its row. */
export function settingRow(organizationId: string, setting: Setting<SettingKind>) {
  const { kind, id, parentId, version, createdAt, value } = setting;
  const key = { organization_id: organizationId, kind, parent_id: parentId ?? '', id };
  return { ...key, version, created_at: createdAt, value: JSON.stringify(value) };
}

/** A new row, where what it belongs to has fewer than `most` of its kind. */
function insertedAmong(db: Kysely<Schema>, row: Insertable<Schema['settings']>, most: number) {
  const { organization_id: organizationId, kind, parent_id: parentId } = row;
  const there = db
    .selectFrom('settings')
    .select((eb) => eb.fn.countAll().as('rows'))
    .where('organization_id', '=', organizationId)
    .where('kind', '=', kind)
    .where('parent_id', '=', parentId);
  const { id, version, created_at: createdAt, value } = row;
  const values = {
    organization_id: organizationId,
    kind,
    parent_id: parentId,
    id,
    version,
    created_at: createdAt,
    value,
  };
  return db
    .insertInto('settings')
    .columns(Object.keys(values) as (keyof typeof values)[])
    .expression(
      db
        .selectNoFrom((eb) => Object.entries(values).map(([column, each]) => eb.val(each).as(column)))
        .where((eb) => eb(there, '<', eb.lit(most))),
    );
}

export function readSetting<Kind extends SettingKind>(kind: Kind, row: SettingsRow): Setting<Kind> {
  return {
    kind,
    id: row.id,
    parentId: row.parent_id === '' ? null : row.parent_id,
    version: Number(row.version),
    createdAt: Number(row.created_at),
    value: JSON.parse(row.value) as SettingKinds[Kind],
  };
}
