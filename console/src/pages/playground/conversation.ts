import { useEffect, useRef, useState } from 'react';
import { useSession } from '../../api/session.ts';
import { bodyOf, type Run, run, type Setting, type Turn } from './call.ts';

/** A turn of the conversation: what was said, and what each model answered to it. */
export type Exchange = { said: Turn; runs: Readonly<Record<string, Run>> };

type Asked = { setting: Setting; project: string; turns: readonly Exchange[]; turn: Turn };

/** A conversation as one model knows it: what was said, and what it answered itself. */
export function turnsOf(exchanges: readonly Exchange[], model: string): Turn[] {
  return exchanges.flatMap(({ said, runs }) => {
    const answer = runs[model]?.text ?? '';
    return [said, ...(answer === '' ? [] : [{ role: 'assistant' as const, text: answer }])];
  });
}

/** What was said and answered, and the calls under way. */
export function useConversation() {
  const seesUsage = useSession().may('api.usage.read');
  const [exchanges, setExchanges] = useState<readonly Exchange[]>([]);
  const stopping = useRef<AbortController | null>(null);
  // Whoever leaves the page sees no more of an answer, and pays for no more of it.
  useEffect(() => () => stopping.current?.abort(), []);
  const runs = Object.values(exchanges.at(-1)?.runs ?? {});
  return {
    exchanges,
    isRunning: runs.some(({ state }) => state === 'running'),
    stop: () => stopping.current?.abort(),
    clear: () => {
      stopping.current?.abort();
      setExchanges([]);
    },
    backTo: (index: number) => setExchanges((before) => before.slice(0, index)),
    ask(models: readonly string[], { setting, project, turns, turn }: Asked) {
      const controller = new AbortController();
      stopping.current = controller;
      setExchanges([...turns, { said: turn, runs: {} }]);
      for (const model of new Set(models)) {
        const tell = (each: Run) =>
          setExchanges((before) =>
            before.map((exchange, index) =>
              index === turns.length && exchange.said === turn
                ? { ...exchange, runs: { ...exchange.runs, [model]: each } }
                : exchange,
            ),
          );
        void run(bodyOf(model, setting, [...turnsOf(turns, model), turn]), project, {
          tell,
          seesUsage,
          signal: controller.signal,
        });
      }
    },
  };
}
