import { useNavigate } from '@tanstack/react-router';
import { useDeferredValue, useState } from 'react';
import { ApiError } from '../../../api/call.ts';
import { useSession } from '../../../api/session.ts';
import { useChange, useRead } from '../../../api/use.ts';
import { Button, ButtonLink } from '../../../parts/button.tsx';
import { Copyable } from '../../../parts/copy.tsx';
import { useSeen } from '../../../parts/edit.ts';
import { FormFailure } from '../../../parts/failure.tsx';
import { TextArea, TextField } from '../../../parts/field.tsx';
import { setInText } from '../../../parts/set-in.ts';
import { Notice, PageHead, SkeletonRows } from '../../../parts/states.tsx';
import { useAddress } from '../../../shell/address.ts';
import type { Definition } from './definition.ts';
import { DryRun } from './dry-run.tsx';
import { Problems } from './problems.tsx';
import { Replay } from './replay.tsx';
import { RouteForm } from './route-form.tsx';

const NEW = `strategy: [priority]
targets:
  - echo
`;
const NEW_DEFINITION: Definition = { strategy: ['priority'], targets: ['echo'] };
const RENEWS = ['listOrganizationRoutes', 'retrieveOrganizationRoute', 'listRouteVersions', 'listCatalog'] as const;

/** Changes a route, or makes one: what is typed is checked at once, tried on a call, and held against past calls. */
export function RouteEditor() {
  const [{ route }] = useAddress();
  if (route === undefined) return <Editor key="new" id={null} yaml={NEW} definition={NEW_DEFINITION} isOurs />;
  return <KnownRoute key={route} id={route} />;
}

/** What was read first is what is changed: read anew, it would take away what was typed, and the editor that waits for its save. */
function KnownRoute({ id }: { id: string }) {
  const { data, error, isFetching } = useRead('retrieveOrganizationRoute', { path: { route_id: id } });
  const [first, setFirst] = useState<typeof data>();
  if (first === undefined && data !== undefined && !isFetching) setFirst(data);
  if (first === undefined) return error ? <FormFailure error={error} fields={[]} /> : <SkeletonRows />;
  const { yaml, definition, from, set_in: place } = first;
  const now = data ?? first;
  return (
    <>
      {from === 'file' && (
        <Notice tone="warn">
          {setInText(place) ?? 'Set in the configuration file'}: what is changed here can be tried, and is kept there
          alone.
        </Notice>
      )}
      <Editor id={id} yaml={yaml ?? ''} definition={definition} isOurs={from === 'store'} now={now} />
    </>
  );
}

/** The text is seen whole, where it is not very long. */
function rowsOf(yaml: string): number {
  return Math.min(30, Math.max(6, yaml.split('\n').length + 1));
}

type Props = {
  id: string | null;
  yaml: string;
  /** What the text says; `null` where it cannot be read. */
  definition: Definition | null;
  isOurs: boolean;
  /** What is kept by now: somebody else may have changed it. */
  now?: { version: number | null; yaml: string | null };
};

function Editor({ id: known, yaml: before, definition: said, isOurs, now }: Props) {
  const { may } = useSession();
  const navigate = useNavigate();
  const [id, setId] = useState(known ?? '');
  const [yaml, setYaml] = useState(before);
  const [note, setNote] = useState('');
  const draft = useDeferredValue(yaml);
  const routeId = id.trim() === '' ? 'draft' : id.trim();
  const check = useRead('checkRoute', { body: { id: routeId, yaml: draft } });
  // The form shows what was read last: a text that is wrong for a moment leaves it as it is. An answer for a text that was changed
  // meanwhile is no longer taken: it would take away what was changed in the form since.
  const [shown, setShown] = useState({ yaml: before, definition: said });
  const { definition } = shown;
  const read = check.isPlaceholderData || draft !== yaml ? undefined : check.data?.definition;
  if (read && (shown.yaml !== yaml || definition !== read)) setShown({ yaml, definition: read });
  const create = useChange('createRoute', RENEWS);
  const save = useChange('createRouteVersion', RENEWS);
  const error = create.error ?? save.error;
  const version = useSeen(now?.version ?? null, error);
  const isOvertaken = error instanceof ApiError && error.status === 409 && known !== null;
  const done = { onSuccess: () => void navigate({ to: '/routes', search: { open: routeId } as never }) };
  const words = note.trim() === '' ? {} : { note: note.trim() };

  function keep(inForce: boolean) {
    if (known === null) return create.mutate({ body: { id: routeId, yaml, ...words } }, done);
    const seen = version === null ? {} : { if_version: version };
    save.mutate({ path: { route_id: known }, body: { yaml, in_force: inForce, ...words, ...seen } }, done);
  }
  const isBusy = create.isPending || save.isPending;
  const isWrong = check.data?.valid === false || id.trim() === '';
  return (
    <>
      <PageHead title={known ?? 'New route'} actions={<ButtonLink to="/routes">Back to the routes</ButtonLink>}>
        The same words as in the configuration file.
      </PageHead>
      <div className="grid gap-8 xl:grid-cols-2">
        <section aria-label="Definition" className="grid content-start gap-4">
          {known === null && (
            <TextField
              label="Name"
              required
              placeholder="acme/fast"
              hint="What programs send as the model."
              value={id}
              onChange={(event) => setId(event.target.value)}
            />
          )}
          {definition && (
            <RouteForm
              yaml={yaml}
              definition={definition}
              onChange={(text, next) => {
                setYaml(text);
                setShown({ yaml: text, definition: next });
              }}
            />
          )}
          <TextArea
            label="Definition, as YAML"
            isMono
            rows={rowsOf(yaml)}
            spellCheck={false}
            value={yaml}
            onChange={(event) => setYaml(event.target.value)}
          />
          <Problems check={check.data} error={check.error} />
          {isOurs && may('api.routes.write') && (
            <>
              <TextField
                label="Why"
                hint="For whoever looks at the versions."
                value={note}
                onChange={(event) => setNote(event.target.value)}
              />
              <FormFailure error={error} fields={[]} />
              {isOvertaken && <Copyable label="What is in force now, and would be replaced" text={now?.yaml ?? ''} />}
              <div className="flex flex-wrap gap-2">
                <Button kind="primary" disabled={isWrong} isBusy={isBusy} onClick={() => keep(true)}>
                  {known === null ? 'Create route' : 'Put in force'}
                </Button>
                {known !== null && (
                  <Button disabled={isWrong} isBusy={isBusy} onClick={() => keep(false)}>
                    Keep for later
                  </Button>
                )}
              </div>
            </>
          )}
        </section>
        <section aria-label="Trial" className="grid content-start gap-8">
          <DryRun routeId={routeId} yaml={yaml} />
          {known !== null && <Replay routeId={known} yaml={yaml} />}
        </section>
      </div>
    </>
  );
}
