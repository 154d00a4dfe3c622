import { useMemo } from 'react';
import { Button } from '../../parts/button.tsx';
import { type Choice, FilterSelect } from '../../parts/field.tsx';
import { useAddress } from '../../shell/address.ts';
import { ABILITIES, FILTERS, type Model, ORIGINS, SORTS } from './choose.ts';

const CONTEXTS = [
  ['', 'Any context'],
  ['32000', '32K or more'],
  ['128000', '128K or more'],
  ['200000', '200K or more'],
  ['1000000', '1M or more'],
] as const;
const PRICES = [
  ['', 'Any price'],
  ['0', 'Free input'],
  ['0.2', 'Input up to $0.20'],
  ['1', 'Input up to $1'],
  ['5', 'Input up to $5'],
] as const;

/** What of the catalog is shown. What can be chosen is what stands in it; where that is nothing there is no filter. */
export function ModelFilters({ models, isRead }: { models: readonly Model[]; isRead: boolean }) {
  const [address, change] = useAddress();
  const choices = useMemo(() => choicesOf(models), [models]);
  // What most catalogs have stands there at once, so that nothing jumps.
  const isOfUse = (name: FilterName) =>
    isRead ? choices[name].length > 1 || address[name] !== undefined : name !== 'region';
  return (
    <>
      {[...FILTERS, 'sort' as const].filter(isOfUse).map((name) => (
        <FilterSelect
          key={name}
          label={LABELS[name]}
          value={address[name] ?? ''}
          choices={choices[name]}
          onChange={(value) => change({ [name]: value === '' ? undefined : value })}
        />
      ))}
      {FILTERS.some((name) => address[name] !== undefined) && (
        <Button kind="quiet" onClick={() => change(Object.fromEntries(FILTERS.map((name) => [name, undefined])))}>
          Clear filters
        </Button>
      )}
    </>
  );
}

type FilterName = (typeof FILTERS)[number] | 'sort';

const LABELS: Record<FilterName, string> = {
  provider: 'Provider',
  brand: 'Vendor',
  input: 'Input',
  output: 'Output',
  ability: 'Ability',
  context: 'Context',
  price: 'Price of a million tokens',
  region: 'Region',
  origin: 'Origin',
  gone: 'Shut down',
  sort: 'Order',
};

function choicesOf(models: readonly Model[]): Record<FilterName, Choice[]> {
  const providers = new Map(models.map(({ provider, provider_label }) => [provider, provider_label]));
  const values = (of: (model: Model) => readonly string[]) =>
    [...new Set(models.flatMap(of))].sort().map((value): [string, string] => [value, value]);
  return {
    provider: choices([['', 'Any provider'], ...[...providers].sort((one, other) => one[1].localeCompare(other[1]))]),
    brand: choices([['', 'Any vendor'], ...values(({ brand }) => (brand === null ? [] : [brand]))]),
    input: choices([['', 'Any input'], ...values(({ modalities }) => modalities?.input ?? [])]),
    output: choices([['', 'Any output'], ...values(({ modalities }) => modalities?.output ?? [])]),
    ability: choices([['', 'Any ability'], ...Object.entries(ABILITIES)]),
    context: choices(CONTEXTS),
    price: choices(PRICES),
    region: choices([['', 'Any region'], ...values(({ region }) => (region === null ? [] : [region]))]),
    origin: choices([['', 'Any origin'], ...Object.entries(ORIGINS)]),
    gone: choices([
      ['', 'Not shut down'],
      ['too', 'Shut down too'],
    ]),
    sort: choices(Object.entries(SORTS)),
  };
}

function choices(pairs: readonly (readonly [string, string])[]): Choice[] {
  return pairs.map(([value, label]) => ({ value, label }));
}
