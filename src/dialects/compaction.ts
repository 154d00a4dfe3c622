/**
 * A vendor's summary of a conversation as user text, for other vendors. The model must know what came before, but must
 * not continue the summary.
 */
export function asSummary(text: string): string {
  return `${SUMMARY}\n\n${text}`;
}

const SUMMARY = 'Summary of the conversation so far:';
