import { startRegistration } from '@simplewebauthn/browser';
import { useState } from 'react';
import type { Answer } from '../../../api/call.ts';
import { ApiError } from '../../../api/call.ts';
import { useChange, useRead } from '../../../api/use.ts';
import { Button } from '../../../parts/button.tsx';
import { Confirm } from '../../../parts/confirm.tsx';
import { Section } from '../../../parts/facts.tsx';
import { Failure } from '../../../parts/failure.tsx';
import { HAS_PASSKEYS } from '../../../parts/has-passkeys.ts';
import { Lines } from '../../../parts/lines.tsx';
import { NameDialog } from '../../../parts/name-dialog.tsx';
import { Time } from '../../../parts/values.tsx';

const NONE = 'None yet. A passkey signs you in without a password, by this device or a security key.';

type Passkey = Answer<'listPasskeys'>['data'][number];

/** The passkeys of the person: each is a device, or a keychain, that signs in without a password. */
export function Passkeys() {
  const { data, error } = useRead('listPasskeys');
  const [isAdding, setAdding] = useState(false);
  const [removes, setRemoves] = useState<Passkey | null>(null);
  return (
    <Section
      title="Passkeys"
      actions={
        HAS_PASSKEYS && (
          <Button icon="plus" onClick={() => setAdding(true)}>
            Add passkey
          </Button>
        )
      }
    >
      {error ? (
        <Failure error={error} />
      ) : (
        <Lines
          none={
            HAS_PASSKEYS ? NONE : 'None yet. This browser makes passkeys only where the address begins with https://.'
          }
          lines={
            data?.data.map((passkey) => ({
              id: passkey.id,
              name: passkey.name,
              about: (
                <>
                  last used <Time at={passkey.last_used_at} never="never" />
                </>
              ),
              action: { label: 'Remove', name: `Remove ${passkey.name}`, onClick: () => setRemoves(passkey) },
            })) ?? null
          }
        />
      )}
      {isAdding && <AddPasskey onClose={() => setAdding(false)} />}
      {removes && <RemovePasskey passkey={removes} onClose={() => setRemoves(null)} />}
    </Section>
  );
}

function AddPasskey({ onClose }: { onClose: () => void }) {
  const [refusal, setRefusal] = useState<Error | null>(null);
  const [isBusy, setBusy] = useState(false);
  const options = useChange('passkeyOptions');
  const add = useChange('addPasskey', ['listPasskeys', 'getSession']);
  async function save(name: string) {
    setBusy(true);
    setRefusal(null);
    try {
      const optionsJSON = (await options.mutateAsync({})) as never;
      const response = await startRegistration({ optionsJSON });
      await add.mutateAsync({ body: { name, response: response as never } });
      onClose();
    } catch (failed) {
      setRefusal(
        failed instanceof ApiError
          ? failed
          : new Error('The device made no passkey: it was refused, took too long, or has one of this gateway already.'),
      );
      setBusy(false);
    }
  }
  return (
    <NameDialog
      title="Add a passkey"
      action="Make passkey"
      name="This device"
      hint="By which you will know it again."
      error={refusal}
      isBusy={isBusy}
      onSave={(name) => void save(name)}
      onClose={onClose}
    />
  );
}

function RemovePasskey({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const remove = useChange('removePasskey', ['listPasskeys', 'listSessions', 'getSession']);
  return (
    <Confirm
      title={`Remove ${passkey.name}?`}
      action="Remove passkey"
      error={remove.error}
      isBusy={remove.isPending}
      onClose={onClose}
      onConfirm={() => remove.mutate({ path: { passkey_id: passkey.id } }, { onSuccess: onClose })}
    >
      <p>It signs nobody in from then on, and all other sessions of yours end.</p>
    </Confirm>
  );
}
