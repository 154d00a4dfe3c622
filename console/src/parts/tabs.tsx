import { Link } from '@tanstack/react-router';
import type { Filters } from '../shell/address.ts';

/** Views of one page, each with an address: links, of which one is here. */
export function Tabs({
  label,
  name,
  chosen,
  views,
}: {
  label: string;
  /** The member of the address that says which. */
  name: string;
  chosen: string;
  views: readonly { value: string; label: string }[];
}) {
  return (
    <nav aria-label={label} className="mb-4 flex flex-wrap gap-4 border-b border-line">
      {views.map(({ value, label: words }) => (
        <Link
          key={value}
          to="."
          search={((): Filters => ({ [name]: value })) as never}
          aria-current={value === chosen ? 'page' : undefined}
          className={`-mb-px border-b-2 py-1.5 ${value === chosen ? 'border-accent font-medium' : 'border-transparent text-weak hover:text-text'}`}
        >
          {words}
        </Link>
      ))}
    </nav>
  );
}
