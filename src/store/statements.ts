import type { CompiledQuery, Kysely, RawBuilder, Selectable, SelectQueryBuilder } from 'kysely';
import type { Audited } from '../core/audit.ts';
import type { ChangeOutcome, SettingRead } from '../core/settings.ts';
import type { Schema } from './schema.ts';

/** A statement of a transaction. With `mustChange` it has to change a row, or nothing of the transaction is done. */
export type Statement = { query: CompiledQuery; mustChange: boolean };

/** Does all statements or none, together with the entry of the audit log about them, if there is one. */
export type Transact = (statements: readonly Statement[], audited: Audited | null) => Promise<ChangeOutcome>;

/** Conditions of changes that an engine says in its own words. */
export type ChangeConditions = {
  /**
   * Whether a key is of a person whom nothing puts into its project.
   *
   * @param exceptGroupId - a group that puts nobody anywhere
   */
  isOfAbsent(exceptGroupId: string | null): RawBuilder<boolean>;
  /** A statement that changes no row if these rows are not what was found of them before. */
  foundAgain(
    db: Kysely<Schema>,
    rows: SelectQueryBuilder<Schema, 'settings', Selectable<Schema['settings']>>,
    found: SettingRead['found'],
  ): Statement;
  /** The same of a key. */
  keyFoundAgain(
    db: Kysely<Schema>,
    organizationId: string,
    key: { id: string; version: number | null; revokedAt: number | null },
  ): Statement;
};
