import { useSession } from '../../api/session.ts';
import { TextLink } from '../../parts/button.tsx';
import { Failure } from '../../parts/failure.tsx';
import { duration } from '../../parts/format.ts';
import { Badge, Notice } from '../../parts/states.tsx';
import { Count, Money } from '../../parts/values.tsx';
import type { Run } from './call.ts';

/** What is said of an answer that its model did not end itself. */
const CUTS = new Map([
  ['length', 'The answer was cut: it came to the most tokens that it may have.'],
  ['content_filter', 'The answer was cut by a filter of the provider.'],
]);

/** What a model answers, as it comes, and what it took. */
export function AnswerOf({ run }: { run: Run }) {
  const { text, reasoning, tools, state, finish, error, firstTokenMs, totalMs, usage, requestId } = run;
  const seesLogs = useSession().may('api.usage.read');
  const cut = finish === null ? undefined : CUTS.get(finish);
  return (
    <div className="grid gap-2">
      {reasoning !== '' && (
        <details>
          <summary className="cursor-pointer text-small text-weak">Reasoning</summary>
          <p className="mt-1 text-table whitespace-pre-wrap text-weak [overflow-wrap:anywhere]">{reasoning}</p>
        </details>
      )}
      <div aria-live="polite" className="whitespace-pre-wrap [overflow-wrap:anywhere]">
        {text}
        {state === 'running' && text === '' && (
          <span className="text-faint">{reasoning === '' ? 'Waiting for the first token…' : 'The model reasons…'}</span>
        )}
      </div>
      {tools !== '' && (
        <pre className="rounded-md bg-sunken p-2 font-mono text-small whitespace-pre-wrap [overflow-wrap:anywhere]">
          {tools.trim()}
        </pre>
      )}
      {cut !== undefined && <Notice tone="warn">{cut}</Notice>}
      {error && <Failure error={error} />}
      {state !== 'running' && (
        <dl className="flex flex-wrap gap-x-4 gap-y-1 text-small text-faint">
          {state === 'stopped' && <Badge tone="warn">Stopped</Badge>}
          <Fact name="First token">{duration(firstTokenMs)}</Fact>
          <Fact name="In all">{duration(totalMs)}</Fact>
          {usage && (
            <>
              <Fact name="Tokens">
                <Count count={usage.input_tokens} /> in, <Count count={usage.output_tokens} /> out
              </Fact>
              <Fact name="Cost">
                <Money usd={usage.cost_usd} />
              </Fact>
              <Fact name="Served by">
                {usage.provider ?? 'a provider'} {usage.upstream_model ?? ''}
              </Fact>
              {usage.route !== null && <Fact name="Route">{usage.route}</Fact>}
              <Fact name="Attempts">{usage.attempts}</Fact>
            </>
          )}
          {requestId && seesLogs && (
            <TextLink to="/logs" search={{ open: requestId }}>
              Open in logs
            </TextLink>
          )}
        </dl>
      )}
    </div>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="flex gap-1">
      <dt>{name}</dt>
      <dd className="text-weak">{children}</dd>
    </div>
  );
}
