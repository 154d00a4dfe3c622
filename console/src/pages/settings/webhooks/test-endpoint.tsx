import { useState } from 'react';
import type { Given } from '../../../api/call.ts';
import { useChange } from '../../../api/use.ts';
import { Button } from '../../../parts/button.tsx';
import { Section } from '../../../parts/facts.tsx';
import { Failure } from '../../../parts/failure.tsx';
import { FilterSelect } from '../../../parts/field.tsx';
import { Notice } from '../../../parts/states.tsx';
import type { Endpoint } from './endpoint-sheet.tsx';

type EventType = Given<'testWebhookEndpoint'>['body']['event_type'];
const SUCCEEDED = 300;

/** Sends an event that says it is a test, and tells what it was answered. */
export function TestEndpoint({ endpoint }: { endpoint: Endpoint }) {
  const [type, setType] = useState(endpoint.event_types[0] ?? '');
  const send = useChange('testWebhookEndpoint');
  return (
    <Section title="Test">
      <div className="flex flex-wrap gap-2">
        <FilterSelect
          label="Event to send"
          value={type}
          onChange={setType}
          choices={endpoint.event_types.map((each) => ({ value: each, label: each }))}
        />
        <Button
          isBusy={send.isPending}
          onClick={() => send.mutate({ path: { webhook_id: endpoint.id }, body: { event_type: type as EventType } })}
        >
          Send test event
        </Button>
      </div>
      {send.data && (
        <Notice tone={send.data.status_code < SUCCEEDED ? 'good' : 'warn'}>
          It answered with the status {send.data.status_code}.
        </Notice>
      )}
      {send.error && <Failure error={send.error} />}
    </Section>
  );
}
