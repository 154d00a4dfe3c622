import { isList, loose, textOf } from './wire.ts';

/** What a block of an answer holds that the model produced: its text, its thinking, its call of a tool. */
export function wordsOf(value: unknown): string {
  const block = loose(value);
  const input = block.input === undefined || isEmpty(block.input) ? '' : JSON.stringify(block.input);
  return [textOf(block.text), textOf(block.thinking), block.type === 'tool_use' ? textOf(block.name) : '', input]
    .filter((words) => words !== '')
    .join('\n');
}

function isEmpty(input: unknown): boolean {
  return typeof input === 'object' && !isList(input) && Object.keys(loose(input)).length === 0;
}
