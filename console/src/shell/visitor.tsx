import type { ReactNode } from 'react';
import { PageHead } from '../parts/states.tsx';

/** What pages stand in that people see before they are signed in. */
export function Visitor({ title, about, children }: { title: string; about?: ReactNode; children: ReactNode }) {
  return (
    <main className="mx-auto grid max-w-sm gap-2 px-5 py-[12vh]">
      <img src="/icon.svg" alt="" width="36" height="36" className="mb-3" />
      <PageHead title={title}>{about}</PageHead>
      {children}
    </main>
  );
}
