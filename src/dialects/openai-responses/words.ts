import { isWire, listOf, textOf } from './wire.ts';

/** Gathers the texts of an answer's items: what was said, thought and called. */
export function collectWords(output: unknown, words: string[]): void {
  for (const item of listOf(output)) {
    if (!isWire(item)) continue;
    for (const list of [item.content, item.summary]) {
      for (const part of listOf(list)) if (isWire(part)) words.push(textOf(part.text) || textOf(part.refusal));
    }
    words.push(textOf(item.name), textOf(item.arguments), textOf(item.input), textOf(item.code));
  }
}

/** All that the messages among an answer's items say. */
export function outputText(output: unknown): string {
  let text = '';
  for (const item of listOf(output)) {
    if (!isWire(item) || item.type !== 'message') continue;
    for (const part of listOf(item.content)) if (isWire(part) && part.type === 'output_text') text += textOf(part.text);
  }
  return text;
}
