import type { CompiledQuery } from 'kysely';
import type { Audited } from '../core/audit.ts';
import type { ChangeOutcome } from '../core/settings.ts';

/** A statement of a transaction. With `mustChange` it has to change a row, or nothing of the transaction is done. */
export type Statement = { query: CompiledQuery; mustChange: boolean };

/** Does all statements or none, together with the entry of the audit log about them, if there is one. */
export type Transact = (statements: readonly Statement[], audited: Audited | null) => Promise<ChangeOutcome>;
