import type { Actor } from './audit.ts';
import type { PeopleChange } from './people.ts';
import type { OrganizationRole } from './permissions.ts';
import type { ApiKey, KeyChanges, SpendLimit } from './records.ts';
import type { KeptRoute } from './route-store.ts';
import type { WebhookEventType } from './webhooks.ts';

/**
 * What people set up in an organization, by kind, as it is kept: each is a document with an id, a version that grows with each
 * change, and the id of what it belongs to (`parentId`: of a service account its project). Keys are not among them: calls
 * look for those.
 */
export type SettingKinds = {
  project: Project;
  /** Of a project. */
  service_account: ServiceAccount;
  /** A person in the organization; its id is the person's. */
  member: Member;
  /** A person in a project; its id is the person's. */
  project_member: ProjectMember;
  group: UserGroup;
  /** A person in a group; its id is the person's. */
  group_member: Record<never, never>;
  /** A group in a project; its id is the group's. */
  project_group: Record<never, never>;
  /** A role of the organization's own, or of a project. */
  role: OrganizationRole;
  /** A role that was given to a person or group; its parent is `assignee(…)`. */
  role_assignment: RoleAssignment;
  invite: Invite;
  /** What calls of a model may use in a project; its id is `rate_limit_…` of the model. */
  rate_limit: ProjectRateLimit;
  /** Hard: of the organization (no parent) or of a project. Its id is `spend_limit`. */
  spend_limit: MoneyLimit & { isEnforced: boolean };
  /** Soft: of the organization (no parent) or of a project. */
  spend_alert: MoneyLimit & { recipients: readonly string[]; subjectPrefix: string | null };
  webhook_endpoint: WebhookEndpoint;
  budget: SharedBudget;
  /** Says that a budget holds for somebody: its id is the budget's, its parent `holderKey(…)`. */
  budget_holder: Record<never, never>;
  /** Says that a name is a budget's, so that no other gets it; its id is the name. */
  budget_name: { budgetId: string };
  /** How long usage records are kept, of the organization (no parent) or a project. Its id is `data_retention`. */
  data_retention: { type: string };
  /** Of the gateway’s first organization alone. Its id is the name by which models are called there. */
  provider: StoredProvider;
  /** A name that was given here; its id is `organization`. */
  organization: { name: string };
  /** A route that no file has; its id is what callers send. Of the gateway's first organization alone. */
  route: RouteState;
  /** A definition that a route had, has or may have; its parent is the route. */
  route_version: RouteVersion;
  /** A product that no file has; its id is what its keys name. Of the gateway's first organization alone. */
  product: StoredProduct;
  /** What a model costs from a time on. Of the gateway's first organization alone. */
  price_override: PriceOverride;
  /** A name that leads to another; its id is what callers send. Of the gateway's first organization alone. */
  alias: { target: string; updatedAt: number };
};
export type SettingKind = keyof SettingKinds;

/** One of them, with what all have. Times are Unix ms. */
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
  /** What keys and products of before projects came into; it cannot be archived. */
  isDefault: boolean;
  /** Words of OpenAI's that are kept and given back. */
  externalKeyId: string | null;
  geography: string | null;
  /** Which models its keys may use; `null`: all that they may. */
  models: { mode: 'allow_list' | 'deny_list'; ids: readonly string[] } | null;
};

/** The project that every organization has from the beginning: its id sorts before all others. */
export function defaultProjectId(organizationId: string): string {
  return `proj_00_${organizationId}`;
}

export type ServiceAccount = { name: string; role: 'owner' | 'member' | 'none' };

export type Member = {
  email: string;
  name: string | null;
  /** An owner may do all; what a reader may is said by the roles that were given. */
  role: MemberRole;
  /** Words of OpenAI's that are kept and given back. */
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
  /** Where it holds; `null`: in the whole organization. */
  projectId: string | null;
};

/** Whom a role was given to. */
export type Assignee = { type: 'user' | 'group'; id: string; projectId: string | null };

/** The parent of the roles that were given to somebody; those in projects are below those in the organization. */
export function assigneeId({ type, id, projectId }: Assignee): string {
  return projectId === null ? `${type}:${id}` : `${type}:${id}/${projectId}`;
}

/** Whom roles of this parent were given to. */
export function assigneeOf(parentId: string): Assignee {
  const [holder, projectId = null] = parentId.split('/') as [string, string?];
  const [type, id] = holder.split(':') as [Assignee['type'], string];
  return { type, id, projectId };
}

