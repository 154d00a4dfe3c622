import { Link } from '@tanstack/react-router';
import type { Answer } from '../../api/call.ts';
import { useRead } from '../../api/use.ts';
import { Failure } from '../../parts/failure.tsx';
import { percent } from '../../parts/format.ts';
import { Badge } from '../../parts/states.tsx';
import { hasPage } from '../../shell/page.ts';

type Status = Answer<'getStatus'>;
type Told = { tone: 'good' | 'warn' | 'bad' | 'plain'; words: string };

/** Each vendor, in a word: how it does. */
export function ProviderStates() {
  const { data, error } = useRead('getStatus', {}, { every: 30_000 });
  if (error) return <Failure error={error} />;
  if (data === undefined) return <div className="skeleton h-10" aria-hidden="true" />;
  if (data.providers.length === 0) return null;
  return (
    <section aria-labelledby="providers">
      <h2 id="providers" className="mb-2 text-[16px] font-semibold">
        Providers
      </h2>
      <ul className="flex flex-wrap gap-2">
        {data.providers.map(({ provider, list }) => {
          const { tone, words } = stateOf(provider, list, data.targets);
          const content = (
            <>
              <span className="truncate font-medium">{provider}</span>
              <Badge tone={tone}>{words}</Badge>
            </>
          );
          const shape = 'flex max-w-full items-center gap-2 rounded-md border border-line px-2.5 py-1.5';
          return (
            <li key={provider} className="min-w-0">
              {hasPage('/providers') ? (
                <Link to="/providers" search={{ open: provider } as never} className={`${shape} hover:bg-sunken`}>
                  {content}
                </Link>
              ) : (
                <div className={shape}>{content}</div>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function stateOf(provider: string, list: Status['providers'][number]['list'], targets: Status['targets']): Told {
  const own = targets.filter((target) => target.provider === provider);
  const now = Date.now() / 1000;
  if (list === 'key_refused' || own.some(({ credential_out_until: until }) => until !== null && until > now))
    return { tone: 'bad', words: 'refuses its key' };
  const open = own.filter(({ circuit }) => circuit !== 'closed').length;
  if (open > 0)
    return { tone: 'bad', words: open === own.length ? 'not answering' : `${open} of ${own.length} not answering` };
  const calls = own.reduce((sum, { recent_calls }) => sum + recent_calls, 0);
  const failed = own.reduce((sum, { recent_calls, error_rate }) => sum + recent_calls * (error_rate ?? 0), 0);
  if (failed > 0) return { tone: 'warn', words: `${percent(failed / calls)} failed just now` };
  if (list === 'failed') return { tone: 'warn', words: 'does not list its models' };
  return own.length === 0 && list === 'unheard'
    ? { tone: 'plain', words: 'not called yet' }
    : { tone: 'good', words: 'fine' };
}
