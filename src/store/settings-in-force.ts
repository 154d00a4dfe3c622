import type { Kysely } from 'kysely';
import type { ApiKey, Organization } from '../core/records.ts';
import {
  type BudgetHolder,
  type BudgetInForce,
  HOLDER_TYPES,
  holderKey,
  type KeySettings,
  type SettingKind,
  type SettingKinds,
  type SharedBudget,
  type SpendLimitInForce,
} from '../core/settings.ts';
import type { Schema } from './schema.ts';

/** Settings that calls go by. */
const KINDS = ['project', 'rate_limit', 'spend_limit'] as const satisfies readonly SettingKind[];

/** Whose key it is. */
export type KeyPlace = Pick<ApiKey, 'id' | 'projectId' | 'owner' | 'createdBy' | 'product'>;

/** What the settings of a project and its organization say of calls, read with the key of a call: a change of them drops warm keys. */
export async function settingsInForce(
  db: Kysely<Schema>,
  organization: Organization,
  key: KeyPlace,
): Promise<KeySettings> {
  const { projectId } = key;
  const rows = await db
    .selectFrom('settings')
    .select(['kind', 'parent_id', 'created_at', 'value'])
    .where('organization_id', '=', organization.id)
    .where('kind', 'in', KINDS)
    .where(({ eb, or, and }) =>
      or([
        eb('parent_id', '=', projectId ?? ''),
        and([eb('parent_id', '=', ''), eb('kind', '=', 'spend_limit')]),
        and([eb('parent_id', '=', ''), eb('kind', '=', 'project'), eb('id', '=', projectId ?? '')]),
      ]),
    )
    .execute();
  const of = <Kind extends (typeof KINDS)[number]>(kind: Kind) =>
    rows
      .filter((row) => row.kind === kind)
      .map((row) => ({
        parentId: row.parent_id,
        createdAt: Number(row.created_at),
        value: JSON.parse(row.value) as SettingKinds[Kind],
      }));
  const project = of('project')[0]?.value;
  const spendLimits = of('spend_limit')
    .filter(({ value }) => value.isEnforced)
    .map(({ parentId, createdAt, value }): SpendLimitInForce => {
      const isOfProject = parentId !== '';
      return {
        organizationId: organization.id,
        projectId: isOfProject ? parentId : null,
        name: isOfProject ? (project?.name ?? parentId) : organization.name,
        cents: value.cents,
        setAt: createdAt,
      };
    });
  return {
    models: project?.models ?? null,
    rates: new Map(of('rate_limit').map(({ value }) => [value.model, value])),
    spendLimits,
    budgets: await budgetsInForce(db, organization.id, key),
  };
}

/** The budgets of a key, of whoever has it or has made it, and of what it is in; narrowest first. */
async function budgetsInForce(
  db: Kysely<Schema>,
  organizationId: string,
  { id, projectId, owner, createdBy, product }: KeyPlace,
): Promise<BudgetInForce[]> {
  const ofOrganization = db.selectFrom('settings').where('organization_id', '=', organizationId);
  const holders: BudgetHolder[] = [
    { type: 'organization', id: organizationId },
    { type: 'api_key', id },
  ];
  if (projectId !== null) holders.push({ type: 'project', id: projectId });
  if (product !== null) holders.push({ type: 'product', id: product });
  // Whoever has made a key knows its secret: a key of a service account or of nobody takes them out of no budget of theirs.
  const people = [owner, createdBy].flatMap((each) => (each?.type === 'user' ? [each.id] : []));
  if (people.length > 0) {
    const groups = await ofOrganization
      .select('parent_id as id')
      .where('kind', '=', 'group_member')
      .where('id', 'in', people)
      .execute();
    holders.push(...people.map((person) => ({ type: 'user' as const, id: person })));
    holders.push(...groups.map((group) => ({ type: 'group' as const, id: group.id })));
  }
  const rows = await ofOrganization
    .select(['id', 'version', 'value'])
    .where('kind', '=', 'budget')
    .where('parent_id', '=', '')
    .where('id', 'in', (held) =>
      held
        .selectFrom('settings')
        .select('id')
        .where('organization_id', '=', organizationId)
        .where('kind', '=', 'budget_holder')
        .where('parent_id', 'in', holders.map(holderKey)),
    )
    .orderBy('id')
    .execute();
  return rows
    .map((row) => ({ id: row.id, version: Number(row.version), value: JSON.parse(row.value) as SharedBudget }))
    .toSorted((one, other) => breadthOf(other.value) - breadthOf(one.value));
}

/** The place of the widest holder in the list of their types: the organization is first. */
function breadthOf({ holders }: SharedBudget): number {
  return Math.min(...holders.map(({ type }) => HOLDER_TYPES.indexOf(type)));
}
