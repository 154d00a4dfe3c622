import { isList, objectOf, textOf } from '../unchecked-json.ts';

/** The model's output in a block, to count its tokens: its text, thinking and tool call. */
export function wordsOf(value: unknown): string {
  const block = objectOf(value);
  const input = block.input === undefined || isEmpty(block.input) ? '' : JSON.stringify(block.input);
  return [textOf(block.text), textOf(block.thinking), block.type === 'tool_use' ? textOf(block.name) : '', input]
    .filter((words) => words !== '')
    .join('\n');
}

function isEmpty(input: unknown): boolean {
  return typeof input === 'object' && !isList(input) && Object.keys(objectOf(input)).length === 0;
}
