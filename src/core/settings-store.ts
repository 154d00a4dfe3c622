import type { AuditEvent, Audited, AuditQuery, AuditVerdict } from './audit.ts';
import type { ApiKey, KeyAccess } from './records.ts';
import type { FoundKept, FoundPage, KeptKind, KeptSearch } from './search.ts';
import type {
  ChangeOutcome,
  Page,
  PageQuery,
  Setting,
  SettingChange,
  SettingKind,
  SettingsFilter,
} from './settings.ts';

/**
 * What people set up in organizations, and the log of who changed what. Every question and every change is of one
 * organization.
 */
export type SettingsStore = {
  find<Kind extends SettingKind>(
    organizationId: string,
    kind: Kind,
    id: string,
    parentId?: string | null,
  ): Promise<Setting<Kind> | null>;
  /** Of one parent, or of those without one; oldest first but where it is asked for otherwise. */
  list<Kind extends SettingKind>(
    organizationId: string,
    kind: Kind,
    query: PageQuery & { parentId?: string | null },
  ): Promise<Page<Setting<Kind>>>;
  /** Of every parent where none is named: what a person or a group is in. For what an organization has few of. */
  all<Kind extends SettingKind>(organizationId: string, kind: Kind, filter?: SettingsFilter): Promise<Setting<Kind>[]>;
  /** How many there are of a kind, of every parent. */
  count(organizationId: string, kind: SettingKind): Promise<number>;
  /** How many there are of a kind by each of these parents; those that have none are left out. */
  countByParent(organizationId: string, kind: SettingKind, parentIds: readonly string[]): Promise<Map<string, number>>;
  /** All prices that were set for a model, by id, with those that are over. */
  pricesOf(organizationId: string, model: string): Promise<Setting<'price_override'>[]>;
  /** When the next price of the same model begins (Unix ms), by the ids of those of these prices that have one behind them. */
  replacementsOf(organizationId: string, ids: readonly string[]): Promise<Map<string, number>>;
  /** Does all or nothing, with the entry of the log that tells of it. */
  change(organizationId: string, changes: readonly SettingChange[], audited: Audited | null): Promise<ChangeOutcome>;
  members(organizationId: string, query: MemberListQuery): Promise<Page<Setting<'member'>>>;
  /** The invites that somebody has sent and nobody has accepted, those whose time is over too. */
  openInvitesOf(organizationId: string, senderId: string): Promise<Setting<'invite'>[]>;
  projects(organizationId: string, query: ProjectListQuery): Promise<Page<Setting<'project'>>>;
  keys(organizationId: string, query: KeyListQuery): Promise<Page<ApiKey>>;
  /** How many keys that call models and were not revoked each of these projects has; those without are left out. */
  keyCounts(organizationId: string, projectIds: readonly string[]): Promise<Map<string, number>>;
  /** Keys that call models and are on (`now` in Unix ms), counted by project and by what says which models they may use. */
  keyModels(organizationId: string, query: { projectIds: readonly string[]; now: number }): Promise<KeyModels[]>;
  /** The first of those that are of one of these kinds, in the order in which they were made. */
  keysOfModels(organizationId: string, query: KeysOfModelsQuery): Promise<{ id: string; name: string }[]>;
  key(organizationId: string, id: string): Promise<ApiKey | null>;
  /** Those of these keys that there are, revoked ones too, in no order. */
  keysOfIds(organizationId: string, ids: readonly string[]): Promise<ApiKey[]>;
  /** Keys that are on and end within a time, those that end first; of archived projects none. */
  endingKeys(organizationId: string, query: EndingKeysQuery): Promise<EndingKey[]>;
  /** Keys that work and read all usage of the organization, since before that could be chosen; at most `limit`, by id. */
  oldUsageKeys(organizationId: string, query: OldUsageQuery): Promise<OldUsageKey[]>;
  /** What has certain words in its name or id. */
  search(organizationId: string, query: KeptSearch): Promise<FoundPage<KeptKind, FoundKept>>;
};

/** Keys that were not revoked, or with `revokedAt` (Unix ms) those that were at that time; oldest first. */
export type KeyListQuery = PageQuery & {
  access: KeyAccess;
  projectId?: string;
  ownerId?: string;
  product?: string;
  revokedAt?: number;
  /** Those of projects that were not archived: of all, or of these, which goes with no other filter. */
  ofOpenProjects?: ReadonlySet<string> | 'all';
  /** True if whoever owns them is in their project; keys of nobody count as if somebody was. */
  isOwnerHere?: boolean;
};

/** How many keys of a project have the same say in which models they may use. */
export type KeyModels = Pick<ApiKey, 'allowedModels' | 'product'> & { projectId: string; keys: number };

export type KeysOfModelsQuery = {
  projectId: string;
  of: readonly Pick<ApiKey, 'allowedModels' | 'product'>[];
  now: number;
  limit: number;
};

/** `emails`: of these alone, in lower case. `areOwners`: owners alone. */
export type MemberListQuery = PageQuery & { emails?: readonly string[] | undefined; areOwners?: true };

/** `ids`: of these alone. `areOpen`: without those that were archived. */
export type ProjectListQuery = PageQuery & { ids?: readonly string[] | undefined; areOpen?: boolean };

/** Which keys end: `after` and `until` (inclusive) in Unix ms. `ofProjects`: only those of these. */
export type EndingKeysQuery = {
  access: KeyAccess;
  after: number;
  until: number;
  limit: number;
  ofProjects?: ReadonlySet<string>;
};
/** `project`: `null` for a key of administration. */
export type EndingKey = { id: string; name: string; endsAt: number; project: { id: string; name: string } | null };

/** `now` in Unix ms. `ofProjects`: only those of these. */
export type OldUsageQuery = { now: number; limit: number; ofProjects?: ReadonlySet<string> };
export type OldUsageKey = { id: string; name: string };

export type AuditReader = {
  list(organizationId: string, query: AuditQuery): Promise<Page<AuditEvent>>;
  /** Checks the log of all organizations from its first entry to its last. */
  verify(key: Uint8Array): Promise<AuditVerdict>;
  /**
   * Has the log as it is count as whole, where its chain is unbroken: after a restore of an older database. `fault` says
   * where it is broken; nothing is accepted then.
   */
  accept(key: Uint8Array): Promise<AuditVerdict>;
};
