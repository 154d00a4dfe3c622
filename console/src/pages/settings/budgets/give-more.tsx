import { type FormEvent, useState } from 'react';
import { useChange } from '../../../api/use.ts';
import { Button } from '../../../parts/button.tsx';
import { Dialog } from '../../../parts/dialog.tsx';
import { FormFailure, faultOf } from '../../../parts/failure.tsx';
import { TextField } from '../../../parts/field.tsx';
import type { Budget } from './budget-sheet.tsx';

/** So much more than a budget's amount, until the end of a day. */
export function GiveMore({ budget, onClose }: { budget: Budget; onClose: () => void }) {
  const [amount, setAmount] = useState('');
  const [day, setDay] = useState(() => new Date(Date.now() + 86_400_000).toISOString().slice(0, 10));
  const update = useChange('updateBudget', ['listBudgets']);
  const save = (event: FormEvent) => {
    event.preventDefault();
    const more = { amount_usd: amount, ends_at: Date.parse(`${day}T23:59:59Z`) / 1000 };
    const body = { overrides: [...budget.overrides, more], if_version: budget.version };
    update.mutate({ path: { budget_id: budget.id }, body }, { onSuccess: onClose });
  };
  const foot = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button type="submit" form="more" kind="primary" isBusy={update.isPending}>
        Give more
      </Button>
    </>
  );
  return (
    <Dialog title={`Give ${budget.name} more for a while`} onClose={onClose} foot={foot}>
      <form id="more" onSubmit={save} className="grid gap-3">
        <TextField
          label="Dollars more"
          inputMode="decimal"
          required
          value={amount}
          error={faultOf(update.error, 'overrides')}
          onChange={({ target }) => setAmount(target.value.trim())}
        />
        <TextField
          label="Until the end of"
          type="date"
          required
          hint="Of this day (UTC)."
          value={day}
          onChange={({ target }) => setDay(target.value)}
        />
        <FormFailure error={update.error} fields={['overrides']} />
      </form>
    </Dialog>
  );
}
