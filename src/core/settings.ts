import type { Actor } from './audit.ts';
import type { PeopleChange } from './people.ts';
import type { OrganizationRole } from './permissions.ts';
import type { ApiKey, KeyChanges, SpendLimit } from './records.ts';
import type { KeptRoute } from './route-store.ts';
import type { WebhookEventType } from './webhooks.ts';

/**
 * The settings of an organization, by kind, as stored. Each is a document with an id, a version that grows with each
 * change, and the id of its parent (`parentId`), such as the project of a service account. Keys are not settings: calls
 * look them up.
 */
export type SettingKinds = {
  project: Project;
  /** Its parent is a project. */
  service_account: ServiceAccount;
  /** A person in the organization, with the person's id. */
  member: Member;
  /** A person in a project, with the person's id. */
  project_member: ProjectMember;
  group: UserGroup;
  /** A person in a group, with the person's id. */
  group_member: Record<never, never>;
  /** A group in a project, with the group's id. */
  project_group: Record<never, never>;
  /** A custom role of the organization or of a project. */
  role: OrganizationRole;
  /** A role assignment of a person or group; its parent is `assigneeId(…)`. */
  role_assignment: RoleAssignment;
  invite: Invite;
  /** The rate of a model in a project; its id is `rate_limit_` and the model. */
  rate_limit: ProjectRateLimit;
  /** A hard limit of the organization (no parent) or of a project. Its id is `spend_limit`. */
  spend_limit: MoneyLimit & { isEnforced: boolean };
  /** A soft limit of the organization (no parent) or of a project. */
  spend_alert: MoneyLimit & { recipients: readonly string[]; subjectPrefix: string | null };
  webhook_endpoint: WebhookEndpoint;
  budget: SharedBudget;
  /** A holder of a budget: its id is the budget's, its parent is `holderKey(…)`. */
  budget_holder: Record<never, never>;
  /** Reserves a budget's name, so that no other budget gets it. Its id is the name. */
  budget_name: { budgetId: string };
  /** How long usage records are kept: of the organization (no parent) or a project. Its id is `data_retention`. */
  data_retention: { type: string };
  /** Only in the gateway’s first organization. Its id is the prefix of its models' names. */
  provider: StoredProvider;
  /** The name that the organization was given here; its id is `organization`. */
  organization: { name: string };
  /**
   * A route that is not in the file; its id is the name that callers send. Only in the gateway's first organization.
   */
  route: RouteState;
  /** A past, present or future definition of a route; its parent is the route. */
  route_version: RouteVersion;
  /**
   * A product that is not in the file; its id is the name that its keys state. Only in the gateway's first
   * organization.
   */
  product: StoredProduct;
  /** The price of a model from a time on. Only in the gateway's first organization. */
  price_override: PriceOverride;
  /**
   * Another name for a model or route; its id is the name that callers send. Only in the gateway's first organization.
   */
  alias: { target: string; updatedAt: number };
};
export type SettingKind = keyof SettingKinds;

/** A setting with the members that all kinds have. Times are Unix ms. */
export type Setting<Kind extends SettingKind> = {
  kind: Kind;
  id: string;
  parentId: string | null;
  version: number;
  createdAt: number;
  value: SettingKinds[Kind];
};

export type Project = {
  name: string;
  archivedAt: number | null;
  /** True for the project of keys and products that are older than projects; it cannot be archived. */
  isDefault: boolean;
  /** A member of OpenAI's API that is stored and returned without effect. */
  externalKeyId: string | null;
  geography: string | null;
  /** The models that its keys may use; `null`: all that the keys allow. */
  models: { mode: 'allow_list' | 'deny_list'; ids: readonly string[] } | null;
};

/** The id of the project that every organization has from the beginning. It sorts before all other ids. */
export function defaultProjectId(organizationId: string): string {
  return `proj_00_${organizationId}`;
}

