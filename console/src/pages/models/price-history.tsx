import { useState } from 'react';
import type { Answer } from '../../api/call.ts';
import { useSession } from '../../api/session.ts';
import { useChange, useList } from '../../api/use.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { Section } from '../../parts/facts.tsx';
import { Failure } from '../../parts/failure.tsx';
import { money } from '../../parts/format.ts';
import { Lines } from '../../parts/lines.tsx';
import { Time } from '../../parts/values.tsx';
import { EVERY_MS, type Model } from './choose.ts';
import { NotSetHere } from './not-set-here.tsx';
import { SetPrice } from './set-price.tsx';

type Kept = Answer<'listModelPrices'>['data'][number];

/** All prices that a model has, had and will have, newest first; a price of one's own is set and ended here. */
export function PriceHistory({ model }: { model: Model }) {
  const { may } = useSession();
  const [does, setDoes] = useState<'set' | Kept | null>(null);
  const given = { path: { model_id: model.id }, query: { limit: 100, order: 'desc' as const } };
  const { items, error, hasMore, readOn } = useList('listModelPrices', given, { every: EVERY_MS });
  const isWriter = may('api.prices.write');
  const isOfFile = items?.some(({ origin }) => origin === 'file') === true;
  const close = () => setDoes(null);
  return (
    <Section
      title="Price history"
      actions={
        isWriter &&
        items !== null &&
        !isOfFile && <Button onClick={() => setDoes('set')}>Set a price of your own</Button>
      }
    >
      {error !== null && items === null ? (
        <NotSetHere error={error} />
      ) : (
        <Lines
          none="None is kept: nobody says what it costs."
          lines={
            items?.map((price) => ({
              id: price.id,
              name: wordsOf(price),
              about: <When of={price} />,
              action:
                isWriter && price.price_override_id !== null && !isOver(price)
                  ? { label: 'End', name: `End the price of ${wordsOf(price)}`, onClick: () => setDoes(price) }
                  : undefined,
            })) ?? null
          }
        />
      )}
      {error !== null && items !== null && <Failure error={error} />}
      {hasMore && <Button onClick={readOn}>Show earlier prices</Button>}
      {does === 'set' && <SetPrice model={model} onClose={close} />}
      {does !== null && does !== 'set' && <EndPrice price={does} onClose={close} />}
    </Section>
  );
}

function When({ of: price }: { of: Kept }) {
  const { effective_at: from, ended_at: until, in_force: isInForce, origin, set_by: by, pricing } = price;
  const whose = {
    settings: `set by ${by?.email ?? by?.id ?? 'the operator'}`,
    file: 'set in the configuration file',
    catalog: pricing.source ?? 'of the catalog',
    billed: `billed before, by ${pricing.source ?? 'an unknown source'}`,
  }[origin];
  return (
    <>
      {isInForce && 'In force, '}
      {from !== null && (
        <>
          {from * 1000 > Date.now() ? 'begins' : 'since'} <Time at={from} />
          {until === null ? ', ' : ' '}
        </>
      )}
      {until !== null && (
        <>
          until <Time at={until} />,{' '}
        </>
      )}
      {whose}
    </>
  );
}

function isOver({ ended_at: until }: Kept): boolean {
  return until !== null && until * 1000 <= Date.now();
}

function wordsOf({ pricing }: Kept): string {
  return `${money(pricing.input_per_1m)} in, ${money(pricing.output_per_1m)} out`;
}

function EndPrice({ price, onClose }: { price: Kept; onClose: () => void }) {
  const end = useChange('deletePriceOverride', ['listModelPrices', 'retrieveCatalogEntry', 'listCatalog']);
  return (
    <Confirm
      title={`End the price of ${wordsOf(price)}?`}
      action="End price"
      error={end.error}
      isBusy={end.isPending}
      onClose={onClose}
      onConfirm={() =>
        end.mutate({ path: { price_override_id: price.price_override_id ?? '' } }, { onSuccess: onClose })
      }
    >
      <p>Calls of {price.model} are billed by what held without it. What was billed stays as it was.</p>
    </Confirm>
  );
}
