import { type FormEvent, useState } from 'react';
import { useSession } from '../../../api/session.ts';
import { useChange, useWhole } from '../../../api/use.ts';
import { Button } from '../../../parts/button.tsx';
import { Confirm } from '../../../parts/confirm.tsx';
import { Dialog } from '../../../parts/dialog.tsx';
import { Section } from '../../../parts/facts.tsx';
import { Failure, FormFailure, faultOf } from '../../../parts/failure.tsx';
import { TextField } from '../../../parts/field.tsx';
import { money } from '../../../parts/format.ts';
import { SkeletonRows } from '../../../parts/states.tsx';
import { Money } from '../../../parts/values.tsx';
import { Bar } from './bar.tsx';
import { centsOf } from './cents.ts';

type Props = {
  /** `null`: of the organization. */
  projectId: string | null;
  title: string;
  spentUsd: number | null;
};

/** What may be spent in a month, beside what was. */
export function Limit({ projectId, title, spentUsd }: Props) {
  const { may } = useSession();
  const [does, setDoes] = useState<'change' | 'remove' | null>(null);
  const { limit, error, isRead } = useLimit(projectId);
  const done = () => setDoes(null);
  const limitUsd = limit === null ? null : limit / 100;
  const buttons = may('api.budgets.write') && isRead && (
    <>
      {limit !== null && <Button onClick={() => setDoes('remove')}>Take away limit</Button>}
      <Button onClick={() => setDoes('change')}>{limit === null ? 'Set limit' : 'Change limit'}</Button>
    </>
  );
  return (
    <Section title={title} actions={buttons}>
      {error && <Failure error={error} />}
      {!isRead && !error && <SkeletonRows rows={1} />}
      {isRead && (
        <>
          <p>
            <Money usd={spentUsd} /> <span className="text-weak">spent this month</span>
            {limitUsd === null ? (
              <span className="text-weak">; there is no limit.</span>
            ) : (
              <>
                <span className="text-weak"> of </span>
                <Money usd={limitUsd} />
              </>
            )}
          </p>
          {limitUsd !== null && spentUsd !== null && <Bar part={spentUsd / limitUsd} />}
        </>
      )}
      {does === 'remove' && <RemoveLimit projectId={projectId} onClose={done} />}
      {does === 'change' && <ChangeLimit projectId={projectId} cents={limit} onClose={done} />}
    </Section>
  );
}

/** The limit in cents; `null` where there is none, or it is not read yet. */
function useLimit(projectId: string | null) {
  const { items, error } = useWhole('listSpendLimits');
  return {
    limit: items?.find(({ project_id: id }) => id === projectId)?.threshold_amount ?? null,
    isRead: items !== null,
    error,
  };
}

function RemoveLimit({ projectId, onClose }: { projectId: string | null; onClose: () => void }) {
  const removeWhole = useChange('deleteOrganizationSpendLimit', ['listSpendLimits']);
  const removeOfProject = useChange('deleteProjectSpendLimit', ['listSpendLimits']);
  const { error, isPending } = projectId === null ? removeWhole : removeOfProject;
  const done = { onSuccess: onClose };
  return (
    <Confirm
      title="Take away the limit?"
      action="Take away limit"
      error={error}
      isBusy={isPending}
      onClose={onClose}
      onConfirm={() =>
        projectId === null
          ? removeWhole.mutate({}, done)
          : removeOfProject.mutate({ path: { project_id: projectId } }, done)
      }
    >
      <p>Calls that it would refuse go through from then on.</p>
    </Confirm>
  );
}

function ChangeLimit({
  projectId,
  cents,
  onClose,
}: {
  projectId: string | null;
  cents: number | null;
  onClose: () => void;
}) {
  const [amount, setAmount] = useState(cents === null ? '' : (cents / 100).toFixed(2));
  const setWhole = useChange('updateOrganizationSpendLimit', ['listSpendLimits']);
  const setOfProject = useChange('updateProjectSpendLimit', ['listSpendLimits']);
  const { error, isPending } = projectId === null ? setWhole : setOfProject;
  const wanted = centsOf(amount);
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (wanted === null) return;
    const body = { currency: 'USD', interval: 'month', threshold_amount: wanted } as const;
    if (projectId === null) setWhole.mutate({ body }, { onSuccess: onClose });
    else setOfProject.mutate({ path: { project_id: projectId }, body }, { onSuccess: onClose });
  };
  const foot = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button type="submit" form="limit" kind="primary" isBusy={isPending} disabled={wanted === null}>
        Save limit
      </Button>
    </>
  );
  return (
    <Dialog title="Limit of the month" onClose={onClose} foot={foot}>
      <form id="limit" onSubmit={save} className="grid gap-3">
        <TextField
          label="Dollars a month (UTC)"
          inputMode="decimal"
          required
          hint={
            wanted === null
              ? 'Whole cents, such as 1200.00.'
              : `Calls are refused once ${money(wanted / 100)} are spent.`
          }
          value={amount}
          error={faultOf(error, 'threshold_amount')}
          onChange={({ target }) => setAmount(target.value)}
        />
        <FormFailure error={error} fields={['threshold_amount']} />
      </form>
    </Dialog>
  );
}
