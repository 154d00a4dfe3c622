import type { Logger } from 'pino';
import type { Directory } from '../core/provider.ts';
import { unpricedSentence } from '../core/unpriced.ts';
import { unpricedTargets } from '../routing/unpriced.ts';

/** One sentence per route with targets that budgets leave out for lack of a price. */
export function unpricedSentences(directory: Pick<Directory, 'entries' | 'find'>): string[] {
  return unpricedTargets(directory).map(unpricedSentence);
}

/** Logs routes that come to have unpriced targets while the gateway serves. The greeting lists those of the start. */
export class UnpricedNews {
  readonly #log: Logger;
  /** `null` before the gateway serves. */
  #told: ReadonlySet<string> | null = null;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Must be called when the gateway begins to serve. */
  begin(directory: Directory): void {
    this.#told = new Set(unpricedSentences(directory));
  }

  /** Must be called when the callable names have changed. */
  follow(directory: Directory): void {
    if (this.#told === null) return;
    const sentences = unpricedSentences(directory);
    for (const sentence of sentences) if (!this.#told.has(sentence)) this.#log.warn(sentence);
    this.#told = new Set(sentences);
  }
}