export type Invite = {
  email: string;
  role: MemberRole;
  projects: readonly { id: string; role: ProjectRole }[];
  /** Ids of groups that they come into; invites of before there were any have none. */
  groups?: readonly string[];
  /** SHA-256 of what its link carries, in hex. */
  tokenHash: string;
  expiresAt: number;
  acceptedAt: number | null;
  /** The person who has sent it, also by a key of theirs; the key, where it is nobody's; or `operator`. */
  invitedBy: string;
  /** The key that it was sent by; invites of before this was kept have none. */
  keyId?: string;
};

export type ProjectRateLimit = {
  model: string;
  /** `null`: what the key has, or the default. */
  requestsPerMinute: number | null;
  tokensPerMinute: number | null;
  /** Limits of OpenAI's that are kept and given back, and hold nothing here. */
  kept: Readonly<Record<string, number>>;
};

/** Where an organization is told what happens. Its secret comes of its id, the number, and the pepper. */
export type WebhookEndpoint = {
  name: string;
  url: string;
  eventTypes: readonly WebhookEventType[];
  secretNumber: number;
  /** Until when requests are signed with the secret before, too. */
  earlierUntil: number | null;
  updatedAt: number;
};

/** A provider that no file has. `definition` is what a file would say of it, but for keys and headers. */
export type StoredProvider = {
  definition: Readonly<Record<string, unknown>>;
  credentials: readonly StoredCredential[];
  updatedAt: number;
};

export type StoredCredential = {
  id: string;
  name: string;
  /** Its share of the calls beside the others. */
  weight: number;
  /** The last characters of the key. */
  hint: string;
  /** Grows with each key that takes another's place. */
  number: number;
  createdAt: number;
  updatedAt: number;
  sealed: SealedSecret;
};

/**
 * A secret under AES-256-GCM with a key of its own (`dataKey`), which is itself under the wrapping key of the id `wrappedBy`.
 * Both in base64: nonce, what it hides, tag.
 */
export type SealedSecret = { wrappedBy: string; dataKey: string; data: string };

/** Which versions of a route calls go by. `before`: the one that was in force before, for a way back. */
export type RouteState = {
  inForce: string;
  before: string | null;
  /** A share (0 to 1) of the conversations goes by another version. */
  canary: { versionId: string; share: number } | null;
  updatedAt: number;
};

/**
 * `definition` is canonical JSON, and `version` a hash of it, as records of calls name it. `yaml`: as it was typed; `null`:
 * it was not.
 */
export type RouteVersion = {
  number: number;
  version: string;
  definition: string;
  yaml: string | null;
  note: string | null;
  /** `null`: it was made before that was kept. */
  by: Actor | null;
};

/** A product of the settings. An amount is nano-dollars as text, since JSON has no such numbers. */
export type StoredProduct = {
  name: string;
  /** Names of what its keys may call. */
  routes: readonly string[];
  /** What all its keys may spend together; `null`: whatever they may. */
  spendLimit: { amount: string; per: SpendLimit['per'] } | null;
  updatedAt: number;
};

/** A price that the operator set. It stays when it is over. `model`: `provider/model`. Times are Unix ms. */
export type PriceOverride = {
  model: string;
  /** What a file would say of the price. */
  definition: Readonly<Record<string, unknown>>;
  from: number;
  /** When it was taken away; `null`: it was not. */
  endedAt: number | null;
  note: string | null;
  by: Actor;
  updatedAt: number;
};

/** Whole cents in a UTC month, as OpenAI's clients speak of money. */
export type MoneyLimit = { cents: number };

/**
 * Whom a budget can hold for. A person's (`user`) keys are those that they own, a group's those of the people who are in it
 * now.
 */
export const HOLDER_TYPES = ['organization', 'project', 'group', 'user', 'api_key', 'product'] as const;
export type BudgetHolder = { type: (typeof HOLDER_TYPES)[number]; id: string };

/** The parent of what says that a budget holds for somebody. */
export function holderKey({ type, id }: BudgetHolder): string {
  return `${type}:${id}`;
}

/**
 * A budget that people set: what all of its holders may spend together. Amounts are nano-dollars, as text, since JSON has
 * no such numbers.
 */
export type SharedBudget = {
  name: string;
  holders: readonly BudgetHolder[];
  amount: string;
  per: SpendLimit['per'];
  /** True if it refuses calls once it is used up; else it is only told of. */
  isHard: boolean;
  /** Parts of the amount that are told of, to endpoints of webhooks and to these addresses. */
  alerts: readonly number[];
  recipients: readonly string[];
  /** So much more until a time (Unix ms). */
  overrides: readonly { amount: string; until: number }[];
  /** See `Budget`. */
  instead: string | null;
  models: readonly string[] | null;
};

/** A budget that holds for the calls of a key; one that was changed has another version. */
export type BudgetInForce = { id: string; version: number; value: SharedBudget };

