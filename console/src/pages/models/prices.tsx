import { exact, money } from '../../parts/format.ts';
import { type Model, priceSource, priceText } from './choose.ts';

type Rates = Pick<Model['pricing'], keyof typeof COMPONENTS>;

const COMPONENTS = {
  input_per_1m: 'Input',
  output_per_1m: 'Output',
  cache_read_per_1m: 'Read from a cache',
  cache_write_per_1m: 'Written to a cache',
  cache_write_1h_per_1m: 'Written to a cache for an hour',
  reasoning_per_1m: 'Reasoning',
  audio_input_per_1m: 'Audio in',
  audio_output_per_1m: 'Audio out',
} as const;

/** What a model costs, under each of its tiers; whose price it is and of which day. */
export function Prices({ model }: { model: Model }) {
  const { pricing } = model;
  const lists: { title: string; rates: Rates }[] = [
    { title: 'Price', rates: pricing },
    ...pricing.tiers.map((tier) => ({ title: `Over ${exact(tier.above_prompt_tokens)}`, rates: tier })),
    ...Object.entries(pricing.services ?? {}).map(([title, rates]) => ({ title, rates })),
  ];
  const components = Object.entries(COMPONENTS).filter(([name]) =>
    lists.some(({ rates }) => rates[name as keyof Rates] !== null),
  );
  return (
    <div className="grid gap-2 text-table">
      {components.length > 0 && (
        <section tabIndex={0} aria-label="Prices" className="overflow-x-auto">
          <table className="w-full border-collapse">
            <thead>
              <tr className="border-b border-line text-small text-faint">
                <td />
                {lists.map(({ title }) => (
                  <th key={title} scope="col" className="px-2 py-1 text-right font-medium whitespace-nowrap last:pr-0">
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {components.map(([name, words]) => (
                <tr key={name} className="border-b border-line">
                  <th scope="row" className="py-1 pr-2 text-left font-normal">
                    {words}
                  </th>
                  {lists.map(({ title, rates }) => (
                    <td key={title} className="px-2 py-1 text-right tabular-nums last:pr-0">
                      {money(rates[name as keyof Rates])}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {pricing.range != null && (
        <p>
          It costs what its target costs: input {priceText(model, 'input_per_1m')}, output{' '}
          {priceText(model, 'output_per_1m')}.
        </p>
      )}
      {Object.entries(pricing.per_call ?? {}).map(([tool, dollars]) => (
        <p key={tool}>
          {money(dollars)} for each call of {tool.replaceAll('_', ' ')}.
        </p>
      ))}
      {pricing.range == null && <p className="text-weak [overflow-wrap:anywhere]">{priceSource(model)}</p>}
    </div>
  );
}
