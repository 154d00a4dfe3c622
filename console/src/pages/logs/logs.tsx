import { useMemo, useState } from 'react';
import type { Answer } from '../../api/call.ts';
import { useList } from '../../api/use.ts';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { duration } from '../../parts/format.ts';
import { Empty, PageHead } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Count, Money } from '../../parts/values.tsx';
import { type Filters, useAddress } from '../../shell/address.ts';
import { CallSheet } from './call-sheet.tsx';
import { FILTERS, LogFilters } from './filters.tsx';
import { Following, useFollowed } from './following.tsx';
import { timesOf } from './range.ts';
import { CallStatus, HEAD_ZONE, LogTime, Weak } from './words.tsx';

export type LoggedCall = Answer<'listUsage'>['data'][number];

/** What is told of a call in its line. */
const COLUMNS: readonly Column<LoggedCall>[] = [
  { id: 'time', title: `Time (${HEAD_ZONE})`, cell: ({ created_at }) => <LogTime at={created_at} /> },
  { id: 'status', title: 'Status', cell: (call) => <CallStatus of={call} /> },
  { id: 'model', title: 'Model', cell: ({ model }) => <Name>{model || 'none'}</Name> },
  {
    id: 'provider',
    title: 'Provider',
    isMinor: true,
    cell: ({ provider, attempts }) => (attempts === 0 ? <Weak>none</Weak> : (provider ?? <Weak>not shown</Weak>)),
  },
  {
    id: 'key',
    title: 'Key',
    isMinor: true,
    cell: ({ api_key_name, api_key_id }) => <Name>{(api_key_name ?? api_key_id) || 'none'}</Name>,
  },
  {
    id: 'caller',
    title: 'Tool or product',
    isMinor: true,
    cell: ({ tool, product }) => <Name>{product ?? tool?.name ?? ''}</Name>,
  },
  { id: 'input', title: 'Input', isNumber: true, isMinor: true, cell: (call) => <Count count={call.input_tokens} /> },
  {
    id: 'output',
    title: 'Output',
    isNumber: true,
    isMinor: true,
    cell: (call) => <Count count={call.output_tokens} />,
  },
  { id: 'cost', title: 'Cost', isNumber: true, cell: ({ cost_usd }) => <Money usd={cost_usd} /> },
  {
    id: 'first',
    title: 'First token',
    isNumber: true,
    isMinor: true,
    cell: ({ time_to_first_token_ms }) => duration(time_to_first_token_ms),
  },
  {
    id: 'duration',
    title: 'Duration',
    isNumber: true,
    isMinor: true,
    cell: ({ latency_ms }) => duration(latency_ms),
  },
];

/** Lines that are read at once. */
const PAGE = 50;

/** Every call, in a line; its detail in a sheet. */
export function Logs() {
  const [address, change] = useAddress();
  const { range, start, end, open } = address;
  const isLive = address.live === 'yes';
  const times = useMemo(() => timesOf({ range, start, end }), [range, start, end]);
  const calls = useList('listUsage', { query: { ...wanted(address), ...times, limit: PAGE } }, { enabled: !isLive });
  const [isPaused, setPaused] = useState(false);
  const followed = useFollowed(wanted(address), { isOn: isLive, isPaused });
  const isNarrowed = FILTERS.some((name) => address[name] !== undefined);
  return (
    <>
      <PageHead
        title="Logs"
        actions={
          <Button
            kind={isLive ? 'primary' : 'plain'}
            aria-pressed={isLive}
            onClick={() => {
              setPaused(false);
              // Refused calls are not followed.
              change({ live: isLive ? undefined : 'yes', ...(address.status === 'refused' && { status: undefined }) });
            }}
          >
            {isLive ? 'Stop following' : 'Follow live'}
          </Button>
        }
      >
        Every call, with what it used and cost. What was said is not kept.
      </PageHead>
      <LogFilters isLive={isLive} />
      {isLive && <Following {...followed} isPaused={isPaused} onPause={setPaused} />}
      <Table
        label="Calls"
        columns={COLUMNS}
        rows={isLive ? followed.calls : calls.items}
        rowId={({ id }) => id}
        error={isLive ? followed.error : calls.error}
        detail={({ id }) => ({ search: { open: id } })}
        {...(!isLive && { more: calls })}
        empty={
          isNarrowed || isLive || range !== 'all' ? (
            <NoneOfThese isNarrowed={isNarrowed} isOfTime={!isLive && range !== 'all'} />
          ) : (
            <NoCalls />
          )
        }
      />
      {open !== undefined && <CallSheet id={open} onClose={() => change({ open: undefined })} />}
    </>
  );
}

function wanted(address: Filters) {
  return Object.fromEntries(FILTERS.map((name) => [name, address[name]]));
}

function Name({ children }: { children: string }) {
  return (
    <span title={children} className="block max-w-40 truncate max-md:max-w-24">
      <bdi>{children}</bdi>
    </span>
  );
}

/** @param isOfTime - whether there may be some at other times */
function NoneOfThese({ isNarrowed, isOfTime }: { isNarrowed: boolean; isOfTime: boolean }) {
  const [, change] = useAddress();
  const showAll = isOfTime && <Button onClick={() => change({ range: 'all' })}>Show all that is kept</Button>;
  if (isNarrowed) {
    return (
      <Empty title="No call fits these filters" icon="logs" action={showAll}>
        Calls appear here once they are over.
      </Empty>
    );
  }
  return (
    <Empty
      title="No calls in this time"
      icon="logs"
      action={
        <span className="flex flex-wrap justify-center gap-2">
          <ButtonLink to="/connect" kind="primary">
            Send a call
          </ButtonLink>
          {showAll}
        </span>
      }
    >
      Each call of a key is a line here once it is over: who called what, how long it took and what it cost.
    </Empty>
  );
}

function NoCalls() {
  return (
    <Empty
      title="No calls yet"
      icon="logs"
      action={
        <ButtonLink to="/connect" kind="primary">
          Send a first call
        </ButtonLink>
      }
    >
      Each call of a key is a line here: who called what, how long it took and what it cost.
    </Empty>
  );
}
