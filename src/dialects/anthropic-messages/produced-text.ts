import { isList, loose, textOf } from './wire.ts';

/** The model's output in a block, to count its tokens: its text, thinking and tool call. */
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
