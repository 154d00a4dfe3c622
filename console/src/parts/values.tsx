import { ago, decimalText, exact, moment, money, short } from './format.ts';

/** Dollars; the exact amount where somebody looks closer, and why it is not known where it is not. */
export function Money({ usd, why }: { usd: number | null | undefined; why?: string }) {
  const title = usd == null ? (why ?? 'Not known: a token that was used has no known price.') : `$${decimalText(usd)}`;
  return (
    <span title={title} className="tabular-nums">
      {money(usd)}
    </span>
  );
}

export function Count({ count }: { count: number | null | undefined }) {
  return (
    <span title={count == null ? undefined : exact(count)} className="tabular-nums">
      {short(count)}
    </span>
  );
}

/** How long ago; the moment itself where somebody looks closer. `null`: never. */
export function Time({ at, never = '—' }: { at: number | null | undefined; never?: string }) {
  if (at == null) return <span className="text-faint">{never}</span>;
  return (
    <time dateTime={new Date(at * 1000).toISOString()} title={moment(at)} className="whitespace-nowrap">
      {ago(at)}
    </time>
  );
}