/** What a project and its organization say of the calls of a key. */
export type KeySettings = {
  /** Which models the project may use; `null`: all. */
  models: Project['models'];
  /** What all calls of a model in the project may use together, by model. */
  rates: ReadonlyMap<string, ProjectRateLimit>;
  /** What may be spent in a UTC month, in the organization and in the project. */
  spendLimits: readonly SpendLimitInForce[];
  /** What people have set beside, for the key or for whomever it belongs to. */
  budgets: readonly BudgetInForce[];
};

/**
 * `cents` of an organization (`projectId` is `null`) or of one of its projects. `setAt` (Unix ms): one that was away has
 * another.
 */
export type SpendLimitInForce = {
  organizationId: string;
  projectId: string | null;
  name: string;
  cents: number;
  setAt: number;
};

/**
 * A change of settings: `put` makes one where `version` is 1, and else changes the one whose version is the one before. Of a
 * change that comes too late nothing is done.
 */
export type SettingChange =
  /** `most`: of a new one, nothing is done where what it belongs to has so many of its kind already. */
  | { [Kind in SettingKind]: { put: Setting<Kind>; most?: number } }[SettingKind]
  | { remove: SettingVersion }
  /** Changes nothing, but nothing else is done either where it is gone or has another version. */
  | { unchanged: SettingVersion }
  /** Nothing is done where these settings are not found as they were read, or others are found beside them. They come first. */
  | { asRead: SettingRead }
  /** The same of a key; `version`: `null` where there was none. */
  | { keyAsRead: { id: string; version: number | null; revokedAt: number | null } }
  /** All that belongs to something, or to what is below it: whose id goes on with a `/`. */
  | { removeAll: { kind: SettingKind; parentId: string } }
  /** All of an id, whatever they belong to. */
  | { removeEvery: { kind: SettingKind; id: string } }
  | KeyChange
  /** Counts for a budget what the keys of its holders have spent from a UTC day on; of a group nobody knows who was in it. */
  | { countEarlier: EarlierSpend }
  /** `before`: the name that it must have. */
  | { renameOrganization: { name: string; before: string } }
  | RouteChange
  | PeopleChange;

/** What `SettingsStore.all` was asked for, and what it found. */
export type SettingRead = SettingsFilter & {
  kind: SettingKind;
  found: readonly { id: string; parentId: string | null; version: number; createdAt: number }[];
};

/** Left out, of every parent, or every id; an empty `parentId` is that of those without one. */
export type SettingsFilter = {
  parentId?: string;
  parentIds?: readonly string[];
  id?: string;
  ids?: readonly string[];
};

export type EarlierSpend = { budgetId: string; holders: readonly BudgetHolder[]; sinceDay: string };

export type SettingVersion = { kind: SettingKind; id: string; parentId: string | null; version: number };

/**
 * Another secret for a key. The one that it has is accepted until `earlierUntil`, and those before it no longer than that.
 * Where earlier secrets are to go on beyond `at` and `most` of them are accepted then, nothing is done. Times are Unix ms.
 */
export type KeyRotation = { hash: Uint8Array; hint: string; at: number; earlierUntil: number; most: number };

/** A change of keys. `hash` is HMAC-SHA-256 of the secret under the pepper. */
export type KeyChange =
  | { addKey: { key: ApiKey; hash: Uint8Array } }
  /** `version`: the one that it must have, where somebody has decided by what they read. */
  | { changeKey: { id: string; changes: KeyChanges; version?: number } }
  | { rotateKey: KeyRotation & { id: string } }
  /** Those that were revoked already keep their date. */
  | { revokeKeys: { of: 'id' | 'project' | 'owner' | 'product'; id: string; projectId?: string; at: number } }
  /**
   * Revokes a person's keys in projects that nothing puts them into any more, once what stands before it is done: in this
   * project, or in all.
   */
  | { revokeKeysOfAbsent: { userId: string; projectId?: string; at: number } }
  /**
   * Revokes keys of people in projects that nothing but a group puts them into, as its people and projects are when it is
   * done: so before they are taken out of it, or it out of them.
   */
  | { revokeKeysByGroup: { groupId: string; userId?: string; projectId?: string; at: number } };

/** A change of what calls of a route go by. `version`: that of the definition and of the canary's. */
export type RouteChange =
  | { putRoute: KeptRoute & { version: string; canaryVersion: string | null } }
  | { removeRoute: { id: string } };

/** `changed`: somebody was faster. `taken`: there is one of this id already. */
export type ChangeOutcome = 'done' | 'changed' | 'taken';

/** A page of a list, by ids, which sort by time: what is deleted in between moves nothing. */
export type PageQuery = {
  limit: number;
  after?: string | undefined;
  before?: string | undefined;
  order?: 'asc' | 'desc' | undefined;
};
export type Page<Item> = { items: readonly Item[]; hasMore: boolean };
