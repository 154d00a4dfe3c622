import { Button } from '../../parts/button.tsx';
import { AnswerOf } from './answer.tsx';
import type { Exchange } from './conversation.ts';
import { Shown } from './pictures.tsx';

type Props = {
  exchanges: readonly Exchange[];
  isRunning: boolean;
  /** Takes a turn back to where it is typed; what came after it goes. */
  onEdit: (index: number) => void;
  /** Asks the same again, of those that are chosen now. */
  onAgain: (index: number) => void;
};

/** What was said, and beneath it what each model answered, side by side. */
export function Exchanges({ exchanges, isRunning, onEdit, onAgain }: Props) {
  return exchanges.map(({ said: { text, images = [] }, runs }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: turns of a conversation stay where they are
    <article key={index} className="grid gap-3 border-t border-line pt-3">
      <div className="grid gap-1">
        <div className="grid gap-2 rounded-md bg-sunken px-3 py-2">
          <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</p>
          {images.length > 0 && <Shown images={images} />}
        </div>
        <div className="flex gap-1">
          <Button kind="quiet" isSmall disabled={isRunning} onClick={() => onEdit(index)}>
            Edit
          </Button>
          <Button kind="quiet" isSmall disabled={isRunning} onClick={() => onAgain(index)}>
            Run again
          </Button>
        </div>
      </div>
      <div className={`grid gap-4 ${Object.keys(runs).length > 1 ? 'md:grid-cols-2' : ''}`}>
        {Object.entries(runs).map(([model, each]) => (
          <section key={model} aria-label={`Answer of ${model}`} className="min-w-0">
            <h2 title={model} className="mb-1 truncate text-small font-medium text-faint">
              {model}
            </h2>
            <AnswerOf run={each} />
          </section>
        ))}
      </div>
    </article>
  ));
}
