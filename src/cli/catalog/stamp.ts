import { z } from 'zod';
import type { Stamp } from '../../catalog/formats/format.ts';
import { utcDay } from '../../core/utc-day.ts';
import { UsageError } from '../failure.ts';

const DEFAULT_SOURCE = 'models.dev';
const DAY = /\d{4}-\d{2}-\d{2}/;

/**
 * The source and date from the options, else from the head of the file (`"source": "models.dev (MIT License), snapshot
 * of 2026-07-02"` has both), else models.dev and the file's date.
 */
export function stampOf(text: string, writtenAt: number, given: { source?: string; date?: string }): Stamp {
  if (given.date !== undefined && !z.iso.date().safeParse(given.date).success) {
    throw new UsageError('--date must be a day such as 2026-11-21.');
  }
  const head = headOf(text);
  const said = head.source?.split(/[(,;]/)[0]?.trim();
  const day = DAY.exec(head.date ?? head.source ?? '')?.[0];
  return {
    source: given.source ?? (said ? said : DEFAULT_SOURCE),
    date: given.date ?? day ?? utcDay(writtenAt),
  };
}

const head = z.object({ source: z.string().optional().catch(undefined), date: z.string().optional().catch(undefined) });

/** Empty if the file is not JSON: the import reports that. */
function headOf(text: string): { source?: string | undefined; date?: string | undefined } {
  try {
    return head.parse(JSON.parse(text));
  } catch {
    return {};
  }
}
