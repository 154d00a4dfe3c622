import { useState } from 'react';
import type { Answer } from '../../api/call.ts';
import { useSession } from '../../api/session.ts';
import { useChange, useList, useRead } from '../../api/use.ts';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { Dialog, Sheet } from '../../parts/dialog.tsx';
import { Facts, Section } from '../../parts/facts.tsx';
import { Failure } from '../../parts/failure.tsx';
import { counted, exact, percent } from '../../parts/format.ts';
import { Menu } from '../../parts/menu.tsx';
import { setInText } from '../../parts/set-in.ts';
import { Badge, Notice } from '../../parts/states.tsx';
import { Time } from '../../parts/values.tsx';
import { type ListedRoute, RouteState } from './routes.tsx';

type Version = Answer<'listRouteVersions'>['data'][number];
const RENEWS = ['listOrganizationRoutes', 'retrieveOrganizationRoute', 'listRouteVersions', 'listCatalog'] as const;
/** The parts of the conversations that a canary may have. */
const CANARY_SHARES = [0.01, 0.1, 0.5];
/** Of so many calls it is told how often a first attempt failed. */
const LATEST = 100;

/** All of a route: what it says, its versions, and which of them calls go by. */
export function RouteSheet({ route, onClose }: { route: ListedRoute; onClose: () => void }) {
  const { may } = useSession();
  const path = { route_id: route.id };
  const whole = useRead('retrieveOrganizationRoute', { path });
  const [isEnding, setEnding] = useState(false);
  const remove = useChange('deleteRoute', RENEWS);
  const isOurs = route.from === 'store' && may('api.routes.write');
  return (
    <Sheet
      title={route.id}
      onClose={onClose}
      foot={
        <>
          {isOurs && (
            <Button kind="danger" onClick={() => setEnding(true)}>
              Delete route
            </Button>
          )}
          <ButtonLink to="/playground" search={{ model: route.id }}>
            Try it
          </ButtonLink>
          {may('api.routes.write') && (
            <ButtonLink to="/routes/editor" search={{ route: route.id }} kind="primary">
              {route.from === 'store' ? 'Edit' : 'Look into it'}
            </ButtonLink>
          )}
        </>
      }
    >
      {route.problem !== null && <Notice tone="bad">{route.problem}</Notice>}
      {route.hides_stored && (
        <Notice tone="warn">A route of this name is kept here too; the file’s goes before it.</Notice>
      )}
      <Facts
        facts={[
          ['State', <RouteState key="state" route={route} />],
          ['Strategy', route.strategy.join(', ') || '—'],
          ['Targets', route.targets.join(', ') || '—'],
          route.fallbacks.length === 0 ? null : ['Fallbacks', route.fallbacks.join(', ')],
          may('api.usage.read') ? ['Tried more than once', <Retried key="retried" id={route.id} />] : null,
          setInText(route.set_in) === null ? null : ['Set', setInText(route.set_in)],
        ]}
      />
      <Section title="Definition">
        {whole.error && <Failure error={whole.error} />}
        <pre className="overflow-x-auto rounded-md bg-sunken p-3 font-mono text-small">{whole.data?.yaml ?? ''}</pre>
      </Section>
      {route.from === 'store' && <Versions route={route} mayChange={isOurs} />}
      {isEnding && (
        <Dialog
          title={`Delete ${route.id}?`}
          onClose={() => setEnding(false)}
          foot={
            <>
              <Button onClick={() => setEnding(false)}>Keep it</Button>
              <Button
                kind="danger"
                isBusy={remove.isPending}
                onClick={() => remove.mutate({ path }, { onSuccess: onClose })}
              >
                Delete route
              </Button>
            </>
          }
        >
          <p>Calls of {route.id} are refused within a second, and all its versions are forgotten.</p>
          {remove.error && <Failure error={remove.error} />}
        </Dialog>
      )}
    </Sheet>
  );
}

