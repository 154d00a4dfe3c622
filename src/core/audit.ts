/** The author of a change: a signed-in person, the holder of an admin key, or the operator at the gateway's machine. */
export type Actor =
  | { type: 'session'; userId: string; email: string }
  | { type: 'api_key'; keyId: string; userId: string | null }
  | { type: 'operator' };

/** A change, as in the audit log. It contains no secret. */
export type AuditEvent = {
  /** Sorts by time. */
  id: string;
  organizationId: string;
  /** `project.created`, `api_key.updated`, … */
  type: string;
  /** Unix ms. */
  at: number;
  actor: Actor;
  /** Its project, if any, with the project's name at that time. */
  project: { id: string; name: string } | null;
  /** The id of the changed resource. */
  resourceId: string;
  /** In OpenAI's format: `data` of a new resource, `changes_requested` of a changed one; plus `before`. */
  details: Readonly<Record<string, unknown>>;
  /** The address and id of the request; `null` for a command. */
  request: { id: string; address: string | null } | null;
};

/** An audit log entry and the HMAC key of its chain, which is never stored in the database. */
export type Audited = { event: AuditEvent; key: Uint8Array };

export type AuditQuery = {
  limit: number;
  after?: string | undefined;
  before?: string | undefined;
  /** By time (default: newest first). */
  order?: 'asc' | 'desc' | undefined;
  types?: readonly string[] | undefined;
  /** Ids of people, including what they did with their keys, or of keys. */
  actorIds?: readonly string[] | undefined;
  /** For members, including what they did with their keys; for former members, only what they did while signed in. */
  actorEmails?: readonly string[] | undefined;
  projectIds?: readonly string[] | undefined;
  resourceIds?: readonly string[] | undefined;
  /** Unix ms: from the first, inclusive, to the second, exclusive. */
  from?: number | undefined;
  until?: number | undefined;
};

/** The result of a check of the whole log: the number of entries, and the first entry that was altered. */
export type AuditVerdict = { entries: number; fault: { number: number; words: string } | null };

/** The person who acts, signed in or with their key; `null` if the actor is not a person. */
export function userIdOf(actor: Actor): string | null {
  return actor.type === 'operator' ? null : actor.userId;
}

export function actorIdOf(actor: Actor): string | null {
  return actor.type === 'session' ? actor.userId : actor.type === 'api_key' ? actor.keyId : null;
}
