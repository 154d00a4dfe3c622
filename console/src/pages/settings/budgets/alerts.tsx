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
import { Lines } from '../../../parts/lines.tsx';
import { ListField } from '../../../parts/list-field.tsx';
import { centsOf } from './cents.ts';

/** Amounts of a month at which people are told. `null`: of the organization. */
export function Alerts({ projectId }: { projectId: string | null }) {
  const { may } = useSession();
  const [isAdding, setAdding] = useState(false);
  const [deletes, setDeletes] = useState<{ id: string; amount: string } | null>(null);
  const isOfProject = projectId !== null;
  const path = { project_id: projectId ?? '' };
  const whole = useWhole('listOrganizationSpendAlerts', {}, { enabled: !isOfProject });
  const ofProject = useWhole('listProjectSpendAlerts', { path }, { enabled: isOfProject });
  const { items, error } = isOfProject ? ofProject : whole;
  const removeWhole = useChange('deleteOrganizationSpendAlert', ['listOrganizationSpendAlerts']);
  const removeOfProject = useChange('deleteProjectSpendAlert', ['listProjectSpendAlerts']);
  const removal = isOfProject ? removeOfProject : removeWhole;
  const done = () => setDeletes(null);
  const remove = (alert_id: string) =>
    isOfProject
      ? removeOfProject.mutate({ path: { ...path, alert_id } }, { onSuccess: done })
      : removeWhole.mutate({ path: { alert_id } }, { onSuccess: done });
  const isWriter = may('api.budgets.write');
  return (
    <Section title="Alerts" actions={isWriter && <Button onClick={() => setAdding(true)}>Add alert</Button>}>
      {error ? (
        <Failure error={error} />
      ) : (
        <Lines
          none="None yet. An alert tells people, and your webhooks, that so much is spent."
          lines={
            items?.map(({ id, threshold_amount: cents, notification_channel: channel }) => {
              const amount = money(cents / 100);
              const ask = () => setDeletes({ id, amount });
              return {
                ...{ id, name: amount, about: `for ${channel.recipients.join(', ')}` },
                action: isWriter ? { label: 'Delete', name: `Delete the alert at ${amount}`, onClick: ask } : undefined,
              };
            }) ?? null
          }
        />
      )}
      {deletes && (
        <Confirm
          title={`Delete the alert at ${deletes.amount}?`}
          action="Delete alert"
          error={removal.error}
          isBusy={removal.isPending}
          onClose={() => {
            removal.reset();
            done();
          }}
          onConfirm={() => remove(deletes.id)}
        >
          <p>Nobody is told any more when so much is spent in a month.</p>
        </Confirm>
      )}
      {isAdding && <AddAlert projectId={projectId} onClose={() => setAdding(false)} />}
    </Section>
  );
}

function AddAlert({ projectId, onClose }: { projectId: string | null; onClose: () => void }) {
  const { person } = useSession();
  const [amount, setAmount] = useState('');
  const [recipients, setRecipients] = useState<string[]>([person.email]);
  const addWhole = useChange('createOrganizationSpendAlert', ['listOrganizationSpendAlerts']);
  const addOfProject = useChange('createProjectSpendAlert', ['listProjectSpendAlerts']);
  const { error, isPending } = projectId === null ? addWhole : addOfProject;
  const cents = centsOf(amount);
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (cents === null) return;
    const body = {
      currency: 'USD' as const,
      interval: 'month' as const,
      threshold_amount: cents,
      notification_channel: { type: 'email' as const, recipients },
    };
    if (projectId === null) addWhole.mutate({ body }, { onSuccess: onClose });
    else addOfProject.mutate({ path: { project_id: projectId }, body }, { onSuccess: onClose });
  };
  const foot = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button type="submit" form="alert" kind="primary" isBusy={isPending} disabled={cents === null}>
        Add alert
      </Button>
    </>
  );
  return (
    <Dialog title="Add an alert" onClose={onClose} foot={foot}>
      <form id="alert" onSubmit={save} className="grid gap-3">
        <TextField
          label="When so many dollars are spent in a month"
          inputMode="decimal"
          required
          hint="Whole cents, such as 900.00."
          value={amount}
          error={faultOf(error, 'threshold_amount')}
          onChange={({ target }) => setAmount(target.value)}
        />
        <ListField
          label="For whom"
          hint="Email addresses, where the gateway has a mail server. Your webhooks are told in any case."
          values={recipients}
          error={faultOf(error, 'notification_channel')}
          onChange={setRecipients}
        />
        <FormFailure error={error} fields={['threshold_amount', 'notification_channel']} />
      </form>
    </Dialog>
  );
}
