import { useSession } from '../../api/session.ts';
import { useRead } from '../../api/use.ts';
import { ButtonLink, TextLink } from '../../parts/button.tsx';
import { Id } from '../../parts/copy.tsx';
import { Sheet } from '../../parts/dialog.tsx';
import { type Fact, Facts, Section } from '../../parts/facts.tsx';
import { Failure } from '../../parts/failure.tsx';
import { exact } from '../../parts/format.ts';
import { Notice, SkeletonRows } from '../../parts/states.tsx';
import { abilitiesOf, EVERY_MS, endOf, type Model, ORIGINS } from './choose.ts';
import { Measured } from './measured.tsx';
import { OtherNames } from './other-names.tsx';
import { PriceHistory } from './price-history.tsx';
import { Prices } from './prices.tsx';
import { WhoMay } from './who-may.tsx';

/** One model whole. `id`: what would be sent as `model`, an alias too. */
export function ModelSheet({ id, onClose }: { id: string; onClose: () => void }) {
  const read = useRead('retrieveCatalogEntry', { path: { id } }, { every: EVERY_MS });
  const model = read.isPlaceholderData ? undefined : read.data;
  return (
    <Sheet
      title={id}
      onClose={onClose}
      foot={
        model && (
          <>
            <ButtonLink to="/connect" search={{ model: model.id }}>
              Connect to it
            </ButtonLink>
            <ButtonLink to="/playground" search={{ model: model.id }} kind="primary" icon="playground">
              Try it in the playground
            </ButtonLink>
          </>
        )
      }
    >
      {read.error && <Failure error={read.error} />}
      {model === undefined ? !read.error && <SkeletonRows rows={10} /> : <Detail model={model} />}
    </Sheet>
  );
}

function Detail({ model }: { model: Model }) {
  const { may } = useSession();
  const end = endOf(model);
  return (
    <>
      <Section title={model.name === model.id ? 'About it' : model.name}>
        <div className="grid gap-3">
          {end !== null && <Notice tone="warn">Its vendor ends it: {end}.</Notice>}
          {model.description && <p className="text-table">{model.description}</p>}
          <Facts facts={factsOf(model)} />
        </div>
      </Section>
      <Section title="Where calls go">
        <Routing of={model} />
      </Section>
      <Section title="Price of a million tokens">
        <Prices model={model} />
      </Section>
      {may('api.prices.read') && model.origin === 'vendor' && <PriceHistory key={`prices ${model.id}`} model={model} />}
      {may('api.aliases.read') && <OtherNames key={`names ${model.id}`} model={model} />}
      {may('api.limits.read') && (
        <Section title="Who may use it">
          <WhoMay key={model.id} id={model.id} />
        </Section>
      )}
      {may('api.usage.read') && (
        <Section title="Measured here, in the last 30 days">
          <Measured model={model} />
        </Section>
      )}
    </>
  );
}

function factsOf(model: Model): readonly (Fact | null)[] {
  const { id, brand, provider_label, region, origin, aliases, context_window, max_output_tokens, dimensions } = model;
  const { modalities, dialects, released_at, inferred_from, listed_by } = model;
  return [
    ['Send as', <Id key="id" id={id} />],
    aliases.length === 0 ? null : ['Also called', aliases.join(', ')],
    brand === null ? null : ['Vendor', brand],
    ['Provider', provider_label],
    region === null ? null : ['Region', region],
    ['Origin', ORIGINS[origin]],
    context_window === null ? null : ['Context', `${exact(context_window)} tokens`],
    max_output_tokens === null ? null : ['Longest answer', `${exact(max_output_tokens)} tokens`],
    dimensions === null ? null : ['Dimensions', exact(dimensions)],
    modalities === null ? null : ['Takes', modalities.input.join(', ')],
    modalities === null ? null : ['Gives', modalities.output.join(', ')],
    model.capabilities === null ? null : ['Abilities', abilitiesOf(model).join(', ') || 'none of those that are known'],
    ['Spoken to as', dialects.join(', ')],
    released_at === null ? null : ['Released', released_at],
    inferred_from === null ? null : ['Facts of', `${inferred_from}, of which this is a dated name`],
    listed_by === null ? null : ['Known from', 'its vendor’s own list alone'],
  ];
}

function Routing({ of: { routing, provider_label } }: { of: Model }) {
  const { strategy, targets, fallbacks = [] } = routing;
  if (strategy === 'direct') {
    const [target] = targets;
    return (
      <p className="text-table">
        To {provider_label}, as <span className="font-mono">{target?.model}</span>.
      </p>
    );
  }
  return (
    <div className="grid gap-2 text-table">
      <p>Chosen by {strategy}.</p>
      <Targets of={targets} />
      {fallbacks.length > 0 && (
        <>
          <p>Where none of them can:</p>
          <Targets of={fallbacks} />
        </>
      )}
    </div>
  );
}

function Targets({ of }: { of: Model['routing']['targets'] }) {
  return (
    <ul className="grid gap-1">
      {of.map(({ id, provider, model, weight }) => (
        <li key={`${provider} ${model} ${id}`} className="flex flex-wrap gap-x-2">
          {id === undefined ? (
            <span>{model}</span>
          ) : (
            <TextLink to="/models" search={{ open: id }}>
              {id}
            </TextLink>
          )}
          {provider !== null && <span className="text-weak">{provider}</span>}
          {weight !== undefined && <span className="text-weak">weight {weight}</span>}
        </li>
      ))}
    </ul>
  );
}
