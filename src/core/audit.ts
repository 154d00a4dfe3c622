/** Who changed something: a signed-in person, the holder of a key of administration, or who runs the gateway, at its own machine. */
export type Actor =
  | { type: 'session'; userId: string; email: string }
  | { type: 'api_key'; keyId: string; userId: string | null }
  | { type: 'operator' };

/** One change, as the audit log keeps it. Nothing in it is a secret. */
export type AuditEvent = {
  /** Sorts by time. */
  id: string;
  organizationId: string;
  /** `project.created`, `api_key.updated`, … */
  type: string;
  /** Unix ms. */
  at: number;
  actor: Actor;
  /** The project that it is in, if any, by its id and the name it had. */
  project: { id: string; name: string } | null;
  /** What was changed, by its id. */
  resourceId: string;
  /** As OpenAI shows it: `data` of what was made, `changes_requested` of what was changed; `before` beside it. */
  details: Readonly<Record<string, unknown>>;
  /** Where the request came from: its address and id; `null` for a command. */
  request: { id: string; address: string | null } | null;
};

/** An entry of the audit log and the key that its link is made with, which the database never has. */
export type Audited = { event: AuditEvent; key: Uint8Array };

export type AuditQuery = {
  limit: number;
  after?: string | undefined;
  before?: string | undefined;
  /** By time; left out: newest first. */
  order?: 'asc' | 'desc' | undefined;
  types?: readonly string[] | undefined;
  /** Of people, also for what they did by their keys, or of keys. */
  actorIds?: readonly string[] | undefined;
  /** Members also for what they did by their keys; of those who have left, what they did while they were signed in. */
  actorEmails?: readonly string[] | undefined;
  projectIds?: readonly string[] | undefined;
  resourceIds?: readonly string[] | undefined;
  /** Unix ms: from the first, inclusive, to the second, exclusive. */
  from?: number | undefined;
  until?: number | undefined;
};

/** What a check of the whole log found: how many entries it has, and the first that is not as it was written. */
export type AuditVerdict = { entries: number; fault: { number: number; words: string } | null };

/** The person who acts, signed in or by a key of theirs; `null`: nobody in particular. */
export function userIdOf(actor: Actor): string | null {
  return actor.type === 'operator' ? null : actor.userId;
}

export function actorIdOf(actor: Actor): string | null {
  return actor.type === 'session' ? actor.userId : actor.type === 'api_key' ? actor.keyId : null;
}
