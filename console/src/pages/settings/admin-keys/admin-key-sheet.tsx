import { useState } from 'react';
import type { Answer } from '../../../api/call.ts';
import { useSession } from '../../../api/session.ts';
import { useChange, useRead } from '../../../api/use.ts';
import { Button, TextLink } from '../../../parts/button.tsx';
import { Confirm } from '../../../parts/confirm.tsx';
import { Id } from '../../../parts/copy.tsx';
import { Sheet } from '../../../parts/dialog.tsx';
import { Facts } from '../../../parts/facts.tsx';
import { ago } from '../../../parts/format.ts';
import { Notice } from '../../../parts/states.tsx';
import { Time } from '../../../parts/values.tsx';

export type AdminKey = Answer<'retrieveAdminApiKey'>;
type Props = { adminKey: AdminKey; onClose: () => void };

const HOUR = 3_600;

/** Who made a key. Those of the command line belong to whoever runs the gateway. */
export function makerOf({ owner: { type, name } }: AdminKey): string {
  return type === 'operator' ? 'The operator' : (name ?? 'A member');
}

export function hasEnded({ expires_at: at }: AdminKey): boolean {
  return at !== null && at <= Date.now() / 1000;
}

/** All of a key of administration, and the way to end it. */
export function AdminKeySheet({ adminKey: key, onClose }: Props) {
  const { may } = useSession();
  const [isRevoking, setRevoking] = useState(false);
  const changes = useLastChange(key);
  if (isRevoking) return <RevokeAdminKey adminKey={key} onClose={() => setRevoking(false)} onRevoked={onClose} />;
  const foot = may('api.admin_keys.write') && (
    <Button kind="danger" onClick={() => setRevoking(true)}>
      Revoke key
    </Button>
  );
  return (
    <Sheet title={key.name} onClose={onClose} foot={foot}>
      <Facts
        facts={[
          ['Name', key.name],
          ['Id', <Id key="id" id={key.id} />],
          [
            'Begins and ends with',
            <code key="secret" className="font-mono">
              {key.redacted_value}
            </code>,
          ],
          [
            'Made by',
            key.owner.id === undefined ? (
              makerOf(key)
            ) : (
              <TextLink key="maker" to="/settings/members" search={{ open: key.owner.id }}>
                {makerOf(key)}
              </TextLink>
            ),
          ],
          ['Made', <Time key="made" at={key.created_at} />],
          changes.isKnown ? ['Last change with it', <Time key="changed" at={changes.lastAt} never="None" />] : null,
          [hasEnded(key) ? 'Ended' : 'Ends', <Time key="ends" at={key.expires_at} never="Never" />],
        ]}
      />
      {may('api.audit_logs.read') && (
        <p className="mt-4 text-table">
          <TextLink to="/settings/audit-log" search={{ actor: key.id }}>
            What was changed with it
          </TextLink>
        </p>
      )}
    </Sheet>
  );
}

/** When a setting was last changed with a key: what it only read is not kept. Known to those who may read the audit log. */
function useLastChange({ id }: AdminKey): { isKnown: boolean; lastAt: number | null; error: Error | null } {
  const { may } = useSession();
  const query = { actor_ids: [id], limit: 1 };
  const { data, error } = useRead('listAuditLogs', { query }, { enabled: may('api.audit_logs.read') });
  return { isKnown: data !== undefined, lastAt: data?.data[0]?.effective_at ?? null, error };
}

function RevokeAdminKey({ adminKey: key, onClose, onRevoked }: Props & { onRevoked: () => void }) {
  const revoke = useChange('deleteAdminApiKey', ['listAdminApiKeys']);
  const { isKnown, lastAt, error } = useLastChange(key);
  const { may } = useSession();
  const isInUse = lastAt !== null && Date.now() / 1000 - lastAt < HOUR;
  return (
    <Confirm
      title={`Revoke ${key.name}?`}
      action="Revoke key"
      typed={isInUse ? key.name : null}
      isDisabled={may('api.audit_logs.read') && !isKnown && error === null}
      error={revoke.error ?? error}
      isBusy={revoke.isPending}
      onClose={onClose}
      onConfirm={() => revoke.mutate({ path: { key_id: key.id } }, { onSuccess: onRevoked })}
    >
      {isKnown && (
        <Notice tone={isInUse ? 'bad' : 'warn'}>
          {lastAt === null ? 'No setting was changed with it.' : `A setting was last changed with it ${ago(lastAt)}.`}
        </Notice>
      )}
      <p>What scripts ask for with it is refused at once, for good.</p>
    </Confirm>
  );
}
