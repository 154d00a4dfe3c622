import type { ReactNode } from 'react';
import { useLayoutEffect } from 'react';
import { Icon, type IconName } from './icon.tsx';

type Tone = 'good' | 'warn' | 'bad' | 'plain' | 'accent';
const TONES: Record<Tone, string> = {
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
  plain: 'bg-sunken text-weak',
  accent: 'bg-accent-soft text-text',
};

/** A state, in a word or two. */
export function Badge({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span className={`inline-flex items-center rounded-sm px-1.5 text-small whitespace-nowrap ${TONES[tone]}`}>
      {children}
    </span>
  );
}

/** Something that is to be known before anything else on the page. */
export function Notice({ tone, children }: { tone: 'warn' | 'bad' | 'good'; children: ReactNode }) {
  return (
    <div
      role={tone === 'bad' ? 'alert' : 'status'}
      className={`flex gap-2 rounded-md px-3 py-2 text-table ${TONES[tone]}`}
    >
      <span className="mt-0.5">
        <Icon name={tone === 'good' ? 'check' : 'warn'} />
      </span>
      <div className="min-w-0 [overflow-wrap:anywhere]">{children}</div>
    </div>
  );
}

/** What a page is for, where there is nothing on it yet, and its first step. */
export function Empty({
  title,
  children,
  action,
  icon,
}: {
  title: string;
  children: ReactNode;
  action?: ReactNode;
  icon?: IconName;
}) {
  return (
    <div className="mx-auto grid max-w-md justify-items-center gap-2 px-4 py-14 text-center">
      {icon && (
        <span className="text-faint">
          <Icon name={icon} size={28} />
        </span>
      )}
      <h2 className="text-[16px] font-semibold">{title}</h2>
      <p className="text-weak">{children}</p>
      {action && <div className="mt-2">{action}</div>}
    </div>
  );
}

/** Rows in the shape of what comes. */
export function SkeletonRows({ rows = 8 }: { rows?: number }) {
  return (
    <div aria-hidden="true" className="grid gap-3 py-3">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows of nothing
        <div key={row} className="skeleton h-5" />
      ))}
    </div>
  );
}

/** The head of a page: its title, one sentence where it helps, and its actions at the right. */
export function PageHead({ title, children, actions }: { title: string; children?: ReactNode; actions?: ReactNode }) {
  useLayoutEffect(() => {
    document.title = `${title} · Headgate`;
  }, [title]);
  return (
    <header className="mb-4 flex flex-wrap items-start gap-x-4 gap-y-2">
      <div className="min-w-[min(100%,17rem)] flex-1">
        <h1 className="text-title font-semibold [overflow-wrap:anywhere]">{title}</h1>
        {children && <div className="max-w-2xl text-weak">{children}</div>}
      </div>
      {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
    </header>
  );
}
