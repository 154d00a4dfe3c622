import { Id } from '../../../parts/copy.tsx';
import { Sheet } from '../../../parts/dialog.tsx';
import { Facts, Section } from '../../../parts/facts.tsx';
import { moment } from '../../../parts/format.ts';
import { actorOf, addressOf, detailsOf, type Entry } from './entry.ts';

/** All that is told of a change: who, where from, and what was before and after. */
export function EntrySheet({ entry, onClose }: { entry: Entry; onClose: () => void }) {
  const { id: resourceId, before, changes_requested: changed, data, ...others } = detailsOf(entry);
  const after = changed ?? data;
  return (
    <Sheet title={entry.type} onClose={onClose}>
      <Section title="Event">
        <Facts
          facts={[
            ['When', moment(entry.effective_at)],
            ['Who', actorOf(entry)],
            ['Address', addressOf(entry) ?? '—'],
            ['Project', entry.project?.name ?? '—'],
            ['What', resourceId === undefined ? '—' : <Id key="what" id={String(resourceId)} />],
            ['Request', entry.request === null ? 'None: it was a command' : <Id key="request" id={entry.request.id} />],
            ['Entry', <Id key="entry" id={entry.id} />],
          ]}
        />
      </Section>
      {(isSomething(before) || isSomething(after)) && (
        <Section title="Before and after">
          <Changes before={objectOf(before)} after={objectOf(after)} />
        </Section>
      )}
      {Object.keys(others).length > 0 && (
        <Section title="Also told">
          <Facts facts={Object.entries(others).map(([name, value]) => [name, written(value)])} />
        </Section>
      )}
    </Sheet>
  );
}

type Members = Record<string, unknown>;

function Changes({ before, after }: { before: Members; after: Members }) {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return (
    <section tabIndex={0} aria-label="Before and after" className="overflow-x-auto">
      <table className="w-full text-table">
        <thead>
          <tr className="border-b border-line text-left text-small text-faint">
            {['Member', 'Before', 'After'].map((title) => (
              <th key={title} scope="col" className="py-1 pr-3 font-medium">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {names.map((name) => (
            <tr key={name} className="border-b border-line align-top">
              <th scope="row" className="py-1.5 pr-3 text-left font-normal text-weak">
                {name}
              </th>
              <td className="py-1.5 pr-3 font-mono text-small [overflow-wrap:anywhere]">{written(before[name])}</td>
              <td className="py-1.5 font-mono text-small [overflow-wrap:anywhere]">{written(after[name])}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function isSomething(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

function objectOf(value: unknown): Members {
  return typeof value === 'object' && value !== null ? (value as Members) : {};
}

function written(value: unknown): string {
  if (value === undefined) return '—';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
