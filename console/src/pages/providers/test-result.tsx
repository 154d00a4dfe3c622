import type { Answer } from '../../api/call.ts';
import { duration, exact } from '../../parts/format.ts';
import { Notice } from '../../parts/states.tsx';

/** What a provider said when it was tried. */
export function TestResult({ result }: { result: Answer<'testProvider'> }) {
  const { ok, models, key, error, took_ms: took } = result;
  if (!ok) return <Notice tone="bad">{error ?? 'It did not answer as a provider does.'}</Notice>;
  const listed = models === null ? 'It answers' : `It lists ${exact(models)} models`;
  const ofKey = { accepted: ' and takes the key', refused: ', but refuses the key', unknown: '', none: '' }[key];
  return (
    <Notice tone={key === 'refused' ? 'bad' : 'good'}>
      {listed}
      {ofKey} ({duration(took)}).
    </Notice>
  );
}