/** The project that each organization has from the beginning. */
export function defaultProject(organizationId: string, createdAt: number): Setting<'project'> {
  const value = {
    name: 'Default project',
    archivedAt: null,
    isDefault: true,
    externalKeyId: null,
    geography: null,
    models: null,
  };
  return { kind: 'project', id: defaultProjectId(organizationId), parentId: null, version: 1, createdAt, value };
}

export type ServiceAccount = { name: string; role: 'owner' | 'member' | 'none' };

export type Member = {
  email: string;
  name: string | null;
  /** Owners may do everything; a reader's permissions follow from its role assignments. */
  role: MemberRole;
  /** A member of OpenAI's API that is stored and returned without effect. */
  developerPersona?: string | null;
  technicalLevel?: string | null;
};
export const MEMBER_ROLES = ['owner', 'reader'] as const;
export type MemberRole = (typeof MEMBER_ROLES)[number];

export const PROJECT_ROLES = ['owner', 'member'] as const;
export type ProjectRole = (typeof PROJECT_ROLES)[number];
export type ProjectMember = { role: ProjectRole };

export type UserGroup = { name: string };

export type RoleAssignment = {
  roleId: string;
  /** The project that the role applies in; `null`: the whole organization. */
  projectId: string | null;
};

/** A person or group with role assignments. */
export type Assignee = { type: 'user' | 'group'; id: string; projectId: string | null };

/** The parent id of role assignments. Assignments in projects sort below those in the organization. */
export function assigneeId({ type, id, projectId }: Assignee): string {
  return projectId === null ? `${type}:${id}` : `${type}:${id}/${projectId}`;
}

/** Reads a parent id that `assigneeId` wrote. */
export function assigneeOf(parentId: string): Assignee {
  const [holder, projectId = null] = parentId.split('/') as [string, string?];
  const [type, id] = holder.split(':') as [Assignee['type'], string];
  return { type, id, projectId };
}

export type Invite = {
  email: string;
  role: MemberRole;
  projects: readonly { id: string; role: ProjectRole }[];
  /** The ids of the groups that the person joins; absent in invites that are older than groups. */
  groups?: readonly string[];
  /** SHA-256 of the link's token, in hex. */
  tokenHash: string;
  expiresAt: number;
  acceptedAt: number | null;
  /** The person who sent it (also with their key), the id of a key without an owner, or `operator`. */
  invitedBy: string;
  /** The key that sent it; absent in invites of earlier versions. */
  keyId?: string;
};

export type ProjectRateLimit = {
  model: string;
  /** `null`: the key's own rate, or the default. */
  requestsPerMinute: number | null;
  tokensPerMinute: number | null;
  /** Limits of OpenAI's API that are stored and returned without effect. */
  kept: Readonly<Record<string, number>>;
};

/** An address that receives an organization's events. Its secret is derived from its id, the number, and the pepper. */
export type WebhookEndpoint = {
  name: string;
  url: string;
  eventTypes: readonly WebhookEventType[];
  secretNumber: number;
  /** The end of the time in which requests are also signed with the previous secret. */
  earlierUntil: number | null;
  updatedAt: number;
};

/** A provider that is not in the file. `definition` has the file's format, without keys and headers. */
export type StoredProvider = {
  definition: Readonly<Record<string, unknown>>;
  credentials: readonly StoredCredential[];
  updatedAt: number;
};

export type StoredCredential = {
  id: string;
  name: string;
  /** Its share of the calls, relative to the other keys. */
  weight: number;
  /** The last characters of the key. */
  hint: string;
  /** Grows with each replacement of the key. */
  number: number;
  createdAt: number;
  updatedAt: number;
  sealed: SealedSecret;
};

/**
 * A secret, encrypted by AES-256-GCM with a key of its own (`dataKey`), which is itself encrypted with the wrapping key
 * `wrappedBy`. Both in base64: nonce, ciphertext, tag.
 */
