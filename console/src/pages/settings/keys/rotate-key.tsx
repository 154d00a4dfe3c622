import { KEY_LISTS } from '../../../api/keys.ts';
import { useChange } from '../../../api/use.ts';
import { RotateSecret } from '../../../parts/rotate-secret.tsx';
import type { ProjectKey } from './project-keys.ts';

/** Gives a key of a project another secret. */
export function RotateKey({ apiKey: key, onClose }: { apiKey: ProjectKey; onClose: () => void }) {
  const rotate = useChange('rotateProjectApiKey', KEY_LISTS);
  const { data } = rotate;
  const path = { project_id: key.project.id, api_key_id: key.id };
  return (
    <RotateSecret
      name={key.name}
      done={data === undefined ? null : { secret: data.value, until: data.earlier_secret_until }}
      error={rotate.error}
      isBusy={rotate.isPending}
      onClose={onClose}
      onRotate={(overlap_seconds) => rotate.mutate({ path, body: { overlap_seconds } })}
    />
  );
}
