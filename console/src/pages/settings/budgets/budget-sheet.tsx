import { useState } from 'react';
import type { Answer } from '../../../api/call.ts';
import { useSession } from '../../../api/session.ts';
import { useChange } from '../../../api/use.ts';
import { Button } from '../../../parts/button.tsx';
import { Confirm } from '../../../parts/confirm.tsx';
import { Id } from '../../../parts/copy.tsx';
import { Sheet } from '../../../parts/dialog.tsx';
import { Facts, Section } from '../../../parts/facts.tsx';
import { moment, money } from '../../../parts/format.ts';
import { Money, Time } from '../../../parts/values.tsx';
import { intervalInWords } from '../keys/project-keys.ts';
import { Bar } from './bar.tsx';
import { EditBudget, perCentOf } from './edit-budget.tsx';
import { GiveMore } from './give-more.tsx';
import { useHolders } from './holders.ts';

export type Budget = Answer<'retrieveBudget'>;
type Props = { budget: Budget; onClose: () => void };

/** A budget: what is spent of it, and the ways to change it. */
export function BudgetSheet({ budget, onClose }: Props) {
  const { may } = useSession();
  const [does, setDoes] = useState<'change' | 'more' | 'delete' | null>(null);
  const remove = useChange('deleteBudget', ['listBudgets']);
  const done = () => setDoes(null);
  if (does === 'change') return <EditBudget budget={budget} onClose={done} />;
  if (does === 'more') return <GiveMore budget={budget} onClose={done} />;
  if (does === 'delete') {
    return (
      <Confirm
        title={`Delete ${budget.name}?`}
        action="Delete budget"
        error={remove.error}
        isBusy={remove.isPending}
        onClose={done}
        onConfirm={() => remove.mutate({ path: { budget_id: budget.id } }, { onSuccess: onClose })}
      >
        <p>
          {budget.hard ? 'Calls that it would refuse go through from then on. ' : ''}That{' '}
          {money(Number(budget.spent_usd))} of it were spent is forgotten.
        </p>
      </Confirm>
    );
  }
  const foot = may('api.budgets.write') && (
    <>
      <Button kind="danger" onClick={() => setDoes('delete')}>
        Delete budget
      </Button>
      <Button onClick={() => setDoes('more')}>Give more</Button>
      <Button kind="primary" onClick={() => setDoes('change')}>
        Change budget
      </Button>
    </>
  );
  return (
    <Sheet title={budget.name} onClose={onClose} foot={foot}>
      <Section title="Spent">
        <p>
          <Money usd={Number(budget.spent_usd)} /> <span className="text-weak">of</span>{' '}
          <Money usd={Number(budget.limit_usd)} /> <span className="text-weak">{intervalInWords(budget.interval)}</span>
        </p>
        <Bar part={Number(budget.spent_usd) / Number(budget.limit_usd)} />
      </Section>
      <BudgetFacts budget={budget} />
    </Sheet>
  );
}

function BudgetFacts({ budget }: { budget: Budget }) {
  const { nameOf } = useHolders();
  const more = budget.overrides.map(
    ({ amount_usd: amount, ends_at: until }) => `${money(Number(amount))} until ${moment(until)}`,
  );
  return (
    <Section title="Budget">
      <Facts
        facts={[
          ['Name', budget.name],
          ['For', budget.holders.map(nameOf).join(', ')],
          ['Amount', `${money(Number(budget.amount_usd))} ${intervalInWords(budget.interval)}`],
          ['More for a while', more.length === 0 ? 'None' : more.join(', ')],
          ['Held for open calls', <Money key="held" usd={Number(budget.reserved_usd)} />],
          ['Once it is used up', onceUsedUp(budget)],
          ['Begins anew', <Time key="anew" at={budget.resets_at} never="Never" />],
          [
            'Alerts at',
            budget.alerts.length === 0 ? 'None' : budget.alerts.map((part) => `${perCentOf(part)} %`).join(', '),
          ],
          ['Alerts go to', budget.recipients.length === 0 ? 'Webhooks alone' : budget.recipients.join(', ')],
          ['Models', budget.models?.join(', ') ?? 'All'],
          ['Made', <Time key="made" at={budget.created_at} />],
          ['Id', <Id key="id" id={budget.id} />],
        ]}
      />
    </Section>
  );
}

function onceUsedUp({ instead, hard }: Budget): string {
  if (instead !== null) return `${instead} serves instead`;
  return hard ? 'Calls are refused' : 'Calls go on: it only counts';
}
