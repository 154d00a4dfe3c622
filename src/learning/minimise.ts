/** A function of many variables: writes its gradient at `at` to `slope` and returns its value. Yields now and then. */
export type Smooth = (at: Float64Array, slope: Float64Array) => Generator<void, number>;

const REMEMBERED = 8;
const MAX_HALVINGS = 20;
/** A step must achieve this share of the decrease that the gradient predicts. */
const SUFFICIENT = 1e-4;

/**
 * Walks `at` down to where a convex function is smallest: L-BFGS (Nocedal and Wright, Numerical Optimization, 7.4). Ends
 * when a step brings less than `tolerance` of the value, or after `maxSteps`. Deterministic. Yields whenever `smooth` does.
 */
export function* minimise(
  smooth: Smooth,
  at: Float64Array,
  options: { tolerance: number; maxSteps: number },
): Generator<void, { value: number; steps: number }> {
  const history: { step: Float64Array; change: Float64Array; curvature: number }[] = [];
  let slope: Float64Array = new Float64Array(at.length);
  let nextSlope: Float64Array = new Float64Array(at.length);
  const next = new Float64Array(at.length);
  let value = yield* smooth(at, slope);
  let steps = 0;
  while (steps < options.maxSteps) {
    steps += 1;
    const direction = yield* downhill(slope, history);
    const promised = dot(direction, slope);
    if (promised >= 0) break;
    let length = history.length === 0 ? Math.min(1, 1 / Math.sqrt(dot(slope, slope))) : 1;
    let reached = Number.POSITIVE_INFINITY;
    for (let halvings = 0; halvings < MAX_HALVINGS; halvings += 1, length /= 2) {
      for (let each = 0; each < at.length; each += 1) next[each] = at[each]! + length * direction[each]!;
      reached = yield* smooth(next, nextSlope);
      if (reached <= value + SUFFICIENT * length * promised) break;
    }
    if (!(reached < value)) break;
    const step = difference(next, at);
    const change = difference(nextSlope, slope);
    yield;
    const curvature = dot(step, change);
    if (curvature > 0) history.push({ step, change, curvature });
    if (history.length > REMEMBERED) history.shift();
    const gained = value - reached;
    at.set(next);
    [slope, nextSlope] = [nextSlope, slope];
    value = reached;
    if (gained < options.tolerance * Math.abs(value)) break;
  }
  return { value, steps };
}

type Remembered = readonly { step: Float64Array; change: Float64Array; curvature: number }[];

function* downhill(slope: Float64Array, history: Remembered): Generator<void, Float64Array> {
  const direction = new Float64Array(slope.length);
  addTo(direction, slope, -1);
  const shares: number[] = [];
  for (const { step, change, curvature } of history.toReversed()) {
    const share = dot(step, direction) / curvature;
    shares.push(share);
    addTo(direction, change, -share);
    yield;
  }
  const last = history.at(-1);
  if (last !== undefined) {
    const scale = last.curvature / dot(last.change, last.change);
    for (let at = 0; at < direction.length; at += 1) direction[at]! *= scale;
  }
  for (const { step, change, curvature } of history) {
    addTo(direction, step, shares.pop()! - dot(change, direction) / curvature);
    yield;
  }
  return direction;
}

function difference(one: Float64Array, other: Float64Array): Float64Array {
  const result = new Float64Array(one.length);
  for (let at = 0; at < one.length; at += 1) result[at] = one[at]! - other[at]!;
  return result;
}

function dot(one: Float64Array, other: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += one[at]! * other[at]!;
  return sum;
}

function addTo(one: Float64Array, other: Float64Array, times: number): void {
  for (let at = 0; at < one.length; at += 1) one[at]! += other[at]! * times;
}
