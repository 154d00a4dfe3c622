import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { TrainingRow } from '../core/route-store.ts';
import { featuresOf, writeFeatures } from './features.ts';

/** Limits: characters per line, and lines per file. */
const MAX_LINE = 1024 * 1024;
const MAX_ROWS = 1_000_000;
const CHARACTERS_PER_TOKEN = 4;

const SCORE = 'must be a number from 0 to 1, true or false';
const score = z.union([z.number().min(0, SCORE).max(1, SCORE), z.boolean()], SCORE);

const BYTE_ORDER_MARK = /^\uFEFF/;

const rowShape = z.object({
  prompt: z.string('must be text').min(1, 'must not be empty'),
  system: z.string('must be text').default(''),
  turns: z.int('must be a whole number').min(1).default(1),
  tools: z.int('must be a whole number').min(0).default(0),
  scores: z
    .record(z.string(), score, 'must be a map of targets and their scores')
    .refine((scores) => Object.keys(scores).length > 0, 'must name at least one target'),
});

/** A fault in a file of rows, with its line. */
export class RowsError extends Error {
  override readonly name = 'RowsError';
}

/**
 * Reads rows to train a route with, a JSON object a line: `prompt`, `scores` (by target, 0 to 1 or true and false), and
 * optionally `system`, `turns` and `tools`; other members are ignored. Only the features of prompts are stored. A repeated
 * prompt replaces the earlier row.
 * Throws a `RowsError` with the faulty line.
 *
 * @param targets the route's names for its targets: a score of any other is refused
 */
export async function* readRowsFile(
  lines: AsyncIterable<string>,
  { origin, targets, at }: { origin: string; targets: readonly string[]; at: number },
): AsyncGenerator<TrainingRow> {
  let number = 0;
  for await (const line of lines) {
    number += 1;
    const text = number === 1 ? line.replace(BYTE_ORDER_MARK, '') : line;
    if (text.trim() === '') continue;
    if (number > MAX_ROWS) throw new RowsError(`There are more than ${MAX_ROWS} lines.`);
    yield rowOf(text, number, { origin, targets, at });
  }
}

function rowOf(
  text: string,
  number: number,
  { origin, targets, at }: { origin: string; targets: readonly string[]; at: number },
): TrainingRow {
  if (text.length > MAX_LINE) throw new RowsError(`Line ${number} has more than ${MAX_LINE} characters.`);
  const read = rowShape.safeParse(parsed(text, number));
  if (!read.success) {
    const { path, message } = read.error.issues[0]!;
    throw new RowsError(
      `Line ${number}: ${path.length === 0 ? 'it must be an object' : `${path.join('.')} ${message}`}.`,
    );
  }
  const { prompt, system, turns, tools, scores } = read.data;
  const unknown = Object.keys(scores).find((name) => !targets.includes(name));
  if (unknown !== undefined) {
    throw new RowsError(`Line ${number}: scores.${unknown} is no target of the route; there is ${targets.join(', ')}.`);
  }
  const promptTokens = Math.ceil((prompt.length + system.length) / CHARACTERS_PER_TOKEN);
  const call = { lastUser: prompt, system, turns, tools, images: false, structured: false, promptTokens };
  return {
    id: `${origin}:${createHash('sha256').update(`${system}\0${prompt}`).digest('hex').slice(0, 24)}`,
    origin,
    at,
    features: writeFeatures(featuresOf(call)),
    scores: Object.fromEntries(Object.entries(scores).map(([name, value]) => [name, Number(value)])),
    propensity: 1,
  };
}

function parsed(text: string, number: number): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new RowsError(`Line ${number} is not JSON.`);
  }
}
