import { type ReactNode, useState } from 'react';
import { useRead, useWhole } from '../../api/use.ts';
import { Copyable } from '../../parts/copy.tsx';
import { Failure } from '../../parts/failure.tsx';
import { TextField } from '../../parts/field.tsx';
import { firstModel } from '../../parts/first-model.ts';
import { PageHead, SkeletonRows } from '../../parts/states.tsx';
import { useAddress } from '../../shell/address.ts';
import { ChooseKey, type ChosenKey, NO_KEY, PLACEHOLDER } from './choose-key.tsx';
import { SendCall } from './send-call.tsx';
import { CLIENTS } from './snippets.ts';

const COLUMNS = 'grid max-w-[1200px] grid-cols-[minmax(0,1fr)] gap-8 lg:grid-cols-[320px_minmax(0,1fr)]';

/** From nothing to a first call: a key, a model, and what to paste. */
export function Connect() {
  const [address, change] = useAddress();
  const catalog = useRead('listCatalog');
  const [key, setKey] = useState<ChosenKey>(NO_KEY);
  const models = catalog.data?.data ?? [];
  const [isCleared, setCleared] = useState(false);
  const model = isCleared ? '' : (address.model ?? firstModel(models) ?? '');
  const projects = useWhole('listProjects');
  const isRead = (catalog.data ?? catalog.error) && (projects.items ?? projects.error);
  const connection = { address: window.location.origin, key: key.secret ?? PLACEHOLDER, model };
  const head = (
    <PageHead title="Connect">
      A key, a model, and what to paste into your program, with the address {window.location.origin}.
    </PageHead>
  );
  if (!isRead) {
    return (
      <>
        {head}
        <div className={COLUMNS}>
          <SkeletonRows rows={10} />
          <SkeletonRows rows={10} />
        </div>
      </>
    );
  }
  return (
    <>
      {head}
      <div className={COLUMNS}>
        <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-6">
          <Step number={1} title="API key">
            <ChooseKey chosen={key} onChoose={setKey} />
          </Step>
          <Step number={2} title="Model">
            {catalog.error && <Failure error={catalog.error} />}
            <TextField
              label="Model or route"
              list="models-of-connect"
              value={model}
              onChange={({ target: { value } }) => {
                setCleared(value === '');
                change({ model: value });
              }}
              hint={catalog.data && hintOf(models, model)}
            />
            <datalist id="models-of-connect">
              {models.map(({ id, name }) => (
                <option key={id} value={id} label={name} />
              ))}
            </datalist>
          </Step>
        </div>
        <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-6">
          <Step number={3} title="Your program">
            <Snippets connection={connection} isKeyKnown={key.secret !== null} />
          </Step>
          <Step number={4} title="Try it">
            <SendCall model={model} secret={key.secret} />
          </Step>
        </div>
      </div>
    </>
  );
}

function Step({ number, title, children }: { number: number; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={`step-${number}`} className="grid grid-cols-[minmax(0,1fr)] content-start gap-3">
      <h2 id={`step-${number}`} className="flex items-center gap-2 text-body font-semibold">
        <span className="inline-flex size-5 items-center justify-center rounded-full bg-sunken text-small text-weak">
          {number}
        </span>
        {title}
      </h2>
      {children}
    </section>
  );
}

function hintOf(models: readonly { id: string; aliases: string[] }[], model: string): string {
  if (models.length === 0) return 'There are no models yet: add a provider.';
  const isKnown = models.some(({ id, aliases }) => id === model || aliases.includes(model));
  return isKnown ? `Type to search ${models.length} models.` : 'No model of the catalog has this name.';
}

type SnippetsProps = { connection: Parameters<(typeof CLIENTS)[number]['snippets']>[0]; isKeyKnown: boolean };

function Snippets({ connection, isKeyKnown }: SnippetsProps) {
  const [address, change] = useAddress();
  const client = CLIENTS.find(({ id }) => id === address.client) ?? CLIENTS[0]!;
  return (
    <>
      <fieldset aria-label="Client" className="flex min-w-0 flex-wrap gap-1">
        {CLIENTS.map(({ id, label }) => (
          <button
            key={id}
            type="button"
            aria-pressed={id === client.id}
            onClick={() => change({ client: id })}
            className={`h-8 rounded-md px-2.5 text-table ${id === client.id ? 'bg-accent-soft font-medium' : 'text-weak hover:bg-sunken hover:text-text'}`}
          >
            {label}
          </button>
        ))}
      </fieldset>
      {client.advice && <p className="text-table text-weak">{client.advice}</p>}
      {client.snippets(connection).map(({ about, text }) => (
        <Copyable key={about} label={about} text={text} />
      ))}
      {!isKeyKnown && (
        <p className="text-table text-weak">
          Put the secret of your key where {PLACEHOLDER} stands: it is shown only when a key is made.
        </p>
      )}
    </>
  );
}
