/**
 * How a summary that a vendor made of a conversation reads to other vendors, as words of the user: the model is to know
 * what came before, and not to go on with it.
 */
export function asSummary(text: string): string {
  return `${SUMMARY}\n\n${text}`;
}

const SUMMARY = 'Summary of the conversation so far:';
