import { useState } from 'react';
import type { Answer } from '../../../api/call.ts';
import { KEY_LISTS } from '../../../api/keys.ts';
import { useSession } from '../../../api/session.ts';
import { useChange, useWhole } from '../../../api/use.ts';
import { Button, TextLink } from '../../../parts/button.tsx';
import { Confirm } from '../../../parts/confirm.tsx';
import { Id } from '../../../parts/copy.tsx';
import { Sheet } from '../../../parts/dialog.tsx';
import { Facts, Section } from '../../../parts/facts.tsx';
import { exact } from '../../../parts/format.ts';
import { NameDialog } from '../../../parts/name-dialog.tsx';
import { Time } from '../../../parts/values.tsx';
import { ProjectModels } from './project-models.tsx';
import { ProjectGroups, ProjectMembers } from './project-people.tsx';
import { ProjectRates } from './project-rates.tsx';

export type Project = Answer<'retrieveProject'>;
type Props = { project: Project; onClose: () => void };

/** A project: who is in it, what it may use, and where its keys and budget are. */
export function ProjectSheet({ project, onClose }: Props) {
  const { may } = useSession();
  const [does, setDoes] = useState<'rename' | 'archive' | null>(null);
  const rename = useChange('updateProject', ['listProjects', 'retrieveModelPermissions']);
  const path = { project_id: project.id };
  const done = () => setDoes(null);
  const isArchived = project.status === 'archived';
  if (does === 'rename') {
    return (
      <NameDialog
        title={`Rename ${project.name}`}
        action="Rename project"
        name={project.name}
        error={rename.error}
        isBusy={rename.isPending}
        onClose={done}
        onSave={(name) => rename.mutate({ path, body: { name, if_version: project.version } }, { onSuccess: done })}
      />
    );
  }
  if (does === 'archive') return <ArchiveProject project={project} onClose={done} />;
  const foot = may('api.projects.write') && !isArchived && (
    <>
      {!project.is_default && (
        <Button kind="danger" onClick={() => setDoes('archive')}>
          Archive project
        </Button>
      )}
      <Button onClick={() => setDoes('rename')}>Rename project</Button>
    </>
  );
  return (
    <Sheet title={project.name} onClose={onClose} foot={foot}>
      <Section title="Project">
        <Facts
          facts={[
            ['Name', project.name],
            ['State', isArchived ? 'Archived: its keys are refused' : 'In use'],
            ['Id', <Id key="id" id={project.id} />],
            ['Made', <Time key="made" at={project.created_at} />],
            ...(isArchived ? ([['Archived', <Time key="archived" at={project.archived_at} />]] as const) : []),
            ...(may('api.keys.read')
              ? ([
                  [
                    'Keys',
                    <TextLink key="keys" to="/settings/keys" search={{ project: project.id }}>
                      Its API keys
                    </TextLink>,
                  ],
                ] as const)
              : []),
            ...(may('api.budgets.read')
              ? ([
                  [
                    'Budget',
                    <TextLink key="budget" to="/settings/budgets" search={{ view: 'limits', open: project.id }}>
                      Its limit and alerts
                    </TextLink>,
                  ],
                ] as const)
              : []),
          ]}
        />
      </Section>
      {may('api.members.read') && <ProjectMembers projectId={project.id} isOver={isArchived} />}
      {may('api.groups.read') && <ProjectGroups projectId={project.id} isOver={isArchived} />}
      {may('api.limits.read') && <ProjectModels projectId={project.id} isOver={isArchived} />}
      {may('api.limits.read') && <ProjectRates projectId={project.id} isOver={isArchived} />}
    </Sheet>
  );
}

function ArchiveProject({ project, onClose }: Props) {
  const { may } = useSession();
  const path = { project_id: project.id };
  const keys = useWhole('listProjectApiKeys', { path }, { enabled: may('api.keys.read') });
  const archive = useChange('archiveProject', [...KEY_LISTS]);
  const inUse = keys.items?.filter(({ status }) => status === 'active').length;
  return (
    <Confirm
      title={`Archive ${project.name}?`}
      action="Archive project"
      typed={inUse ? project.name : null}
      isDisabled={may('api.keys.read') && keys.items === null}
      error={archive.error ?? keys.error}
      isBusy={archive.isPending}
      onClose={onClose}
      onConfirm={() => archive.mutate({ path }, { onSuccess: onClose })}
    >
      <p>
        {inUse === undefined
          ? 'Its keys are refused'
          : inUse === 0
            ? 'None of its keys is on. They are refused'
            : `${exact(inUse)} ${inUse === 1 ? 'key that is' : 'keys that are'} on will be refused`}{' '}
        from then on. It cannot be taken back; what it used stays in usage and logs.
      </p>
    </Confirm>
  );
}
