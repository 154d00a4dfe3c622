import { useState } from 'react';
import { KEY_LISTS } from '../../../api/keys.ts';
import { useSession } from '../../../api/session.ts';
import { useChange, useRead } from '../../../api/use.ts';
import { Confirm } from '../../../parts/confirm.tsx';
import { ago, exact } from '../../../parts/format.ts';
import { Notice } from '../../../parts/states.tsx';
import { ownerName, type ProjectKey, todayUtc } from './project-keys.ts';

const HOUR = 3_600;
const DAY = 86_400;

type Props = { apiKey: ProjectKey; onClose: () => void; onRevoked: () => void };

/** Says what revoking will break, and wants the name typed where the key is in use. */
export function RevokeKey({ apiKey: shown, onClose, onRevoked }: Props) {
  const { may } = useSession();
  const path = { project_id: shown.project.id, api_key_id: shown.id };
  const { data: key } = useRead('retrieveProjectApiKey', { path });
  // Usage is added up by whole UTC days.
  const [since] = useState(() => todayUtc() - DAY);
  const used = useRead(
    'summarizeUsage',
    { query: { api_key_id: shown.id, start_time: since } },
    { enabled: may('api.usage.read') },
  );
  const revoke = useChange('deleteProjectApiKey', KEY_LISTS);
  const usedAt = key?.last_used_at ?? null;
  const isInUse = usedAt !== null && Date.now() / 1000 - usedAt < HOUR;
  return (
    <Confirm
      title={`Revoke ${shown.name}?`}
      action="Revoke key"
      typed={isInUse ? shown.name : null}
      isDisabled={key === undefined}
      error={revoke.error}
      isBusy={revoke.isPending}
      onClose={onClose}
      onConfirm={() => revoke.mutate({ path }, { onSuccess: onRevoked })}
    >
      {key !== undefined && (
        <Notice tone={isInUse ? 'bad' : 'warn'}>
          {usedAt === null
            ? 'It was never used.'
            : `${usedInWords(used.data?.totals.calls)}, last ${ago(usedAt)}${byWhom(shown)}.`}
        </Notice>
      )}
      <p>Calls with it are refused at once, for good. To stop it for a while, turn it off instead.</p>
    </Confirm>
  );
}

function usedInWords(calls: number | undefined): string {
  if (calls === undefined) return 'It was used';
  return `Used ${calls === 1 ? 'once' : `${exact(calls)} times`} since yesterday 00:00 UTC`;
}

function byWhom(key: ProjectKey): string {
  return key.owner.type === undefined ? '' : ` by ${ownerName(key)}`;
}
