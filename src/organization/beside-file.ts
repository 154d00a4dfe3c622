import type { OrganizationStore } from '../core/ports.ts';
import type { Setting } from '../core/settings.ts';
import { type Administration, found, invalid } from './administration.ts';
import { demandFirstOrganization } from './organizations.ts';

/** Rules for settings that the configuration file may also have. */
export type StoredKind = 'provider' | 'product' | 'price_override' | 'alias';

type Organizations = { organizations: Pick<OrganizationStore, 'list'> };

/** The place of a setting in the configuration file. */
export type SetIn = { file: string; line: number | null };

/** `headgate.yaml, line 7`. */
export function placeText({ file, line }: SetIn): string {
  return `${file}${line === null ? '' : `, line ${line}`}`;
}

/** `a product of this id is set in headgate.yaml, line 7`. */
export function setInText(what: string, place: SetIn): string {
  return `${what} is set in ${placeText(place)}`;
}

/** Throws `invalid_request` if a kind has the most settings already. */
export async function demandCapacity(
  { settings, by }: Administration,
  kind: StoredKind,
  { most, param, fault }: { most: number; param: string; fault: string },
): Promise<void> {
  if ((await settings.count(by.organizationId, kind)) >= most) throw invalid(param, fault);
}

/**
 * The setting with an id. Throws `not_found`, or `invalid_request` with `inFile` if only the file has it. One that the
 * file hides can be changed and deleted.
 */
export async function storedSetting<Kind extends StoredKind>(
  admin: Administration,
  rules: Organizations,
  kind: Kind,
  { id, inFile }: { id: string; inFile: string | undefined },
): Promise<Setting<Kind>> {
  await demandFirstOrganization({ ...rules, ...admin });
  const isKept = async () => (await admin.settings.find(admin.by.organizationId, kind, id)) !== null;
  if (inFile !== undefined && !(await isKept()))
    throw invalid(`${kind}_id`, `cannot be changed here, because ${inFile}`);
  return found(admin, kind, id);
}
