import type { Given } from '../../../api/call.ts';
import { useRead } from '../../../api/use.ts';
import { faultOf } from '../../../parts/failure.tsx';
import { SelectField, TextField } from '../../../parts/field.tsx';
import { ListField } from '../../../parts/list-field.tsx';
import { INTERVALS } from '../keys/project-keys.ts';

/** What can be changed of a product, as it is typed. */
export type ProductForm = { name: string; routes: readonly string[]; amount: string; interval: string };

/** The members of a body that these fields are for. */
export const PRODUCT_FIELDS = ['name', 'routes', 'spend_limit'];

type Body = Required<Pick<Given<'updateProduct'>['body'], 'routes' | 'spend_limit'>>;

/** What is left empty is no limit. */
export function productBody({ routes, amount, interval }: ProductForm): Body {
  return {
    routes: [...routes],
    spend_limit: amount === '' ? null : { amount_usd: amount, interval: interval as 'month' },
  };
}

type Props = { form: ProductForm; error: Error | null; onChange: (changes: Partial<ProductForm>) => void };

export function ProductFields({ form, error, onChange }: Props) {
  const catalog = useRead('listCatalog');
  return (
    <>
      <TextField
        label="Name"
        maxLength={128}
        hint="Left empty, its id."
        value={form.name}
        error={faultOf(error, 'name')}
        onChange={({ target }) => onChange({ name: target.value })}
      />
      <ListField
        label="What it may call"
        hint="Routes, models and aliases."
        values={form.routes}
        suggestions={catalog.data?.data.map(({ id }) => id) ?? []}
        error={faultOf(error, 'routes')}
        onChange={(routes) => onChange({ routes })}
      />
      <div className="grid items-start gap-3 sm:grid-cols-2">
        <TextField
          label="Budget in dollars"
          inputMode="decimal"
          placeholder="No limit"
          value={form.amount}
          error={faultOf(error, 'spend_limit')}
          onChange={({ target }) => onChange({ amount: target.value.trim() })}
        />
        <SelectField
          label="The budget is for"
          choices={INTERVALS}
          value={form.interval}
          onChange={({ target }) => onChange({ interval: target.value })}
        />
      </div>
    </>
  );
}
