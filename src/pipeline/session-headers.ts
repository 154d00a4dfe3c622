import type { Provider } from '../core/provider.ts';
import type { CallRequest } from './parts.ts';

/**
 * Headers in which clients name the session that a call belongs to: agents' own, and those that vendors ask for. Nothing else that a
 * caller sends of its session reaches a vendor.
 */
export const SESSION_HEADERS: readonly string[] = [
  'x-session-id',
  'session_id',
  'session-id',
  'x-session-affinity',
  'x-grok-conv-id',
  'x-conversation-id',
  'x-claude-code-session-id',
  'thread-id',
];

/** What a session may be called: as long as the longest that vendors take, and nothing but visible ASCII. */
const SESSION_ID = /^[!-~]{1,256}$/;

const NONE: readonly string[] = [];

/**
 * The headers that keep a session at a vendor where its cache is; names and values alternate. Those that the caller sends under the
 * vendor's own names go on as they are; else the first of the others goes on under the vendor's usual name. What the operator sets
 * for the provider holds.
 */
export function sessionHeaders({ quirks, headers }: Provider, sent: CallRequest['sent']): readonly string[] {
  const { session } = quirks;
  if (session === undefined) return NONE;
  const wanted = session.headers.filter((name) => headers[name] === undefined);
  const [usual] = wanted;
  if (usual === undefined) return NONE;
  const own = wanted.flatMap((name) => named(name, idIn(sent, name)));
  if (own.length > 0) return own;
  for (const name of SESSION_HEADERS) {
    const id = idIn(sent, name);
    if (id !== undefined) return [usual, id];
  }
  return NONE;
}

function named(name: string, id: string | undefined): string[] {
  return id === undefined ? [] : [name, id];
}

function idIn(sent: CallRequest['sent'], name: string): string | undefined {
  const value = sent.header(name);
  return value !== undefined && SESSION_ID.test(value) ? value : undefined;
}
