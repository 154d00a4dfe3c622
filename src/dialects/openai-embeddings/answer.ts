import { nothing, readWholeAnswer } from '../answer.ts';
import type { WholeAnswer } from '../dialect.ts';

/** Reads an embedding list. */
export function readAnswer(body: Buffer): WholeAnswer {
  return readWholeAnswer(body, 'data', nothing);
}
