import { Link } from '@tanstack/react-router';
import { Button } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { hasPage } from '../../shell/page.ts';
import type { Concern } from './concerns.ts';

type More = { hasMore: boolean; readOn: () => void; isReadingOn: boolean };

/** What somebody should look at, the worst first. Nothing is shown where there is nothing. */
export function Attention({ concerns, more }: { concerns: readonly Concern[]; more: More }) {
  if (concerns.length === 0) return null;
  return (
    <section aria-labelledby="attention">
      <h2 id="attention" className="mb-1 text-[16px] font-semibold">
        Needs attention
      </h2>
      <ul className="divide-y divide-line border-y border-line">
        {concerns.map((concern) => (
          <li key={concern.id}>
            <ConcernLine {...concern} />
          </li>
        ))}
      </ul>
      {more.hasMore && (
        <div className="mt-2">
          <Button isSmall isBusy={more.isReadingOn} onClick={more.readOn}>
            Show more
          </Button>
        </div>
      )}
    </section>
  );
}

function ConcernLine({ tone, words, about, to, search }: Concern) {
  const content = (
    <>
      <span className={`mt-0.5 ${tone === 'bad' ? 'text-bad' : 'text-warn'}`}>
        <Icon name="warn" />
      </span>
      <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
        <span className="font-medium">{words}</span> {about && <span className="text-weak">{about}</span>}
      </span>
    </>
  );
  const shape = 'flex items-start gap-2.5 px-1 py-2';
  if (!hasPage(to)) return <div className={shape}>{content}</div>;
  return (
    <Link to={to} search={search as never} className={`${shape} hover:bg-sunken`}>
      {content}
      <span className="mt-0.5 text-faint">
        <Icon name="right" />
      </span>
    </Link>
  );
}
