import { useChange } from '../../../api/use.ts';
import { Button } from '../../../parts/button.tsx';
import { Facts, Section } from '../../../parts/facts.tsx';
import { Failure } from '../../../parts/failure.tsx';
import { exact, percent } from '../../../parts/format.ts';
import { Money } from '../../../parts/values.tsx';

/** What the calls of the last week would have been by what is typed. */
export function Replay({ routeId, yaml }: { routeId: string; yaml: string }) {
  const replay = useChange('replayRoute');
  const { data } = replay;
  return (
    <Section title="The last week by this draft">
      <div>
        <Button
          isBusy={replay.isPending}
          onClick={() => replay.mutate({ path: { route_id: routeId }, body: { yaml } })}
        >
          Replay the last week
        </Button>
      </div>
      {replay.error && <Failure error={replay.error} />}
      {data && (
        <Facts
          facts={[
            ['Calls', `${exact(data.calls)}${data.complete ? '' : ', and further ones that were left out'}`],
            [
              'Would go elsewhere',
              data.calls === 0 ? '—' : `${exact(data.moved)} (${percent(data.moved / data.calls)})`,
            ],
            data.expected_cost && [
              'Expected cost',
              <span key="cost">
                <Money usd={data.expected_cost.after_usd} /> in the place of{' '}
                <Money usd={data.expected_cost.before_usd} />
              </span>,
            ],
            data.unserved.calls > 0 ? ['Would be refused', exact(data.unserved.calls)] : null,
            ...data.moves
              .slice(0, 10)
              .map(
                ({ from, to, calls }) =>
                  [`${from?.model ?? 'nobody'} → ${to?.model ?? 'nobody'}`, exact(calls)] as const,
              ),
          ]}
        />
      )}
    </Section>
  );
}
