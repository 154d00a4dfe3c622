import { keysTables } from './keys.ts';
import { ledgerTables } from './ledger.ts';
import { organizationsTables } from './organizations.ts';
import { peopleTables } from './people.ts';
import { refusedTables } from './refused.ts';
import { routesTables } from './routes.ts';
import { usageTables } from './usage.ts';

/** The whole schema of a new database, up to the migrations that follow it (`migrate.ts`). */
export const FIRST_SCHEMA = [
  organizationsTables,
  keysTables,
  peopleTables,
  ledgerTables,
  usageTables,
  routesTables,
  refusedTables,
].join('');
