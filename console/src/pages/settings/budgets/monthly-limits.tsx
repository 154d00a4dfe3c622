import { useSession } from '../../../api/session.ts';
import { useWhole } from '../../../api/use.ts';
import { Section } from '../../../parts/facts.tsx';
import { Empty } from '../../../parts/states.tsx';
import { type Column, Table } from '../../../parts/table.tsx';
import { Money } from '../../../parts/values.tsx';
import { useAddress } from '../../../shell/address.ts';
import { Alerts } from './alerts.tsx';
import { Limit } from './limit.tsx';
import { LimitSheet } from './limit-sheet.tsx';
import { useSpending } from './spending.ts';

type Line = { id: string; name: string; spentUsd: number | null; limitUsd: number | null };

/** What the organization and each project may spend in a UTC month, and who is told when, as OpenAI’s API has it. */
export function MonthlyLimits() {
  const { may } = useSession();
  const [{ open }, change] = useAddress();
  const projects = useWhole('listProjects', {}, { enabled: may('api.projects.read') });
  const { spending } = useSpending(may('api.usage.read'));
  const limits = useWhole('listSpendLimits');
  const limitOf = (projectId: string) => limits.items?.find(({ project_id: id }) => id === projectId)?.threshold_amount;
  const lines =
    projects.items?.map(({ id, name }): Line => {
      const cents = limitOf(id);
      return {
        id,
        name,
        spentUsd: spending?.ofProject(id) ?? null,
        limitUsd: cents === undefined ? null : cents / 100,
      };
    }) ?? null;
  const opened = lines?.find(({ id }) => id === open);
  return (
    <>
      <div className="grid gap-6">
        <div className="max-w-3xl">
          <Limit projectId={null} title="The whole organization" spentUsd={spending?.whole ?? null} />
          <Alerts projectId={null} />
        </div>
        <Section title="Projects">
          <Table
            label="Budgets of projects"
            columns={COLUMNS}
            rows={lines?.toSorted((one, other) => (other.spentUsd ?? 0) - (one.spentUsd ?? 0)) ?? null}
            error={projects.error}
            rowId={({ id }) => id}
            detail={({ id }) => ({ search: { open: id } })}
            empty={<Empty title="No projects">There is none that you may see.</Empty>}
          />
        </Section>
      </div>
      {opened && (
        <LimitSheet
          key={opened.id}
          projectId={opened.id}
          name={opened.name}
          spentUsd={opened.spentUsd}
          onClose={() => change({ open: undefined })}
        />
      )}
    </>
  );
}

const COLUMNS: readonly Column<Line>[] = [
  {
    id: 'name',
    title: 'Project',
    cell: ({ name }) => (
      <span title={name} className="block max-w-96 truncate max-md:max-w-52">
        {name}
      </span>
    ),
  },
  { id: 'spent', title: 'Spent this month', isNumber: true, cell: ({ spentUsd }) => <Money usd={spentUsd} /> },
  {
    id: 'limit',
    title: 'Limit',
    isNumber: true,
    cell: ({ limitUsd }) => (limitUsd === null ? <span className="text-weak">None</span> : <Money usd={limitUsd} />),
  },
];
