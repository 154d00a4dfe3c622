import { useState } from 'react';
import { KEY_LISTS } from '../../../api/keys.ts';
import { useSession } from '../../../api/session.ts';
import { useChange, useRead } from '../../../api/use.ts';
import { Confirm } from '../../../parts/confirm.tsx';
import { ago, exact } from '../../../parts/format.ts';
import { Notice } from '../../../parts/states.tsx';
import { ownerName, type ProjectKey } from './project-keys.ts';

const HOUR = 3_600;
const DAY_MINUTES = 1_440;

type Props = { apiKey: ProjectKey; onClose: () => void; onRevoked: () => void };

/** Says what revoking will break, and wants the name typed where the key is in use. */
export function RevokeKey({ apiKey: shown, onClose, onRevoked }: Props) {
  const { may } = useSession();
  const path = { project_id: shown.project.id, api_key_id: shown.id };
  const { data: key, error } = useRead('retrieveProjectApiKey', { path });
  const calls = useLastDay(shown.id, may('api.usage.read'));
  const revoke = useChange('deleteProjectApiKey', KEY_LISTS);
  const usedAt = key?.last_used_at ?? null;
  const isInUse = usedAt !== null && Date.now() / 1000 - usedAt < HOUR;
  return (
    <Confirm
      title={`Revoke ${shown.name}?`}
      action="Revoke key"
      // What is not known to be at rest is taken to be in use.
      typed={isInUse || error !== null ? shown.name : null}
      isDisabled={key === undefined && error === null}
      error={revoke.error ?? error}
      isBusy={revoke.isPending}
      onClose={onClose}
      onConfirm={() => revoke.mutate({ path }, { onSuccess: onRevoked })}
    >
      {key !== undefined && (
        <Notice tone={isInUse ? 'bad' : 'warn'}>
          {usedAt === null ? 'It was never used.' : `${usedInWords(calls)}, last ${ago(usedAt)}${byWhom(shown)}.`}
        </Notice>
      )}
      <p>Calls with it are refused at once, for good. To stop it for a while, turn it off instead.</p>
    </Confirm>
  );
}

/** How many calls a key made in the last 24 hours, to the minute: up to the first full hour by minutes. `undefined`: not known. */
function useLastDay(keyId: string, enabled: boolean): number | undefined {
  // The minute that runs now is one of them.
  const [since] = useState(() => (Math.floor(Date.now() / 60_000) - DAY_MINUTES + 1) * 60);
  const fullHour = (Math.floor(since / HOUR) + 1) * HOUR;
  const of = { api_key_ids: [keyId], limit: 60 };
  const minutes = { ...of, bucket_width: '1m' as const, start_time: since, end_time: fullHour };
  const hours = { ...of, bucket_width: '1h' as const, start_time: fullHour };
  const read: { data: Counted | undefined }[] = [
    useRead('listCompletionsUsage', { query: minutes }, { enabled }),
    useRead('listCompletionsUsage', { query: hours }, { enabled }),
    useRead('listEmbeddingsUsage', { query: minutes }, { enabled }),
    useRead('listEmbeddingsUsage', { query: hours }, { enabled }),
  ];
  if (read.some(({ data }) => data === undefined)) return undefined;
  return read
    .flatMap(({ data }) => data?.data ?? [])
    .flatMap(({ results }) => results)
    .reduce((sum, each) => sum + each.num_model_requests, 0);
}

/** What answers of both kinds have. */
type Counted = { data: { results: { num_model_requests: number }[] }[] };

function usedInWords(calls: number | undefined): string {
  if (calls === undefined) return 'It was used';
  return `Used ${calls === 1 ? 'once' : `${exact(calls)} times`} in the last 24 hours`;
}

function byWhom(key: ProjectKey): string {
  return key.owner.type === undefined ? '' : ` by ${ownerName(key)}`;
}
