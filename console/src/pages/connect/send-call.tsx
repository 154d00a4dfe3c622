import { useState } from 'react';
import { ApiError, errorOf } from '../../api/call.ts';
import { useSession } from '../../api/session.ts';
import { Button, TextLink } from '../../parts/button.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Failure } from '../../parts/failure.tsx';
import { duration } from '../../parts/format.ts';
import { Badge } from '../../parts/states.tsx';
import { Money } from '../../parts/values.tsx';

type Sent = { status: number; tookMs: number; text: string; headers: [string, string][]; requestId: string | null };

/** Headers that every answer on the web has. */
const USUAL = /^(content-|date$|connection$|keep-alive$|vary$|transfer-encoding$|cache-control$)/;

/** Sends the call as a program would, with the key that was made here, and shows what came. */
export function SendCall({ model, secret }: { model: string; secret: string | null }) {
  const [prompt, setPrompt] = useState('Say hello in one sentence.');
  const [sent, setSent] = useState<Sent | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const [isBusy, setBusy] = useState(false);
  const why =
    secret === null
      ? 'Make a key first: the secret of one that is there is not known here.'
      : model === '' && 'Choose a model first.';
  const send = async () => {
    setBusy(true);
    setError(null);
    setSent(null);
    try {
      setSent(await sendCall({ model, secret: secret ?? '', prompt }));
    } catch (failed) {
      setError(failed as Error);
    }
    setBusy(false);
  };
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <input
          type="text"
          aria-label="What to ask"
          value={prompt}
          onChange={(event) => setPrompt(event.target.value)}
          className="h-8 min-w-0 flex-1 basis-56 rounded-md border border-line-strong bg-raised px-2.5"
        />
        <Button kind="primary" onClick={send} isBusy={isBusy} disabled={why !== false}>
          Send this call
        </Button>
      </div>
      {why && <p className="text-table text-weak">{why}</p>}
      <div aria-live="polite">
        {error && <Failure error={error} />}
        {sent && <Came sent={sent} />}
      </div>
    </div>
  );
}

function Came({ sent: { status, tookMs, text, headers, requestId } }: { sent: Sent }) {
  const { may } = useSession();
  const cost = headers.find(([name]) => name.endsWith('-cost-usd'))?.[1];
  return (
    <div className="grid gap-3 rounded-md border border-line bg-raised p-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-table">
        <Badge tone="good">{status}</Badge>
        <span>{duration(tookMs)}</span>
        <span>
          <Money usd={cost === undefined ? null : Number(cost)} />
        </span>
        {requestId !== null && may('api.usage.read') && (
          <TextLink to="/logs" search={{ open: requestId }}>
            See it in the logs
          </TextLink>
        )}
      </div>
      <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</p>
      <details open>
        <summary className="cursor-pointer text-table font-medium">Headers of the answer</summary>
        <div className="mt-2">
          <Facts facts={headers} />
        </div>
      </details>
    </div>
  );
}

type Wanted = { model: string; secret: string; prompt: string };

/** Rejects with an `ApiError`. The session's cookie is left out: the call is the key's alone. */
async function sendCall({ model, secret, prompt }: Wanted): Promise<Sent> {
  const startedAt = performance.now();
  let answer: Response;
  try {
    answer = await fetch('/v1/chat/completions', {
      method: 'POST',
      credentials: 'omit',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: prompt }] }),
    });
  } catch {
    throw new ApiError('The gateway cannot be reached. Is it still running?', { code: 'unreachable' });
  }
  const body = (await answer.json().catch(() => null)) as Completion | null;
  if (!answer.ok) throw errorOf(answer, body);
  const content = body?.choices?.[0]?.message?.content;
  return {
    status: answer.status,
    tookMs: performance.now() - startedAt,
    text: typeof content === 'string' ? content : JSON.stringify(content ?? body),
    headers: [...answer.headers].filter(([name]) => !USUAL.test(name)),
    requestId: answer.headers.get('x-request-id'),
  };
}

type Completion = { choices?: { message?: { content?: unknown } }[] };
