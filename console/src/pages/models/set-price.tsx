import { type FormEvent, useState } from 'react';
import { useChange } from '../../api/use.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { FormFailure, faultOf } from '../../parts/failure.tsx';
import { TextField } from '../../parts/field.tsx';
import type { Model } from './choose.ts';

/** The rates that are typed, by their names in the configuration file. */
const RATES = [
  ['input_per_1m', 'Input'],
  ['output_per_1m', 'Output'],
  ['cache_read_per_1m', 'Read from a cache'],
  ['cache_write_per_1m', 'Written to a cache'],
] as const;
const FIELDS = ['effective_at', 'note', ...RATES.map(([name]) => `price.${name}`)];

/** Sets what a model costs, from now or from a day on. What is not typed has no price of its own. */
export function SetPrice({ model, onClose }: { model: Model; onClose: () => void }) {
  const [rates, setRates] = useState<Record<string, string>>(() =>
    Object.fromEntries(RATES.map(([name]) => [name, model.pricing[name]?.toString() ?? ''])),
  );
  const [day, setDay] = useState('');
  const [note, setNote] = useState('');
  const create = useChange('createPriceOverride', ['listModelPrices', 'retrieveCatalogEntry', 'listCatalog']);
  const save = (event: FormEvent) => {
    event.preventDefault();
    const typed = Object.entries(rates).filter(([, dollars]) => dollars !== '');
    const body = {
      model: model.id,
      // What is no number is refused by its name.
      price: Object.fromEntries(
        typed.map(([name, dollars]) => [name, Number.isNaN(Number(dollars)) ? dollars : Number(dollars)]),
      ),
      ...(day !== '' && { effective_at: Date.parse(`${day}T00:00:00Z`) / 1000 }),
      ...(note.trim() !== '' && { note: note.trim() }),
    };
    create.mutate({ body }, { onSuccess: onClose });
  };
  const foot = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button type="submit" form="set-price" kind="primary" isBusy={create.isPending}>
        Set price
      </Button>
    </>
  );
  return (
    <Dialog title={`Set the price of ${model.id}`} onClose={onClose} foot={foot}>
      <form id="set-price" onSubmit={save} className="grid gap-3">
        <p className="text-table text-weak">
          Dollars for a million tokens. Calls that begin from then on are billed by it; those before stay as they are.
        </p>
        <div className="grid items-start gap-3 sm:grid-cols-2">
          {RATES.map(([name, label]) => (
            <TextField
              key={name}
              label={label}
              inputMode="decimal"
              placeholder="None"
              value={rates[name]}
              error={faultOf(create.error, `price.${name}`)}
              onChange={({ target }) => setRates({ ...rates, [name]: target.value.trim() })}
            />
          ))}
        </div>
        <TextField
          label="From"
          type="date"
          hint="The beginning of this day (UTC). Left empty, now."
          value={day}
          error={faultOf(create.error, 'effective_at')}
          onChange={({ target }) => setDay(target.value)}
        />
        <TextField
          label="Note"
          maxLength={200}
          hint="Why, for people."
          value={note}
          error={faultOf(create.error, 'note')}
          onChange={({ target }) => setNote(target.value)}
        />
        <FormFailure error={create.error} fields={FIELDS} />
      </form>
    </Dialog>
  );
}
