import { type FormEvent, useState } from 'react';
import type { Answer } from '../../../api/call.ts';
import { useSession } from '../../../api/session.ts';
import { useChange, useRead } from '../../../api/use.ts';
import { Button } from '../../../parts/button.tsx';
import { Dialog } from '../../../parts/dialog.tsx';
import { useEdit } from '../../../parts/edit.ts';
import { Section } from '../../../parts/facts.tsx';
import { Failure, FormFailure, faultOf } from '../../../parts/failure.tsx';
import { SelectField } from '../../../parts/field.tsx';
import { ListField } from '../../../parts/list-field.tsx';
import { SkeletonRows } from '../../../parts/states.tsx';

type Permitted = Answer<'retrieveModelPermissions'>;

/** The models that a project may use. */
export function ProjectModels({ projectId, isOver }: { projectId: string; isOver: boolean }) {
  const { may } = useSession();
  const [isChanging, setChanging] = useState(false);
  const { data, error } = useRead('retrieveModelPermissions', { path: { project_id: projectId } });
  const isWriter = may('api.limits.write') && !isOver && data !== undefined;
  return (
    <Section title="Models" actions={isWriter && <Button onClick={() => setChanging(true)}>Change models</Button>}>
      {error && <Failure error={error} />}
      {data === undefined && !error && <SkeletonRows rows={1} />}
      {data && <p className="text-table [overflow-wrap:anywhere]">{inWords(data)}</p>}
      {isChanging && data && <ChangeModels projectId={projectId} permitted={data} onClose={() => setChanging(false)} />}
    </Section>
  );
}

function inWords({ mode, model_ids: ids }: Permitted): string {
  if (mode === 'deny_list') return ids.length === 0 ? 'All.' : `All but ${ids.join(', ')}.`;
  return ids.length === 0 ? 'None.' : `Only ${ids.join(', ')}.`;
}

function ChangeModels({
  projectId,
  permitted,
  onClose,
}: {
  projectId: string;
  permitted: Permitted;
  onClose: () => void;
}) {
  const catalog = useRead('listCatalog');
  const update = useChange('updateModelPermissions', ['retrieveModelPermissions', 'listProjects']);
  const { mode, model_ids, version } = permitted;
  const { typed, set, seen } = useEdit({ now: { mode, model_ids }, version }, update.error);
  const save = (event: FormEvent) => {
    event.preventDefault();
    const path = { project_id: projectId };
    update.mutate({ path, body: { ...typed, if_version: seen } }, { onSuccess: onClose });
  };
  const foot = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button type="submit" form="models" kind="primary" isBusy={update.isPending}>
        Save models
      </Button>
    </>
  );
  return (
    <Dialog title="Models of the project" onClose={onClose} foot={foot}>
      <form id="models" onSubmit={save} className="grid gap-3">
        <SelectField
          label="It may use"
          value={typed.mode}
          onChange={({ target }) => set({ mode: target.value as Permitted['mode'] })}
          choices={[
            { value: 'deny_list', label: 'All models but these' },
            { value: 'allow_list', label: 'Only these models' },
          ]}
        />
        <ListField
          label="Models"
          placeholder="A model or route"
          values={typed.model_ids}
          suggestions={catalog.data?.data.map(({ id }) => id) ?? []}
          error={faultOf(update.error, 'model_ids')}
          onChange={(ids) => set({ model_ids: ids })}
        />
        <FormFailure error={update.error} fields={['model_ids']} />
      </form>
    </Dialog>
  );
}