export type SealedSecret = { wrappedBy: string; dataKey: string; data: string };

/** The versions of a route that are in force. `before`: the previous version, for a rollback. */
export type RouteState = {
  inForce: string;
  before: string | null;
  /** The version of a share (0 to 1) of the conversations. */
  canary: { versionId: string; share: number } | null;
  updatedAt: number;
};

/**
 * `definition` is canonical JSON; `version` is its hash, which usage records refer to. `yaml`: the definition as typed;
 * `null` if it was not typed.
 */
export type RouteVersion = {
  number: number;
  version: string;
  definition: string;
  yaml: string | null;
  note: string | null;
  /** `null` for versions that are older than this member. */
  by: Actor | null;
};

/** A product in the settings. Amounts are nano-dollars as text, because JSON has no such numbers. */
export type StoredProduct = {
  name: string;
  /** The names that its keys may call. */
  routes: readonly string[];
  /** What all its keys together may spend; `null`: unlimited. */
  spendLimit: { amount: string; per: SpendLimit['per'] } | null;
  updatedAt: number;
};

/** A price that an operator set. It stays after its end. `model`: `provider/model`. Times are Unix ms. */
export type PriceOverride = {
  model: string;
  /** The price in the file's format. */
  definition: Readonly<Record<string, unknown>>;
  from: number;
  /** The time of its removal; `null` if it was not removed. */
  endedAt: number | null;
  note: string | null;
  by: Actor;
  updatedAt: number;
};

/** Whole cents per UTC month, as in OpenAI's API. */
export type MoneyLimit = { cents: number };

/**
 * The kinds of holders of budgets. A person (`user`) holds the keys that they own; a group those of its current
 * members.
 */
export const HOLDER_TYPES = ['organization', 'project', 'group', 'user', 'api_key', 'product'] as const;
export type BudgetHolder = { type: (typeof HOLDER_TYPES)[number]; id: string };

/** The parent id of the budgets of a holder. */
export function holderKey({ type, id }: BudgetHolder): string {
  return `${type}:${id}`;
}

/**
 * A budget in the settings: what all of its holders together may spend. Amounts are nano-dollars as text, because JSON
 * has no such numbers.
 */
export type SharedBudget = {
  name: string;
  holders: readonly BudgetHolder[];
  amount: string;
  per: SpendLimit['per'];
  /** True if it refuses calls once it is used up. Otherwise it only raises alerts. */
  isHard: boolean;
  /** The fractions of the amount that raise alerts, to webhook endpoints and to these addresses. */
  alerts: readonly number[];
  recipients: readonly string[];
  /** Additional amounts until a time (Unix ms). */
  overrides: readonly { amount: string; until: number }[];
  /** See `Budget`. */
  instead: string | null;
  models: readonly string[] | null;
};

/** A budget that applies to the calls of a key. Its version grows with each change. */
export type BudgetInForce = { id: string; version: number; value: SharedBudget };

/** The settings of a key's project and organization that apply to its calls. */
export type KeySettings = {
  /** The models that the project may use; `null`: all. */
  models: Project['models'];
  /** The rates of the project's models, by model. */
  rates: ReadonlyMap<string, ProjectRateLimit>;
  /** The spend limits per UTC month, of the organization and the project. */
  spendLimits: readonly SpendLimitInForce[];
  /** The budgets of the key and of its owner, groups, project, product and organization. */
  budgets: readonly BudgetInForce[];
};

/**
 * `cents` of an organization (`projectId` is `null`) or of one of its projects. `setAt` (Unix ms) changes if the limit
 * is removed and set again.
 */
export type SpendLimitInForce = {
  organizationId: string;
  projectId: string | null;
  name: string;
  cents: number;
  setAt: number;
};

/**
 * A change of settings. `put` creates a setting if its `version` is 1; otherwise it replaces the setting with the
 * version before. If that version is no longer current, nothing is changed.
 */
