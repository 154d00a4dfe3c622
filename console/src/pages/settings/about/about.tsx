import { useQuery } from '@tanstack/react-query';
import { useSession } from '../../../api/session.ts';
import { useRead } from '../../../api/use.ts';
import { Section, ToldFacts } from '../../../parts/facts.tsx';
import { ago, exact, size } from '../../../parts/format.ts';
import { PageHead } from '../../../parts/states.tsx';
import { SettingsPage } from '../settings.tsx';

type Hello = { name: string; version: string };

/** What runs here. */
export function About() {
  const { may } = useSession();
  const hello = useQuery<Hello, Error>({
    queryKey: ['hello'],
    // It is no operation of /v1: who is here is told to whoever asks.
    queryFn: async ({ signal }) => (await fetch('/api/hello', { signal })).json() as Promise<Hello>,
  });
  const status = useRead('getStatus', {}, { enabled: may('api.settings.read') });
  const about = useRead('retrieveAbout', {}, { enabled: may('api.settings.read') });
  return (
    <SettingsPage>
      <PageHead title="About" />
      <div className="max-w-3xl">
        <Section title="This gateway">
          <ToldFacts
            rows={4}
            error={hello.error}
            facts={
              hello.data && [
                ['Version', `${hello.data.name} ${hello.data.version}`],
                [
                  'Address',
                  <code key="address" className="font-mono">
                    {window.location.origin}/v1
                  </code>,
                ],
                [
                  'Licence',
                  <span key="licence">
                    MIT; of what this console is made of:{' '}
                    <a href="/licenses.txt" className="underline underline-offset-2">
                      /licenses.txt
                    </a>
                  </span>,
                ],
                [
                  'HTTP API',
                  <a key="api" href="/openapi.json" className="underline underline-offset-2">
                    /openapi.json
                  </a>,
                ],
              ]
            }
          />
        </Section>
        {may('api.settings.read') && (
          <Section title="Storage">
            <ToldFacts
              rows={4}
              error={about.error}
              facts={
                about.data && [
                  ['Kind', about.data.storage.kind],
                  ['On disk', size(about.data.storage.bytes)],
                  ['Version of its tables', exact(about.data.storage.schema_version)],
                  ['Backup', 'The whole data folder, while nothing runs; or while it does, as docs/operations.md says'],
                  ['Node.js', about.data.node],
                ]
              }
            />
          </Section>
        )}
        {may('api.settings.read') && (
          <Section title="This process">
            <ToldFacts
              rows={4}
              error={status.error}
              facts={
                status.data && [
                  ['Started', ago(Date.now() / 1000 - status.data.process.uptime_seconds)],
                  ['Processes that serve', exact(status.data.process.workers)],
                  ['Calls under way', exact(status.data.process.open_calls)],
                  ['Providers', exact(status.data.providers.length)],
                ]
              }
            />
          </Section>
        )}
      </div>
    </SettingsPage>
  );
}
