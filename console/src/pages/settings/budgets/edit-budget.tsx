import type { FormEvent } from 'react';
import type { Given } from '../../../api/call.ts';
import { useChange, useRead } from '../../../api/use.ts';
import { Button } from '../../../parts/button.tsx';
import { Sheet } from '../../../parts/dialog.tsx';
import { useEdit } from '../../../parts/edit.ts';
import { FormFailure, faultOf } from '../../../parts/failure.tsx';
import { CheckField, SelectField, TextField } from '../../../parts/field.tsx';
import { ListField } from '../../../parts/list-field.tsx';
import { INTERVALS } from '../keys/project-keys.ts';
import type { Budget } from './budget-sheet.tsx';
import { choiceOf, holderOf } from './holders.ts';
import { HoldersField } from './holders-field.tsx';

type Body = Given<'createBudget'>['body'];

const FIELDS = ['name', 'holders', 'amount_usd', 'alerts', 'recipients', 'models', 'instead'];
const USUAL_ALERTS = ['50', '80', '100'];

/** A part of 1 in per cent, with all its digits: `12.5`. */
export function perCentOf(part: number): string {
  return String(plain(part * 100));
}

function partOf(perCent: string): number {
  return plain(Number(perCent.replace('%', '')) / 100);
}

/** Without the digits that arithmetic adds: 99.9 / 100 is 0.9990000000000001. */
function plain(number: number): number {
  return Number(number.toPrecision(15));
}

/** What is typed; `null`: of another budget, that is made. */
function typedOf(budget: Budget | null) {
  return {
    name: budget?.name ?? '',
    holders: budget?.holders.map(choiceOf) ?? [],
    amount: budget?.amount_usd ?? '',
    interval: budget?.interval ?? ('month' as const),
    isHard: budget?.hard ?? true,
    alerts: budget?.alerts.map(perCentOf) ?? USUAL_ALERTS,
    recipients: budget?.recipients ?? [],
    models: budget?.models ?? [],
    instead: budget?.instead ?? '',
  };
}

type Typed = ReturnType<typeof typedOf>;

/** The members of a body, by the fields that they are typed in. */
const WRITTEN: { [Field in keyof Typed]: (typed: Typed[Field]) => Partial<Body> } = {
  name: (name) => ({ name }),
  holders: (holders) => ({ holders: holders.map(holderOf) }),
  amount: (amount_usd) => ({ amount_usd }),
  interval: (interval) => ({ interval }),
  isHard: (hard) => ({ hard }),
  alerts: (alerts) => ({ alerts: alerts.map(partOf) }),
  recipients: (recipients) => ({ recipients }),
  models: (models) => ({ models: models.length === 0 ? null : models }),
  instead: (instead) => ({ instead: instead === '' ? null : instead }),
};

function bodyOf(typed: Partial<Typed>): Partial<Body> {
  const members = Object.entries(typed) as [keyof Typed, never][];
  return Object.assign({}, ...members.map(([field, value]) => WRITTEN[field](value)));
}

export function EditBudget({ budget, onClose }: { budget: Budget | null; onClose: () => void }) {
  const catalog = useRead('listCatalog');
  const models = catalog.data?.data.map(({ id }) => id) ?? [];
  const create = useChange('createBudget', ['listBudgets']);
  const update = useChange('updateBudget', ['listBudgets']);
  const { error, isPending } = budget === null ? create : update;
  const edit = useEdit({ now: typedOf(budget), version: budget?.version ?? 0 }, error);
  const { typed, changes, set } = edit;
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (budget === null) create.mutate({ body: bodyOf(typed) as Body }, { onSuccess: onClose });
    else {
      const path = { budget_id: budget.id };
      update.mutate({ path, body: { ...bodyOf(changes), if_version: edit.seen } }, { onSuccess: onClose });
    }
  };
  const foot = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button type="submit" form="budget" kind="primary" isBusy={isPending} disabled={typed.holders.length === 0}>
        {budget === null ? 'Create budget' : 'Save budget'}
      </Button>
    </>
  );
  return (
    <Sheet title={budget === null ? 'Create a budget' : `Change ${budget.name}`} onClose={onClose} foot={foot}>
      <form id="budget" onSubmit={save} className="grid gap-4">
        <TextField
          label="Name"
          required
          maxLength={200}
          value={typed.name}
          error={faultOf(error, 'name')}
          onChange={({ target }) => set({ name: target.value })}
        />
        <HoldersField
          chosen={typed.holders}
          error={faultOf(error, 'holders')}
          onChange={(holders) => set({ holders })}
        />
        <div className="grid items-start gap-3 sm:grid-cols-2">
          <TextField
            label="Dollars"
            inputMode="decimal"
            required
            value={typed.amount}
            error={faultOf(error, 'amount_usd')}
            onChange={({ target }) => set({ amount: target.value.trim() })}
          />
          <SelectField
            label="For"
            choices={INTERVALS}
            value={typed.interval}
            onChange={({ target }) => set({ interval: target.value as Budget['interval'] })}
          />
        </div>
        <CheckField
          label="Refuse calls once it is used up"
          hint="Else it only counts, and tells people."
          checked={typed.isHard}
          onChange={({ target }) => set({ isHard: target.checked })}
        />
        <ListField
          label="Alerts at per cent of it"
          values={typed.alerts}
          error={faultOf(error, 'alerts')}
          onChange={(alerts) => set({ alerts })}
        />
        <ListField
          label="Alerts go by mail to"
          hint="Where the gateway has a mail server. Your webhooks are told in any case."
          values={typed.recipients}
          error={faultOf(error, 'recipients')}
          onChange={(recipients) => set({ recipients })}
        />
        <ListField
          label="Models"
          hint="Left empty: all."
          values={typed.models}
          suggestions={models}
          error={faultOf(error, 'models')}
          onChange={(each) => set({ models: each })}
        />
        <TextField
          label="Once it is used up, this model or route serves instead"
          hint="Left empty: none does."
          value={typed.instead}
          error={faultOf(error, 'instead')}
          onChange={({ target }) => set({ instead: target.value.trim() })}
        />
        <FormFailure error={error} fields={FIELDS} />
      </form>
    </Sheet>
  );
}
