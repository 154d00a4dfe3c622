const WIDTH = 96;
const HEIGHT = 24;

/** The course of a number, without axes: the number itself stands beside it. */
export function Spark({ values }: { values: readonly number[] }) {
  const top = Math.max(...values, 0);
  if (values.length < 2 || top === 0) return null;
  const step = WIDTH / (values.length - 1);
  const points = values.map(
    (value, index) => `${(index * step).toFixed(1)},${(HEIGHT - 2 - (value / top) * (HEIGHT - 4)).toFixed(1)}`,
  );
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      aria-hidden="true"
      preserveAspectRatio="none"
      className="h-6 w-full max-w-32"
    >
      <polyline
        points={points.join(' ')}
        fill="none"
        stroke="var(--series-1)"
        strokeWidth="1.5"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}
