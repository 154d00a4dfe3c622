import type { Answer } from '../../../api/call.ts';
import { useList } from '../../../api/use.ts';
import { Section } from '../../../parts/facts.tsx';
import { Badge } from '../../../parts/states.tsx';
import { type Column, Table } from '../../../parts/table.tsx';
import { Time } from '../../../parts/values.tsx';

type Delivery = Answer<'listWebhookDeliveries'>['data'][number];

const STATES = {
  delivered: { tone: 'good', label: 'Delivered' },
  waiting: { tone: 'warn', label: 'Waiting' },
  failed: { tone: 'bad', label: 'Failed' },
} as const;

/** What an endpoint was told in the last 30 days, newest first. */
export function Deliveries({ endpointId }: { endpointId: string }) {
  const list = useList('listWebhookDeliveries', { path: { webhook_id: endpointId } }, { every: 10_000 });
  return (
    <Section title="Deliveries">
      <Table
        label="Deliveries"
        columns={COLUMNS}
        rows={list.items}
        error={list.error}
        rowId={({ id }) => id}
        more={list}
        empty={<p className="text-table text-weak">Nothing in the last 30 days.</p>}
      />
    </Section>
  );
}

const COLUMNS: readonly Column<Delivery>[] = [
  { id: 'event', title: 'Event', cell: ({ event_type }) => event_type },
  {
    id: 'state',
    title: 'State',
    cell: ({ status, error, status_code }) => (
      <span title={error ?? undefined}>
        <Badge tone={STATES[status].tone}>{STATES[status].label}</Badge>
        {status_code !== null && <span className="ml-1 text-weak">{status_code}</span>}
        {error !== null && <span className="block max-w-56 truncate text-weak">{error}</span>}
      </span>
    ),
  },
  { id: 'attempts', title: 'Attempts', isNumber: true, cell: ({ attempts }) => attempts },
  { id: 'when', title: 'Last', cell: ({ delivered_at, created_at }) => <Time at={delivered_at ?? created_at} /> },
  {
    id: 'next',
    title: 'Next',
    isMinor: true,
    cell: ({ next_attempt_at }) => <Time at={next_attempt_at} />,
  },
];
