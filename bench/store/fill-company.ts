import { createHash } from 'node:crypto';
import type { Session } from '../../src/core/people.ts';
import type { ApiKey } from '../../src/core/records.ts';
import {
  assigneeId,
  type Setting,
  type SettingChange,
  type SettingKind,
  type SettingKinds,
} from '../../src/core/settings.ts';
import { ACME, type Company } from '../../tests/organization/lab.ts';
import { type Caller, manyCallers } from './fill.ts';

const BATCH = 1_000;
const DAY_MS = 86_400_000;
const GROUPS = 50;
const SERVICE_ACCOUNTS = 1_000;
const BUDGETS = 300;
const INVITES = 1_000;
const CALLING_KEYS = 2_000;
/** A group that is in all projects as a member. */
export const EVERYWHERE = 'group_everywhere';

export type CompanySize = { keys: number; people: number; projects: number };
/** A typical project of many: the first one. */
export type FilledCompany = { projectId: string; serviceAccountId: string; groupId: string };

/**
 * Enlarges the first organization directly in its store: people with a session and one project each, their keys,
 * groups, service accounts, budgets and invites. The audit log is left unchanged.
 */
export async function fillCompany(company: Company, size: CompanySize): Promise<void> {
  const { settings } = company.admin();
  const startedAt = performance.now();
  const changes = [...changesFor(size)];
  for (let from = 0; from < changes.length; from += BATCH) {
    const outcome = await settings.change(ACME, changes.slice(from, from + BATCH), null);
    if (outcome !== 'done') throw new Error('The company could not be filled.');
  }
  console.log(`filled in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
}

/** The id of one of each resource of a filled company. */
export function filledCompany(): FilledCompany {
  return { projectId: project(0), serviceAccountId: numbered('svc_acct', 0), groupId: numbered('group', 0) };
}

/**
 * Distributes calls over 2,000 keys of a company and four models per key, as `manyCallers` does for two hundred keys.
 */
export function callsOfCompany({ keys }: CompanySize): (number: number) => Caller {
  const calling = Math.min(keys, CALLING_KEYS);
  return (number) => {
    const caller = manyCallers(number);
    const key = (caller.key * 10 + ((Math.imul(number + 1, 40_503) >>> 0) % 10)) % calling;
    return { key, kind: key % 10, model: caller.model };
  };
}

const numbered = (prefix: string, number: number) => `${prefix}_${String(number).padStart(26, '0')}`;
const project = (number: number) => numbered('proj', number);
const user = (number: number) => numbered('user', number);

function* changesFor({ keys, people, projects }: CompanySize): Generator<SettingChange, void> {
  const now = Date.now();
  const put = <Kind extends SettingKind>(
    kind: Kind,
    id: string,
    value: SettingKinds[Kind],
    parentId: string | null = null,
  ) => ({ put: { kind, id, parentId, version: 1, createdAt: now, value } as Setting<Kind> }) as SettingChange;

  const plain = { archivedAt: null, isDefault: false, externalKeyId: null, geography: null, models: null };
  for (let each = 0; each < projects; each += 1)
    yield put('project', project(each), { ...plain, name: `Team ${each}` });
  for (let each = 0; each < GROUPS; each += 1) {
    yield put('group', numbered('group', each), { name: `Group ${each}` });
    yield put('project_group', numbered('group', each), {}, project((each * 3) % projects));
  }
  yield put('group', EVERYWHERE, { name: 'Everywhere' });
  for (let each = 0; each < projects; each += 1) {
    yield put('project_group', EVERYWHERE, {}, project(each));
    const of = assigneeId({ type: 'group', id: EVERYWHERE, projectId: project(each) });
    const role = { roleId: 'role_project_member', projectId: project(each) };
    yield put('role_assignment', role.roleId, role, of);
  }
  for (let each = 0; each < people; each += 1) {
    const email = `person.${each}@example.com`;
    yield put('member', user(each), { email, name: `Person ${each}`, role: 'reader' });
    yield put('project_member', user(each), { role: each % 20 === 0 ? 'owner' : 'member' }, project(each % projects));
    if (each % 5 === 0) yield put('group_member', user(each), {}, numbered('group', (each / 5) % GROUPS));
    const times = { createdAt: now, lastSignedInAt: now };
    yield { addPerson: { id: user(each), email, name: null, passwordHash: null, ...times } };
    yield {
      addSession: { session: sessionOf(user(each), each, now), hash: hashOf(`session ${each}`), replaces: null },
    };
  }
  for (let each = 0; each < SERVICE_ACCOUNTS; each += 1) {
    const value = { name: `worker ${each}`, role: 'member' } as const;
    yield put('service_account', numbered('svc_acct', each), value, project(each % projects));
  }
  for (let each = 0; each < keys; each += 1) {
    const key = keyOf(each, { people, projects }, now);
    yield { addKey: { key, hash: hashOf(`key ${each}`) } };
  }
  for (let each = 0; each < BUDGETS; each += 1) {
    const id = numbered('budget', each);
    const holder = { type: 'project', id: project(each % projects) } as const;
    const none = { alerts: [], recipients: [], overrides: [], instead: null, models: null };
    const value = { name: `budget ${each}`, holders: [holder], amount: '1000000000000', per: 'month' } as const;
    yield put('budget', id, { ...value, ...none, isHard: false });
    yield put('budget_holder', id, {}, `project:${holder.id}`);
    yield put('budget_name', value.name, { budgetId: id });
  }
  for (let each = 0; each < INVITES; each += 1) {
    const at = { expiresAt: now + DAY_MS, acceptedAt: null, invitedBy: user(0) };
    const rest = { role: 'reader' as const, projects: [{ id: project(each % projects), role: 'member' as const }] };
    const email = `guest.${each}@example.com`;
    yield put('invite', numbered('invite', each), { email, ...rest, tokenHash: 'none', ...at });
  }
}

function keyOf(number: number, { people, projects }: Omit<CompanySize, 'keys'>, now: number): ApiKey {
  const owner = number % people;
  return {
    id: numbered('key', number),
    organizationId: ACME,
    projectId: project(owner % projects),
    owner: { type: 'user', id: user(owner) },
    createdBy: { type: 'user', id: user(owner) },
    access: 'models',
    scopes: [],
    ipRanges: null,
    name: `key number ${number}`,
    source: 'api_key',
    product: null,
    admin: false,
    usage: 'own',
    hint: 'hg_live_abcd…wxyz',
    createdAt: now - number,
    expiresAt: number % 10 === 0 ? now + DAY_MS + number : null,
    revokedAt: null,
    disabledAt: null,
    allowedModels: number % 4 === 0 ? ['echo'] : null,
    requestsPerMinute: null,
    tokensPerMinute: null,
    spendLimit: null,
    version: 1,
  };
}

function sessionOf(userId: string, number: number, now: number): Session {
  return {
    id: numbered('sess', number),
    userId,
    organizationId: ACME,
    way: 'password',
    signedInAt: now,
    seenAt: now,
    endsAt: now + DAY_MS,
    mustRenew: false,
    address: null,
    userAgent: null,
  };
}

function hashOf(text: string) {
  return createHash('sha256').update(text).digest();
}
