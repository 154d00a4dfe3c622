import { useSession } from '../../../api/session.ts';
import { useWhole } from '../../../api/use.ts';
import { Button } from '../../../parts/button.tsx';
import { Badge, Empty, PageHead } from '../../../parts/states.tsx';
import { type Column, Table } from '../../../parts/table.tsx';
import { Tabs } from '../../../parts/tabs.tsx';
import { Money, Time } from '../../../parts/values.tsx';
import { useAddress } from '../../../shell/address.ts';
import { SettingsPage } from '../settings.tsx';
import { Bar } from './bar.tsx';
import { type Budget, BudgetSheet } from './budget-sheet.tsx';
import { EditBudget } from './edit-budget.tsx';
import { useHolders } from './holders.ts';
import { MonthlyLimits } from './monthly-limits.tsx';

/** What may be spent, by whom, and who is told when it is. */
export function Budgets() {
  const { may } = useSession();
  const [{ view = 'budgets', create }, change] = useAddress();
  const isWriter = may('api.budgets.write');
  const button = isWriter && view !== 'limits' && (
    <Button kind="primary" icon="plus" onClick={() => change({ create: 'yes' }, { replace: false })}>
      Create budget
    </Button>
  );
  return (
    <SettingsPage>
      <PageHead title="Budgets and alerts" actions={button}>
        What may be spent, and who is told when it is.
      </PageHead>
      <Tabs
        label="Budgets and limits"
        name="view"
        chosen={view}
        views={[
          { value: 'budgets', label: 'Budgets' },
          { value: 'limits', label: 'Monthly limits' },
        ]}
      />
      {view === 'limits' ? <MonthlyLimits /> : <BudgetList create={button} />}
      {create && isWriter && <EditBudget budget={null} onClose={() => change({ create: undefined })} />}
    </SettingsPage>
  );
}

function BudgetList({ create }: { create: React.ReactNode }) {
  const [{ open }, change] = useAddress();
  const { items, error } = useWhole('listBudgets');
  const { nameOf } = useHolders();
  const opened = items?.find(({ id }) => id === open);
  const columns: Column<Budget>[] = [
    {
      id: 'name',
      title: 'Name',
      cell: ({ name }) => (
        <span title={name} className="block max-w-56 truncate max-md:max-w-36">
          {name}
        </span>
      ),
    },
    {
      id: 'for',
      title: 'For',
      isMinor: true,
      cell: ({ holders }) => {
        const names = holders.map(nameOf).join(', ');
        return (
          <span title={names} className="block max-w-56 truncate text-weak">
            {names}
          </span>
        );
      },
    },
    {
      id: 'state',
      title: 'State',
      isMinor: true,
      cell: (budget) => <BudgetState budget={budget} />,
    },
    {
      id: 'spent',
      title: 'Spent',
      isNumber: true,
      cell: ({ spent_usd: spent, limit_usd: limit }) => (
        <div className="ml-auto grid max-w-48 gap-1">
          <span>
            <Money usd={Number(spent)} /> <span className="text-weak">of</span> <Money usd={Number(limit)} />
          </span>
          <Bar part={Number(spent) / Number(limit)} />
        </div>
      ),
    },
    { id: 'anew', title: 'Begins anew', isMinor: true, cell: ({ resets_at }) => <Time at={resets_at} never="Never" /> },
  ];
  return (
    <>
      <Table
        label="Budgets"
        columns={columns}
        rows={items}
        error={error}
        rowId={({ id }) => id}
        detail={({ id }) => ({ search: { open: id } })}
        empty={
          <Empty title="No budgets yet" icon="usage" action={create}>
            A budget is for all, or for some projects, groups, people or keys together. It refuses calls once it is used
            up, or only tells people.
          </Empty>
        }
      />
      {opened && <BudgetSheet key={opened.id} budget={opened} onClose={() => change({ open: undefined })} />}
    </>
  );
}

function BudgetState({ budget }: { budget: Budget }) {
  const part = Number(budget.spent_usd) / Number(budget.limit_usd);
  if (part >= 1) return <Badge tone="bad">{budget.hard ? 'Used up' : 'Passed'}</Badge>;
  return part >= 0.8 ? <Badge tone="warn">Nearly used up</Badge> : <Badge tone="good">Within it</Badge>;
}
