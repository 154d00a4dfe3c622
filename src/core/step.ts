/** A pure machine: what goes in may give any number of things out, and `end` gives the rest. */
export type Step<In, Out> = { push(input: In): Out[]; end(): Out[] };
