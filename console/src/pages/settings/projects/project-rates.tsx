import { type FormEvent, useState } from 'react';
import { useSession } from '../../../api/session.ts';
import { useChange, useWhole } from '../../../api/use.ts';
import { Button } from '../../../parts/button.tsx';
import { Dialog } from '../../../parts/dialog.tsx';
import { Section } from '../../../parts/facts.tsx';
import { Failure, FormFailure, faultOf } from '../../../parts/failure.tsx';
import { SearchField, TextField } from '../../../parts/field.tsx';
import { exact } from '../../../parts/format.ts';
import { Table } from '../../../parts/table.tsx';

type Rate = NonNullable<ReturnType<typeof useRates>['items']>[number];
/** A gateway has thousands of models: so many are shown, and a search finds the others. */
const SHOWN = 10;

function useRates(projectId: string) {
  return useWhole('listProjectRateLimits', { path: { project_id: projectId } });
}

/** What calls of each model may use in a project, all its keys together. */
export function ProjectRates({ projectId, isOver }: { projectId: string; isOver: boolean }) {
  const { may } = useSession();
  const [q, setQ] = useState('');
  const [changes, setChanges] = useState<Rate | null>(null);
  const { items, error } = useRates(projectId);
  const wanted = q.trim().toLowerCase();
  const found = items?.filter(({ model }) => model.toLowerCase().includes(wanted)) ?? null;
  const isWriter = may('api.limits.write') && !isOver;
  return (
    <Section title="Rates by model">
      <SearchField label="Search models" value={q} onChange={setQ} />
      <Table
        label="Rates by model"
        rows={found?.slice(0, SHOWN) ?? null}
        error={error}
        rowId={({ id }) => id}
        empty={<p className="text-table text-weak">No model is called that.</p>}
        columns={[
          {
            id: 'model',
            title: 'Model',
            cell: ({ model }) => (
              <span title={model} className="block max-w-56 truncate max-md:max-w-28">
                {model}
              </span>
            ),
          },
          {
            id: 'requests',
            title: 'Requests / min',
            isNumber: true,
            cell: ({ max_requests_per_1_minute }) => exact(max_requests_per_1_minute),
          },
          {
            id: 'tokens',
            title: 'Tokens / min',
            isNumber: true,
            cell: ({ max_tokens_per_1_minute }) => exact(max_tokens_per_1_minute),
          },
          {
            id: 'do',
            title: 'Action',
            cell: (rate) =>
              isWriter && (
                <Button
                  kind="quiet"
                  isSmall
                  aria-label={`Change the rates of ${rate.model}`}
                  onClick={() => setChanges(rate)}
                >
                  Change
                </Button>
              ),
          },
        ]}
      />
      {found !== null && found.length > SHOWN && (
        <p className="text-small text-faint">{exact(found.length - SHOWN)} more: search for a model to find it.</p>
      )}
      {error && items !== null && <Failure error={error} />}
      {changes && <ChangeRates projectId={projectId} rate={changes} onClose={() => setChanges(null)} />}
    </Section>
  );
}

const FIELDS = ['max_requests_per_1_minute', 'max_tokens_per_1_minute'];

function ChangeRates({ projectId, rate, onClose }: { projectId: string; rate: Rate; onClose: () => void }) {
  const before = { requests: String(rate.max_requests_per_1_minute), tokens: String(rate.max_tokens_per_1_minute) };
  const [requests, setRequests] = useState(before.requests);
  const [tokens, setTokens] = useState(before.tokens);
  const update = useChange('updateProjectRateLimit', ['listProjectRateLimits']);
  const save = (event: FormEvent) => {
    event.preventDefault();
    // One that is as before is not set by this: it goes on as the configuration has it, or somebody else.
    const body = {
      ...(requests !== before.requests && { max_requests_per_1_minute: Number(requests) }),
      ...(tokens !== before.tokens && { max_tokens_per_1_minute: Number(tokens) }),
    };
    if (Object.keys(body).length === 0) return onClose();
    update.mutate({ path: { project_id: projectId, rate_limit_id: rate.id }, body }, { onSuccess: onClose });
  };
  const foot = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button type="submit" form="rates" kind="primary" isBusy={update.isPending}>
        Save rates
      </Button>
    </>
  );
  return (
    <Dialog title={`Rates of ${rate.model}`} onClose={onClose} foot={foot}>
      <form id="rates" onSubmit={save} className="grid gap-3">
        <TextField
          label="Requests a minute"
          type="number"
          min={1}
          required
          value={requests}
          error={faultOf(update.error, 'max_requests_per_1_minute')}
          onChange={({ target }) => setRequests(target.value)}
        />
        <TextField
          label="Tokens a minute"
          type="number"
          min={1}
          required
          value={tokens}
          error={faultOf(update.error, 'max_tokens_per_1_minute')}
          onChange={({ target }) => setTokens(target.value)}
        />
        <FormFailure error={update.error} fields={FIELDS} />
      </form>
    </Dialog>
  );
}
