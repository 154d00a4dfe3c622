import { dollars, type NanoDollars } from '../core/money.ts';

/** The longest end of a stream that is looked through, in characters: what it takes is not divided. */
const MOST = 1024 * 1024;

/**
 * The last frames of a stream with `cost` (dollars, `null` where no price is known) in the last usage that they tell, which is
 * parsed and written anew. Without one they stay as they are.
 */
export function withCost(frames: Buffer | string, cost: NanoDollars | null): Buffer | string {
  if (frames.length > MOST) return frames;
  const lines = frames.toString().split('\n');
  for (let index = lines.length - 1; index >= 0; index -= 1) {
    const written = lineWithCost(lines[index]!, cost === null ? null : dollars(cost));
    if (written !== null) return lines.with(index, written).join('\n');
  }
  return frames;
}

type Told = { usage?: unknown; response?: { usage?: unknown } | null };

/** `null` for a line that tells no usage. */
function lineWithCost(line: string, cost: number | null): string | null {
  if (!line.startsWith('data:') || !line.includes('"usage"')) return null;
  let told: Told | null;
  try {
    told = JSON.parse(line.slice('data:'.length)) as Told | null;
  } catch {
    // An event of several lines: it is left as it is.
    return null;
  }
  const usage = told?.usage ?? told?.response?.usage;
  if (typeof usage !== 'object' || usage === null) return null;
  Object.assign(usage, { cost });
  return `data: ${JSON.stringify(told)}${line.endsWith('\r') ? '\r' : ''}`;
}
