/** A pure machine: what goes in may give any number of things out, and `end` gives the rest. */
export type Step<In, Out> = { push(input: In): Out[]; end(): Out[] };

/** Runs `first` into `second`; the whole is again a step. */
export function chain<A, B, C>(first: Step<A, B>, second: Step<B, C>): Step<A, C> {
  return {
    push: (input) => first.push(input).flatMap((middle) => second.push(middle)),
    end: () => [...first.end().flatMap((middle) => second.push(middle)), ...second.end()],
  };
}
