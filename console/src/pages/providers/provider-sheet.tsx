import { useState } from 'react';
import { useSession } from '../../api/session.ts';
import { useChange } from '../../api/use.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog, Sheet } from '../../parts/dialog.tsx';
import { Facts, Section } from '../../parts/facts.tsx';
import { Failure } from '../../parts/failure.tsx';
import { exact, percent } from '../../parts/format.ts';
import { Badge, Notice } from '../../parts/states.tsx';
import { Time } from '../../parts/values.tsx';
import { CredentialForm } from './credential-form.tsx';
import { ModelNames } from './model-names.tsx';
import { originWords, type Provider, ProviderState } from './state.tsx';
import { TestResult } from './test-result.tsx';

type Credential = Provider['credentials'][number];

/** All of a provider: how it does, its credentials, and the way to end it. */
export function ProviderSheet({ provider, onClose }: { provider: Provider; onClose: () => void }) {
  const { may } = useSession();
  const [editing, setEditing] = useState<Credential | 'new' | null>(null);
  const [isEnding, setEnding] = useState(false);
  const test = useChange('testProvider');
  const remove = useChange('deleteProvider', ['listProviders', 'listCatalog', 'getStatus']);
  const isOurs = provider.origin === 'settings' && may('api.providers.write');
  const { last_error: lastError } = provider;
  return (
    <Sheet
      title={provider.label}
      onClose={onClose}
      foot={
        isOurs && (
          <>
            <Button kind="danger" onClick={() => setEnding(true)}>
              Remove provider
            </Button>
            <Button isBusy={test.isPending} onClick={() => test.mutate({ body: { provider_id: provider.id } })}>
              Test it
            </Button>
          </>
        )
      }
    >
      {provider.off !== null && <Notice tone="warn">{provider.off}</Notice>}
      {test.data && <TestResult result={test.data} />}
      {test.error && <Failure error={test.error} />}
      <Facts
        facts={[
          ['State', <ProviderState key="state" provider={provider} />],
          ['Address', provider.base_url || '—'],
          ['Models', exact(provider.models)],
          ['Failed calls', failedOf(provider)],
          originWords(provider) === null ? null : ['Set', originWords(provider)],
          lastError && [
            'Last error',
            <span key="error">
              {lastError.message} (<Time at={lastError.at} />)
            </span>,
          ],
        ]}
      />
      <Section
        title="Credentials"
        actions={
          isOurs && (
            <Button icon="plus" onClick={() => setEditing('new')}>
              Add credential
            </Button>
          )
        }
      >
        {provider.credentials.length === 0 && <p className="text-weak">It is called without a key.</p>}
        <ul>
          {provider.credentials.map((credential) => (
            <li key={credential.name} className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-2">
              <span className="min-w-0 flex-1 truncate font-medium">{credential.name}</span>
              {credential.hint !== '' && <span className="font-mono text-small text-faint">…{credential.hint}</span>}
              <span className="text-small text-weak">weight {credential.weight}</span>
              <CredentialState credential={credential} />
              {isOurs && credential.id !== null && (
                <Button kind="quiet" onClick={() => setEditing(credential)}>
                  Change
                </Button>
              )}
            </li>
          ))}
        </ul>
      </Section>
      <ModelNames provider={provider} isOurs={isOurs} />
      {editing && (
        <CredentialForm
          provider={provider}
          credential={editing === 'new' ? null : editing}
          onClose={() => setEditing(null)}
        />
      )}
      {isEnding && (
        <Dialog
          title={`Remove ${provider.label}?`}
          onClose={() => setEnding(false)}
          foot={
            <>
              <Button onClick={() => setEnding(false)}>Keep it</Button>
              <Button
                kind="danger"
                isBusy={remove.isPending}
                onClick={() => remove.mutate({ path: { provider_id: provider.id } }, { onSuccess: onClose })}
              >
                Remove provider
              </Button>
            </>
          }
        >
          <p>
            Its {exact(provider.models)} models can no longer be called within a second, and its credentials are
            forgotten. Routes go on with their other targets.
          </p>
          {remove.error && <Failure error={remove.error} />}
        </Dialog>
      )}
    </Sheet>
  );
}

function failedOf({ error_rate: rate, recent_calls: calls }: Provider): string {
  return calls === 0 ? 'Nothing was called lately' : `${percent(rate)} of the last ${exact(calls)}`;
}

function CredentialState({ credential: { state, out_until: until } }: { credential: Credential }) {
  if (state === 'in_use') return <Badge tone="good">In use</Badge>;
  if (state === 'off') return <Badge>Only where a route names it</Badge>;
  return (
    <Badge tone="bad">
      Refused
      {until !== null && (
        <span className="ml-1">
          · tried again <Time at={until} />
        </span>
      )}
    </Badge>
  );
}
