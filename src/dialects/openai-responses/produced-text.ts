import { isObject, listOf, textOf } from '../unchecked-json.ts';

/** Collects the texts of an answer's items: messages, reasoning and tool calls. */
export function collectWords(output: unknown, words: string[]): void {
  for (const item of listOf(output)) {
    if (!isObject(item)) continue;
    for (const list of [item.content, item.summary]) {
      for (const part of listOf(list)) if (isObject(part)) words.push(textOf(part.text) || textOf(part.refusal));
    }
    words.push(textOf(item.name), textOf(item.arguments), textOf(item.input), textOf(item.code));
  }
}

/** The text of all messages of an answer. */
export function outputText(output: unknown): string {
  let text = '';
  for (const item of listOf(output)) {
    if (!isObject(item) || item.type !== 'message') continue;
    for (const part of listOf(item.content))
      if (isObject(part) && part.type === 'output_text') text += textOf(part.text);
  }
  return text;
}
