import { keysTables } from './keys.ts';
import { leasesTables } from './leases.ts';
import { ledgerTables } from './ledger.ts';
import { organizationsTables } from './organizations.ts';
import { peopleTables } from './people.ts';
import { refusedTables } from './refused.ts';
import { routesTables } from './routes.ts';
import { usageTables } from './usage.ts';

/** The schema of the database that all tables are in: the default one may be another program's, or closed to us. */
export const SCHEMA = 'headgate';

/**
 * The whole schema of a new database. Each column of text is ordered by bytes, as ids and pages demand. Names have no schema
 * before them: `open.ts` sets the path for its transaction.
 */
export const FIRST_SCHEMA = [
  organizationsTables,
  keysTables,
  peopleTables,
  ledgerTables,
  usageTables,
  leasesTables,
  routesTables,
  refusedTables,
].join('');