export type SettingChange =
  /** `most`: nothing is changed if the parent of a new setting already has this many of its kind. */
  | { [Kind in SettingKind]: { put: Setting<Kind>; most?: number } }[SettingKind]
  | { remove: SettingVersion }
  /** Requires that the setting still exists with this version; otherwise nothing is changed. */
  | { unchanged: SettingVersion }
  /**
   * Requires that a query still finds the same settings in the same versions; otherwise nothing is changed. Such
   * requirements come first.
   */
  | { asRead: SettingRead }
  /** Requires that a key still has this version; `null`: that it does not exist. */
  | { keyAsRead: { id: string; version: number | null; revokedAt: number | null } }
  /** Removes all settings of a parent, and of parents below it, whose ids continue with `/`. */
  | { removeAll: { kind: SettingKind; parentId: string } }
  /** Removes all settings with an id, of every parent. */
  | { removeEvery: { kind: SettingKind; id: string } }
  | KeyChange
  /**
   * Counts for a budget what the keys of its holders have spent since a UTC day. Groups are left out, because their
   * past members are unknown.
   */
  | { countEarlier: EarlierSpend }
  /** `before`: the name that it must still have. */
  | { renameOrganization: { name: string; before: string } }
  | RouteChange
  | PeopleChange;

/** A query of `SettingsStore.all`, and its result. */
export type SettingRead = SettingsFilter & {
  kind: SettingKind;
  found: readonly { id: string; parentId: string | null; version: number; createdAt: number }[];
};

/** Default: every parent, or every id. An empty `parentId` means settings without a parent. */
export type SettingsFilter = {
  parentId?: string;
  parentIds?: readonly string[];
  id?: string;
  ids?: readonly string[];
};

export type EarlierSpend = { budgetId: string; holders: readonly BudgetHolder[]; sinceDay: string };

export type SettingVersion = { kind: SettingKind; id: string; parentId: string | null; version: number };

/**
 * A new secret for a key. The current secret is accepted until `earlierUntil`, and earlier ones no longer than that. If
 * earlier secrets would be accepted after `at`, and `most` of them already are, nothing is changed. Times are Unix ms.
 */
export type KeyRotation = { hash: Uint8Array; hint: string; at: number; earlierUntil: number; most: number };

/** A change to keys. `hash` is HMAC-SHA-256 of the secret under the pepper. */
export type KeyChange =
  | { addKey: { key: ApiKey; hash: Uint8Array } }
  /** `version`: the version that the key must still have. */
  | { changeKey: { id: string; changes: KeyChanges; version?: number } }
  | { rotateKey: KeyRotation & { id: string } }
  /** Keys that are already revoked keep their date. */
  | { revokeKeys: { of: 'id' | 'project' | 'owner' | 'product'; id: string; projectId?: string; at: number } }
  /**
   * Revokes a person's keys in projects that the person is no longer in, after the changes before it: in this project,
   * or in all.
   */
  | { revokeKeysOfAbsent: { userId: string; projectId?: string; at: number } }
  /**
   * Revokes the keys of people in projects that they are in only because of a group. It uses the group's people and
   * projects of that moment, so it must come before their removal.
   */
  | { revokeKeysByGroup: { groupId: string; userId?: string; projectId?: string; at: number } };

/** A change of the version of a route that is in force. `version`: of the definition and of the canary. */
export type RouteChange =
  | { putRoute: KeptRoute & { version: string; canaryVersion: string | null } }
  | { removeRoute: { id: string } };

/** `changed`: another change came first. `taken`: the id exists already. */
export type ChangeOutcome = 'done' | 'changed' | 'taken';

/** A page of a list in the order of ids, which sort by time: deletions between two pages move nothing. */
export type PageQuery = {
  limit: number;
  after?: string | undefined;
  before?: string | undefined;
  order?: 'asc' | 'desc' | undefined;
};
export type Page<Item> = { items: readonly Item[]; hasMore: boolean };
