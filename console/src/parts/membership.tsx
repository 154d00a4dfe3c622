import { useState } from 'react';
import { Confirm } from './confirm.tsx';
import { Section } from './facts.tsx';
import { Failure } from './failure.tsx';
import { AddLine, Lines } from './lines.tsx';

type Member = {
  id: string;
  name: string;
  about?: string;
  /** It is here by something else, and cannot be taken out here. */
  isFixed?: boolean;
};

type Props = {
  title: string;
  /** Said where there is nobody. */
  none: string;
  /** Who is in it; `null`: not read yet. */
  members: readonly Member[] | null;
  /** Who may be put in. Those who are in it already are left out. */
  others: readonly { id: string; name: string }[];
  isWriter: boolean;
  words: Words;
  /** What is under way, and what went wrong: reading, putting in, taking out. */
  state: { error: Error | null; takeError?: Error | null; isBusy: boolean };
  onAdd: (id: string) => void;
  /** `done` is called once they are taken out. */
  onTake: (id: string, done: () => void) => void;
};

type Words = {
  /** What is chosen: "Member to put in". */
  choose: string;
  add: string;
  /** "Take out"; with the name behind it where each needs to be told from the others. */
  take: string;
  takeNamed?: string;
  /** What is lost for good by taking somebody out: it is asked for first. */
  loses?: string;
};

/** Who, or what, is in something: a part of a sheet where some are put in and others are taken out. */
export function Membership({ title, none, members, others, isWriter, words, state, onAdd, onTake }: Props) {
  const { choose, add, take, takeNamed = take, loses } = words;
  const [taken, setTaken] = useState<{ id: string; name: string } | null>(null);
  const keep = () => setTaken(null);
  const ask = (id: string, name: string) => (loses === undefined ? onTake(id, keep) : setTaken({ id, name }));
  const has = new Set(members?.map(({ id }) => id));
  return (
    <Section title={title}>
      <Lines
        none={none}
        isBusy={state.isBusy}
        lines={
          members?.map(({ id, name, about, isFixed = false }) => ({
            ...{ id, name, about },
            action:
              isWriter && !isFixed
                ? { label: take, name: `${takeNamed} ${name}`, onClick: () => ask(id, name) }
                : undefined,
          })) ?? null
        }
      />
      {isWriter && (
        <AddLine
          label={choose}
          action={add}
          isBusy={state.isBusy}
          choices={others.filter(({ id }) => !has.has(id))}
          onAdd={onAdd}
        />
      )}
      {taken && (
        <Confirm
          title={`${takeNamed} ${taken.name}?`}
          action={takeNamed}
          error={state.takeError ?? null}
          isBusy={state.isBusy}
          onClose={keep}
          onConfirm={() => onTake(taken.id, keep)}
        >
          <p>{loses}</p>
        </Confirm>
      )}
      {state.error && <Failure error={state.error} />}
    </Section>
  );
}

type Step = { error: Error | null; isPending: boolean };

/** The state of reading who is in something, and of the two changes of it. */
export function stateOf(read: { error: Error | null }, add: Step, take: Step): Props['state'] {
  return { error: read.error ?? add.error, takeError: take.error, isBusy: add.isPending || take.isPending };
}
