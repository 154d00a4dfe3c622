import { useState } from 'react';
import { useChange } from '../../../api/use.ts';
import { Button } from '../../../parts/button.tsx';
import { Section } from '../../../parts/facts.tsx';
import { Failure } from '../../../parts/failure.tsx';
import { TextArea } from '../../../parts/field.tsx';
import { Badge, Notice } from '../../../parts/states.tsx';
import { Money } from '../../../parts/values.tsx';

const CALL = JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }] }, null, 2);

/** Who would answer a call by what is typed, and why. Nobody is called. */
export function DryRun({ routeId, yaml }: { routeId: string; yaml: string }) {
  const [text, setText] = useState(CALL);
  const [fault, setFault] = useState<string | null>(null);
  const attempt = useChange('tryRoute');
  function ask() {
    let call: Record<string, unknown>;
    try {
      call = JSON.parse(text);
    } catch (error) {
      return setFault(`The call must be JSON: ${(error as Error).message}.`);
    }
    setFault(null);
    attempt.mutate({ path: { route_id: routeId }, body: { call, yaml } });
  }
  const decided = attempt.data;
  return (
    <Section title="Who would answer, and why">
      <TextArea
        label="The body of a call"
        isMono
        rows={8}
        spellCheck={false}
        value={text}
        error={fault}
        onChange={(event) => setText(event.target.value)}
      />
      <div>
        <Button onClick={ask} isBusy={attempt.isPending}>
          Ask
        </Button>
      </div>
      {attempt.error && <Failure error={attempt.error} />}
      {decided?.refusal && <Notice tone="bad">It would be refused: {decided.refusal.message}</Notice>}
      {decided && (
        <ol className="grid gap-2" aria-label="Targets in their order">
          {decided.order.map(({ model, provider, upstream_model: upstream }, place) => (
            <li key={`${model} ${provider}`} className="flex flex-wrap items-center gap-2">
              <Badge tone={place === 0 ? 'good' : 'plain'}>{place + 1}</Badge>
              <span className="font-medium">{model}</span>
              <span className="text-small text-faint">
                {provider} {upstream}
              </span>
            </li>
          ))}
        </ol>
      )}
      {decided && decided.because.length > 0 && <p className="text-small text-weak">{decided.because.join(' · ')}</p>}
      {decided && (
        <ul className="grid gap-1 text-small text-faint">
          {decided.candidates.map(({ model, left_out: out, expected_cost_usd: cost }) => (
            <li key={model}>
              {model}:{' '}
              {out === null ? (
                <>
                  expected to cost <Money usd={cost} />
                </>
              ) : (
                `left out, ${out.detail}`
              )}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
