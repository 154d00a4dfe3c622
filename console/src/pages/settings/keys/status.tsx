import type { Key } from '../../../api/keys.ts';
import { Badge } from '../../../parts/states.tsx';

/** Whether a key works, and why not. */
export function KeyStatus({ apiKey }: { apiKey: Key }) {
  const { status, spend_limit: limit, spent_usd: spent, owner_project_access: access } = apiKey;
  if (status === 'expired') return <Badge>Ended</Badge>;
  if (status === 'disabled') return <Badge tone="warn">Turned off</Badge>;
  if (access === 'inactive') return <Badge tone="bad">Owner has left</Badge>;
  if (limit !== null && spent >= limit.amount_usd) return <Badge tone="bad">Budget spent</Badge>;
  return <Badge tone="good">On</Badge>;
}
