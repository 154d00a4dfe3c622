import type { Logger } from 'pino';
import type { Directory } from '../core/provider.ts';
import { unpricedSentence } from '../core/unpriced.ts';
import { unpricedTargets } from '../routing/unpriced.ts';

/** A sentence for each route of which a budget leaves targets out because they have no price. */
export function unpricedSentences(directory: Pick<Directory, 'entries' | 'find'>): string[] {
  return unpricedTargets(directory).map(unpricedSentence);
}

/** Logs which routes have come to be such ones while the gateway serves. The greeting tells of those that were so at the start. */
export class UnpricedNews {
  readonly #log: Logger;
  /** `null` before the gateway serves. */
  #told: ReadonlySet<string> | null = null;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** To be called once the gateway serves. */
  begin(directory: Directory): void {
    this.#told = new Set(unpricedSentences(directory));
  }

  /** To be called when what can be called has changed. */
  follow(directory: Directory): void {
    if (this.#told === null) return;
    const sentences = unpricedSentences(directory);
    for (const sentence of sentences) if (!this.#told.has(sentence)) this.#log.warn(sentence);
    this.#told = new Set(sentences);
  }
}
