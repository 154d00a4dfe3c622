import { type ReactNode, use } from 'react';
import { InDialog } from './dialog.tsx';
import { Failure } from './failure.tsx';

export type Fact = readonly [name: string, value: ReactNode];

/** What is known of something: names and values beside each other, on a narrow screen below each other; `null` is left out. */
export function Facts({ facts }: { facts: readonly (Fact | null)[] }) {
  return (
    <dl className="grid gap-x-4 text-table sm:grid-cols-[160px_minmax(0,1fr)]">
      {facts
        .filter((fact) => fact !== null)
        .map(([name, value]) => (
          <div key={name} className="border-b border-line py-1.5 sm:col-span-2 sm:grid sm:grid-cols-subgrid">
            <dt className="text-weak">{name}</dt>
            <dd className="min-w-0 [overflow-wrap:anywhere]">{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** Facts that are read first. `undefined`: not read yet; so many `rows` are to come. */
export function ToldFacts({
  facts,
  error,
  rows,
}: {
  facts: readonly (Fact | null)[] | undefined;
  error: Error | null;
  rows: number;
}) {
  if (facts !== undefined) return <Facts facts={facts} />;
  if (error) return <Failure error={error} />;
  return (
    <div aria-hidden="true">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows of nothing
        <div key={row} className="h-[52px] border-b border-line py-1.5 sm:h-8">
          <div className="skeleton h-full" />
        </div>
      ))}
    </div>
  );
}

/** A part of a sheet or page under its own heading, with what can be done there at the right. */
export function Section({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) {
  const Heading = use(InDialog) ? 'h3' : 'h2';
  return (
    <section className="mt-6 grid gap-2 first:mt-0">
      <div className="flex flex-wrap items-center gap-2">
        <Heading className="min-w-0 flex-1 font-semibold">{title}</Heading>
        {actions}
      </div>
      {children}
    </section>
  );
}
