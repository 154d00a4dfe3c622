import type { Answer } from '../../api/call.ts';
import { useSession } from '../../api/session.ts';
import { useWhole } from '../../api/use.ts';
import { ButtonLink } from '../../parts/button.tsx';
import { money, percent } from '../../parts/format.ts';
import { setInText } from '../../parts/set-in.ts';
import { Badge, Empty, PageHead } from '../../parts/states.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Count, Money, Time } from '../../parts/values.tsx';
import { useAddress } from '../../shell/address.ts';
import { RouteSheet } from './route-sheet.tsx';
import { type RouteUse, useRouteUse } from './route-use.ts';

export type ListedRoute = Answer<'listOrganizationRoutes'>['data'][number];
type Row = ListedRoute & { used: RouteUse | null };

/** The operator's own models: who may serve each, and how one is chosen. */
export function Routes() {
  const { may } = useSession();
  const [address, change] = useAddress();
  const { items, error } = useWhole('listOrganizationRoutes');
  const usedOf = useRouteUse();
  const rows = items?.map((route) => ({ ...route, used: usedOf(route) }));
  const opened = items?.find(({ id }) => id === address.open);
  const create = may('api.routes.write') && (
    <ButtonLink to="/routes/editor" kind="primary" icon="plus">
      New route
    </ButtonLink>
  );
  return (
    <>
      <PageHead title="Routes" actions={create}>
        Models of your own: each sends its calls to one of its targets. Usage is of the last 30 days.
      </PageHead>
      <Table<Row>
        label="Routes"
        columns={COLUMNS}
        rows={rows ?? null}
        rowId={({ id }) => id}
        error={error}
        detail={({ id }) => ({ search: { open: id } })}
        empty={
          <Empty title="No route yet" icon="routes" action={create}>
            A route is a name that your programs call; it goes to the cheapest, the fastest or the first of its targets
            that can answer, and to another where that fails.
          </Empty>
        }
      />
      {opened && <RouteSheet key={opened.id} route={opened} onClose={() => change({ open: undefined })} />}
    </>
  );
}

/** Where a route serves calls, or why it does not. */
export function RouteState({ route }: { route: ListedRoute }) {
  if (route.problem !== null) return <Badge tone="bad">Serves nothing</Badge>;
  if (route.canary !== null) return <Badge tone="warn">Canary {percent(route.canary.share)}</Badge>;
  return <Badge tone="good">In force</Badge>;
}

const COLUMNS: readonly Column<Row>[] = [
  { id: 'id', title: 'Route', cell: ({ id }) => id },
  { id: 'state', title: 'State', cell: (route) => <RouteState route={route} /> },
  { id: 'strategy', title: 'Strategy', isMinor: true, cell: ({ strategy }) => strategy.join(', ') || '—' },
  {
    id: 'targets',
    title: 'Targets',
    isMinor: true,
    cell: ({ targets }) => (
      <span className="block max-w-72 truncate" title={targets.join(', ')}>
        {targets.join(', ')}
      </span>
    ),
  },
  { id: 'calls', title: 'Calls', isNumber: true, cell: ({ used }) => <Count count={used?.calls ?? 0} /> },
  { id: 'share', title: 'Of all calls', isNumber: true, isMinor: true, cell: ({ used }) => percent(used?.share) },
  { id: 'retried', title: 'Fell back', isNumber: true, isMinor: true, cell: ({ used }) => <Retried of={used} /> },
  { id: 'cost', title: 'Cost', isNumber: true, cell: ({ used }) => <Money usd={used === null ? 0 : used.costUsd} /> },
  { id: 'dearest', title: 'Saved', isNumber: true, isMinor: true, cell: ({ used }) => <Saved of={used} /> },
  {
    id: 'changed',
    title: 'Changed',
    isMinor: true,
    cell: (route) => setInText(route.set_in) ?? <Time at={route.updated_at} />,
  },
];

/** The part of its calls whose first attempt was not the last. */
function Retried({ of }: { of: RouteUse | null }) {
  return <span title="Calls that took more than one attempt">{percent(of?.retried)}</span>;
}

/** How much less its calls came to than at its dearest target. */
function Saved({ of }: { of: RouteUse | null }) {
  if (of === null || of.costUsd === null || !of.dearestUsd) return <span className="text-faint">—</span>;
  const words = `At the list price of its dearest target its tokens would have cost ${money(of.dearestUsd)}.`;
  return <span title={words}>{percent(1 - of.costUsd / of.dearestUsd)}</span>;
}
