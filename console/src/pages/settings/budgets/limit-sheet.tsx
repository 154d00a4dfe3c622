import { Sheet } from '../../../parts/dialog.tsx';
import { Alerts } from './alerts.tsx';
import { Limit } from './limit.tsx';

type Props = { projectId: string; name: string; spentUsd: number | null; onClose: () => void };

/** What a project may spend in a month, and who is told. */
export function LimitSheet({ projectId, name, spentUsd, onClose }: Props) {
  return (
    <Sheet title={name} onClose={onClose}>
      <Limit projectId={projectId} title="Limit" spentUsd={spentUsd} />
      <Alerts projectId={projectId} />
    </Sheet>
  );
}
