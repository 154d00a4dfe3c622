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

/** The settings of organizations, and the log of their changes. Each query and change concerns one organization. */
export type SettingsStore = {
  find<Kind extends SettingKind>(
    organizationId: string,
    kind: Kind,
    id: string,
    parentId?: string | null,
  ): Promise<Setting<Kind> | null>;
  /** The settings of one parent, or of those without a parent; oldest first by default. */
  list<Kind extends SettingKind>(
    organizationId: string,
    kind: Kind,
    query: PageQuery & { parentId?: string | null },
  ): Promise<Page<Setting<Kind>>>;
  /**
   * All settings that match, of every parent by default, such as the groups of a person. For kinds with few settings
   * per organization.
   */
  all<Kind extends SettingKind>(organizationId: string, kind: Kind, filter?: SettingsFilter): Promise<Setting<Kind>[]>;
  /** The number of settings of a kind, of every parent. */
  count(organizationId: string, kind: SettingKind): Promise<number>;
  /** The number of settings of a kind per parent. Parents without any are absent. */
  countByParent(organizationId: string, kind: SettingKind, parentIds: readonly string[]): Promise<Map<string, number>>;
  /** All prices set for a model, by id, including those that have ended. */
  pricesOf(organizationId: string, model: string): Promise<Setting<'price_override'>[]>;
  /**
   * The time (Unix ms) at which the next price of the same model begins, by price id. Prices without a next one are
   * absent.
   */
  replacementsOf(organizationId: string, ids: readonly string[]): Promise<Map<string, number>>;
  /** Applies all changes and the audit log entry, or nothing. */
  change(organizationId: string, changes: readonly SettingChange[], audited: Audited | null): Promise<ChangeOutcome>;
  members(organizationId: string, query: MemberListQuery): Promise<Page<Setting<'member'>>>;
  /** The invites that a person has sent and nobody has accepted, including expired ones. */
  openInvitesOf(organizationId: string, senderId: string): Promise<Setting<'invite'>[]>;
  projects(organizationId: string, query: ProjectListQuery): Promise<Page<Setting<'project'>>>;
  keys(organizationId: string, query: KeyListQuery): Promise<Page<ApiKey>>;
  /** The number of a project's keys that call models and are not revoked. Projects without any are absent. */
  keyCounts(organizationId: string, projectIds: readonly string[]): Promise<Map<string, number>>;
  /** The enabled keys that call models (`now` in Unix ms), counted by project and by which models they may use. */
  keyModels(organizationId: string, query: { projectIds: readonly string[]; now: number }): Promise<KeyModels[]>;
  /** The first keys of these kinds, oldest first. */
  keysOfModels(organizationId: string, query: KeysOfModelsQuery): Promise<{ id: string; name: string }[]>;
  key(organizationId: string, id: string): Promise<ApiKey | null>;
  /** The existing keys with these ids, including revoked ones, in any order. */
  keysOfIds(organizationId: string, ids: readonly string[]): Promise<ApiKey[]>;
  /** Enabled keys that expire within a time, earliest first; without those of archived projects. */
  endingKeys(organizationId: string, query: EndingKeysQuery): Promise<EndingKey[]>;
  /**
   * Enabled keys that read all usage of the organization because they are older than that choice; at most `limit`, by
   * id.
   */
  oldUsageKeys(organizationId: string, query: OldUsageQuery): Promise<OldUsageKey[]>;
  /** Finds settings and keys by words in their names or ids. */
  search(organizationId: string, query: KeptSearch): Promise<FoundPage<KeptKind, FoundKept>>;
};

/** Keys that are not revoked, or that were not at `revokedAt` (Unix ms); oldest first. */
export type KeyListQuery = PageQuery & {
  access: KeyAccess;
  projectId?: string;
  ownerId?: string;
  product?: string;
  revokedAt?: number;
  /** Keys of projects that are not archived: of all of them, or of these. Cannot be combined with other filters. */
  ofOpenProjects?: ReadonlySet<string> | 'all';
  /** True if the key's owner is in its project. Keys without an owner count as if they were. */
  isOwnerHere?: boolean;
};

/** The number of a project's keys with the same choice of models. */
export type KeyModels = Pick<ApiKey, 'allowedModels' | 'product'> & { projectId: string; keys: number };

export type KeysOfModelsQuery = {
  projectId: string;
  of: readonly Pick<ApiKey, 'allowedModels' | 'product'>[];
  now: number;
  limit: number;
};

/** `emails`: only these members, in lower case. `areOwners`: only owners. */
export type MemberListQuery = PageQuery & { emails?: readonly string[] | undefined; areOwners?: true };

/** `ids`: only these projects. `areOpen`: without archived ones. */
export type ProjectListQuery = PageQuery & { ids?: readonly string[] | undefined; areOpen?: boolean };

/** `after` and `until` (inclusive) are Unix ms. `ofProjects`: only keys of these projects. */
export type EndingKeysQuery = {
  access: KeyAccess;
  after: number;
  until: number;
  limit: number;
  ofProjects?: ReadonlySet<string>;
};
/** `project`: `null` for an admin key. */
export type EndingKey = { id: string; name: string; endsAt: number; project: { id: string; name: string } | null };

/** `now` is Unix ms. `ofProjects`: only keys of these projects. */
export type OldUsageQuery = { now: number; limit: number; ofProjects?: ReadonlySet<string> };
export type OldUsageKey = { id: string; name: string };

export type AuditReader = {
  list(organizationId: string, query: AuditQuery): Promise<Page<AuditEvent>>;
  /** Checks the audit log of all organizations from its first entry to its last. */
  verify(key: Uint8Array): Promise<AuditVerdict>;
  /**
   * Accepts the log as complete if its chain is unbroken, after a restore of an older database. `fault`: where the
   * chain is broken; then nothing is accepted.
   */
  accept(key: Uint8Array): Promise<AuditVerdict>;
};
