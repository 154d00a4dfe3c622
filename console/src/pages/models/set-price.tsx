import { type FormEvent, useState } from 'react';
import { useChange } from '../../api/use.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { FormFailure, faultOf } from '../../parts/failure.tsx';
import { TextField } from '../../parts/field.tsx';
import { money } from '../../parts/format.ts';
import type { Model } from './choose.ts';

/** The rates that are typed, by their names in the configuration file. */
const RATES = {
  input_per_1m: 'Input',
  output_per_1m: 'Output',
  cache_read_per_1m: 'Read from a cache',
  cache_write_per_1m: 'Written to a cache',
  cache_write_1h_per_1m: 'Written to a cache for an hour',
} as const;
type Rate = keyof typeof RATES;
const NAMES = Object.keys(RATES) as Rate[];
const FIELDS = ['effective_at', 'note', ...NAMES.map((name) => `price.${name}`)];

/**
 * Sets what a model costs, from now or from a day on. A price replaces the one before as a whole, so what is kept of a cache by
 * the price of now is shown, and typed again or not: one that names no rate of a cache bills cached tokens as input.
 */
export function SetPrice({ model, onClose }: { model: Model; onClose: () => void }) {
  const { pricing } = model;
  const [rates, setRates] = useState<Partial<Record<Rate, string>>>({
    input_per_1m: pricing.input_per_1m?.toString() ?? '',
    output_per_1m: pricing.output_per_1m?.toString() ?? '',
  });
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
  const left = leftOut(pricing).join(' and ');
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
          {left !== '' && ` The price of now also has ${left}; this one will not: headgate prices set takes such.`}
        </p>
        <div className="grid items-start gap-3 sm:grid-cols-2">
          {NAMES.map((name) => (
            <TextField
              key={name}
              label={RATES[name]}
              inputMode="decimal"
              placeholder="None"
              hint={pricing[name] !== null && `${money(pricing[name])} so far.`}
              value={rates[name] ?? ''}
              error={faultOf(create.error, `price.${name}`)}
              onChange={({ target }) => setRates({ ...rates, [name]: target.value.trim() })}
            />
          ))}
        </div>
        <p className="text-small text-faint">
          Where no rate of a cache is typed, cached tokens cost what input costs. Where some are, a call that uses one
          of the others has no cost.
        </p>
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

/** What the price of now has and the form has no field for. */
function leftOut({ tiers, services, per_call: perCall, regions, ...rates }: Model['pricing']): string[] {
  const lives = Object.keys(rates.cache_writes_per_1m ?? {}).filter((life) => !['1h', '5m', '30m'].includes(life));
  const has = {
    'rates of long prompts': tiers.length > 0,
    'tiers of service': Object.keys(services ?? {}).length > 0,
    'prices of tools': Object.keys(perCall ?? {}).length > 0,
    'prices by region': Object.keys(regions ?? {}).length > 0,
    'other times of a cache': lives.length > 0,
    'rates of audio': rates.audio_input_per_1m !== null || rates.audio_output_per_1m !== null,
    'a rate of reasoning': rates.reasoning_per_1m !== null,
  };
  return Object.entries(has).flatMap(([words, isThere]) => (isThere ? [words] : []));
}