/** How many calls of late another target answered, or the same one after it had failed. */
function Retried({ id }: { id: string }) {
  const { data, error } = useRead('listUsage', { query: { model: id, limit: LATEST } });
  if (error) return <Failure error={error} />;
  if (data === undefined) return <span className="text-faint">…</span>;
  if (data.data.length === 0) return <span className="text-faint">Nothing was called yet</span>;
  const retried = data.data.filter(({ attempts }) => attempts > 1).length;
  return `${exact(retried)} of its last ${counted(data.data.length, 'call')} (${percent(retried / data.data.length)})`;
}

/** What it said before, and what can be done with that. */
function Versions({ route, mayChange }: { route: ListedRoute; mayChange: boolean }) {
  const path = { route_id: route.id };
  const { items, error, hasMore, readOn } = useList('listRouteVersions', { path, query: { limit: 20 } });
  const [compared, setCompared] = useState<Version | null>(null);
  const update = useChange('updateRoute', RENEWS);
  const back = useChange('rollBackRoute', RENEWS);
  const failed = error ?? update.error ?? back.error;
  const of = ({ id }: Version) =>
    id === route.version_in_force ? 'force' : id === route.canary?.version_id ? 'canary' : null;
  return (
    <Section
      title="Versions"
      actions={
        mayChange &&
        route.version_before !== null && (
          <Button isBusy={back.isPending} onClick={() => back.mutate({ path, body: {} })}>
            Roll back
          </Button>
        )
      }
    >
      {failed && <Failure error={failed} />}
      <ul>
        {items?.map((version) => (
          <li key={version.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-2">
            <span className="font-medium">Version {version.number}</span>
            <span className="text-small text-faint">
              <Time at={version.created_at} /> by{' '}
              {version.created_by?.email ?? version.created_by?.type ?? 'nobody known'}
            </span>
            <span className="min-w-0 flex-1 truncate text-small text-weak">{version.note}</span>
            {of(version) === 'force' && <Badge tone="good">In force</Badge>}
            {of(version) === 'canary' && <Badge tone="warn">Canary {percent(route.canary!.share)}</Badge>}
            <Menu
              label={`What to do with version ${version.number}`}
              items={[
                { label: 'Compare with what is in force', onSelect: () => setCompared(version) },
                ...(mayChange && of(version) !== 'force'
                  ? [
                      {
                        label: 'Put in force',
                        onSelect: () => update.mutate({ path, body: { version_in_force: version.id, canary: null } }),
                      },
                      ...CANARY_SHARES.map((share) => ({
                        label: `Give it ${percent(share)} of the conversations`,
                        onSelect: () => update.mutate({ path, body: { canary: { version_id: version.id, share } } }),
                      })),
                      ...(of(version) === 'canary'
                        ? [{ label: 'End the canary', onSelect: () => update.mutate({ path, body: { canary: null } }) }]
                        : []),
                    ]
                  : []),
              ]}
            />
          </li>
        ))}
      </ul>
      {hasMore && <Button onClick={readOn}>Show more</Button>}
      {compared && <Difference routeId={route.id} version={compared} onClose={() => setCompared(null)} />}
    </Section>
  );
}

function Difference({ routeId, version, onClose }: { routeId: string; version: Version; onClose: () => void }) {
  const { data, error } = useRead('diffRouteVersion', { path: { route_id: routeId, version_id: version.id } });
  return (
    <Dialog title={`Version ${version.number}, against what is in force`} onClose={onClose}>
      {error && <Failure error={error} />}
      {data?.changes.length === 0 && <p className="text-weak">They say the same.</p>}
      <dl className="grid gap-3">
        {data?.changes.map(({ path, before, after }) => (
          <div key={path}>
            <dt className="font-mono text-small font-medium">{path}</dt>
            <dd className="grid gap-1 font-mono text-small">
              {before !== undefined && (
                <del className="bg-bad-soft px-1 text-bad no-underline">− {JSON.stringify(before)}</del>
              )}
              {after !== undefined && (
                <ins className="bg-good-soft px-1 text-good no-underline">+ {JSON.stringify(after)}</ins>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
