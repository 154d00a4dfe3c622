import type { ReactNode } from 'react';
import { Button, IconButton, TextLink } from '../../parts/button.tsx';
import { exact } from '../../parts/format.ts';
import { useAddress } from '../../shell/address.ts';
import { abilitiesOf, endOf, type Model, priceSource, priceText } from './choose.ts';

export const MOST_COMPARED = 4;

/** The ids that the address says are compared. */
export function comparedOf(written: string): string[] {
  return written.split(',').filter(Boolean).slice(0, MOST_COMPARED);
}

const LINES: readonly (readonly [name: string, of: (model: Model) => ReactNode])[] = [
  ['Provider', ({ provider_label }) => provider_label],
  ['Region', ({ region }) => region ?? '—'],
  ['Input', (model) => priceText(model, 'input_per_1m')],
  ['Output', (model) => priceText(model, 'output_per_1m')],
  ['Price from', priceSource],
  ['Context', ({ context_window }) => tokensText(context_window)],
  ['Longest answer', ({ max_output_tokens }) => tokensText(max_output_tokens)],
  ['Takes', ({ modalities }) => modalities?.input.join(', ') ?? '—'],
  ['Gives', ({ modalities }) => modalities?.output.join(', ') ?? '—'],
  ['Abilities', (model) => abilitiesOf(model).join(', ') || '—'],
  ['Released', ({ released_at }) => released_at ?? '—'],
  ['Ends', (model) => endOf(model) ?? '—'],
];

/** Up to four models, side by side, once two are chosen. */
export function Comparison({ models }: { models: readonly Model[] }) {
  const [address, change] = useAddress();
  const ids = comparedOf(address.compare ?? '');
  const chosen = ids.flatMap((id) => models.find((model) => model.id === id) ?? []);
  if (chosen.length === 0) return null;
  const without = (id: string) => ids.filter((each) => each !== id).join(',') || undefined;
  return (
    <section aria-labelledby="comparison" className="mb-6 rounded-md border border-line bg-raised p-4">
      <div className="mb-2 flex items-center gap-2">
        <h2 id="comparison" className="flex-1 text-body font-semibold">
          Side by side
        </h2>
        <Button kind="quiet" onClick={() => change({ compare: undefined })}>
          Clear
        </Button>
      </div>
      {chosen.length === 1 ? (
        <p className="text-table text-weak">{chosen[0]!.id}: choose up to three more in the list below.</p>
      ) : (
        <section tabIndex={0} aria-label="Comparison" className="overflow-x-auto">
          <table className="w-full min-w-[40rem] table-fixed border-collapse text-table">
            <thead>
              <tr className="border-b border-line text-left">
                <td className="w-32" />
                {chosen.map(({ id }) => (
                  <th key={id} scope="col" className="px-2 py-1 align-top font-medium [overflow-wrap:anywhere]">
                    <span className="flex items-start gap-1">
                      <TextLink to="/models" search={{ ...address, open: id }}>
                        {id}
                      </TextLink>
                      <span className="-my-1.5">
                        <IconButton
                          icon="close"
                          label={`Take ${id} away`}
                          onClick={() => change({ compare: without(id) })}
                        />
                      </span>
                    </span>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {LINES.map(([name, of]) => (
                <tr key={name} className="border-b border-line last:border-0">
                  <th scope="row" className="py-1.5 pr-2 text-left align-top font-normal text-faint">
                    {name}
                  </th>
                  {chosen.map((model) => (
                    <td key={model.id} className="px-2 py-1.5 align-top tabular-nums [overflow-wrap:anywhere]">
                      {of(model)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </section>
  );
}

function tokensText(tokens: number | null): string {
  return tokens === null ? '—' : `${exact(tokens)} tokens`;
}
