import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { featuresOf } from '../../src/learning/features.ts';
import type { Row } from '../../src/learning/fit.ts';

/** A row of a file: the prompt, the quality (0 to 1) of each target's answer, and the kind of task. */
export type Labelled = { task: string; prompt: string; scores: Record<string, number> };

export type BenchRow = Row & { task: string; fold: number; prompt: string };

/**
 * Reads rows of a JSON Lines file, gzipped or not: `{prompt, scores: {target: number}}`, or `{prompt, strong: boolean,
 * weak: boolean}`, both with an optional `task`. Throws with the number of an invalid line.
 */
export function readRows(path: string): Labelled[] {
  const bytes = readFileSync(path);
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  return text.split('\n').flatMap((line, at) => (line.trim() === '' ? [] : [readRow(line, at + 1)]));
}

/** Splits by the prompt's SHA-256: hexadecimal digits 9 to 16 as an integer, modulo `folds`. */
export function foldOf(prompt: string, folds: number): number {
  return Number.parseInt(createHash('sha256').update(prompt).digest('hex').slice(8, 16), 16) % folds;
}

export function benchRows(rows: readonly Labelled[], folds: number): BenchRow[] {
  return rows.map(({ task, prompt, scores }) => ({
    task,
    prompt,
    scores,
    fold: foldOf(prompt, folds),
    features: featuresOf(callOf(prompt)),
  }));
}

/** A call with only a prompt. */
export function callOf(prompt: string) {
  const promptTokens = Math.round(prompt.length / 4);
  return { lastUser: prompt, system: '', turns: 1, tools: 0, images: false, structured: false, promptTokens };
}

function readRow(line: string, number: number): Labelled {
  const row: unknown = JSON.parse(line);
  if (typeof row === 'object' && row !== null && 'prompt' in row && typeof row.prompt === 'string') {
    const task = 'task' in row && typeof row.task === 'string' ? row.task : '';
    const scores = scoresOf(row);
    if (scores !== null) return { task, prompt: row.prompt, scores };
  }
  throw new Error(`Line ${number} is no row: it needs a prompt, and scores by target or strong and weak.`);
}

function scoresOf(row: object): Record<string, number> | null {
  if ('strong' in row && 'weak' in row) return { strong: Number(row.strong), weak: Number(row.weak) };
  if (!('scores' in row) || typeof row.scores !== 'object' || row.scores === null) return null;
  const entries = Object.entries(row.scores);
  const good = entries.every(([, score]) => typeof score === 'number' && score >= 0 && score <= 1);
  return good ? Object.fromEntries(entries) : null;
}
