import { useState } from 'react';
import type { Answer } from '../../../api/call.ts';
import { useSession } from '../../../api/session.ts';
import { useChange } from '../../../api/use.ts';
import { Button } from '../../../parts/button.tsx';
import { Confirm } from '../../../parts/confirm.tsx';
import { Id } from '../../../parts/copy.tsx';
import { Sheet } from '../../../parts/dialog.tsx';
import { Facts, Section } from '../../../parts/facts.tsx';
import { CheckField } from '../../../parts/field.tsx';
import { Time } from '../../../parts/values.tsx';
import { Deliveries } from './deliveries.tsx';
import { EditEndpoint } from './edit-endpoint.tsx';
import { TestEndpoint } from './test-endpoint.tsx';

export type Endpoint = Answer<'retrieveWebhookEndpoint'>;
type Props = { endpoint: Endpoint; onSecret: (secret: string) => void; onClose: () => void };

/** An endpoint: what it is told of, what it was told, and a way to try it. */
export function EndpointSheet({ endpoint, onSecret, onClose }: Props) {
  const { may } = useSession();
  const [does, setDoes] = useState<'edit' | 'rotate' | 'delete' | null>(null);
  const remove = useChange('deleteWebhookEndpoint', ['listWebhookEndpoints']);
  const done = () => setDoes(null);
  const isWriter = may('api.webhooks.write');
  if (does === 'edit') return <EditEndpoint endpoint={endpoint} onClose={done} onSaved={done} />;
  if (does === 'rotate') return <RotateSecret endpoint={endpoint} onSecret={onSecret} onClose={done} />;
  if (does === 'delete') {
    return (
      <Confirm
        title={`Delete ${endpoint.name}?`}
        action="Delete endpoint"
        error={remove.error}
        isBusy={remove.isPending}
        onClose={done}
        onConfirm={() => remove.mutate({ path: { webhook_id: endpoint.id } }, { onSuccess: onClose })}
      >
        <p>It is told of nothing from then on, also not of what it was still to be told.</p>
      </Confirm>
    );
  }
  const foot = isWriter && (
    <>
      <Button kind="danger" onClick={() => setDoes('delete')}>
        Delete endpoint
      </Button>
      <Button onClick={() => setDoes('rotate')}>Rotate secret</Button>
      <Button kind="primary" onClick={() => setDoes('edit')}>
        Change endpoint
      </Button>
    </>
  );
  return (
    <Sheet title={endpoint.name} onClose={onClose} foot={foot}>
      <Section title="Endpoint">
        <Facts
          facts={[
            ['Address', endpoint.url],
            ['Events', endpoint.event_types.join(', ')],
            ['Made', <Time key="made" at={endpoint.created_at} />],
            ['Changed', <Time key="changed" at={endpoint.updated_at} />],
            ['Id', <Id key="id" id={endpoint.id} />],
          ]}
        />
      </Section>
      {isWriter && <TestEndpoint endpoint={endpoint} />}
      <Deliveries endpointId={endpoint.id} />
    </Sheet>
  );
}

function RotateSecret({ endpoint, onSecret, onClose }: Props) {
  const [keepsOld, setKeepsOld] = useState(true);
  const rotate = useChange('rotateWebhookSecret', ['listWebhookEndpoints']);
  const path = { webhook_id: endpoint.id };
  return (
    <Confirm
      title={`Rotate the secret of ${endpoint.name}`}
      action="Rotate secret"
      error={rotate.error}
      isBusy={rotate.isPending}
      isHeld={rotate.isPending}
      onClose={onClose}
      onConfirm={() =>
        rotate.mutate(
          { path, body: { keep_old_secret_active_for_24_hours: keepsOld } },
          {
            onSuccess: ({ signing_secret }) => {
              onSecret(signing_secret);
              onClose();
            },
          },
        )
      }
    >
      <p>The endpoint gets a new secret, which is shown once.</p>
      <CheckField
        label="Sign with the old one too, for a day"
        hint="So that your endpoint goes on while it gets the new one."
        checked={keepsOld}
        onChange={({ target }) => setKeepsOld(target.checked)}
      />
    </Confirm>
  );
}
