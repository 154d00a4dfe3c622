/** The approximate size of an agent's request body. */
const TARGET_BYTES = 100_000;
const FILE_LINES = 40;

const INSTRUCTIONS = [
  'You are a careful software engineer who works in the repository that the user names.',
  'Read before you write. Prefer small changes. Run the tests that belong to what you changed.',
  'Never invent the result of a tool. Say plainly what you could not do.',
].join('\n');

const TOOLS = [
  tool('read_file', 'Reads a file of the repository, or some of its lines.', {
    path: { type: 'string', description: 'The path from the root of the repository.' },
    first_line: {
      type: 'integer',
      minimum: 1,
      description: 'The first line to read; the first of the file if left out.',
    },
    last_line: { type: 'integer', minimum: 1, description: 'The last line to read; the last of the file if left out.' },
  }),
  tool('write_file', 'Writes a whole file; what was there before is gone.', {
    path: { type: 'string', description: 'The path from the root of the repository.' },
    content: { type: 'string', description: 'The new content.' },
  }),
  tool('edit_file', 'Replaces one piece of text in a file. The piece must occur exactly once.', {
    path: { type: 'string', description: 'The path from the root of the repository.' },
    old_text: { type: 'string', description: 'The text to replace, with enough around it to be unique.' },
    new_text: { type: 'string', description: 'The text to put in its place.' },
  }),
  tool('search', 'Searches the files of the repository for a regular expression.', {
    pattern: { type: 'string', description: 'The regular expression.' },
    folder: { type: 'string', description: 'Where to look; everywhere if left out.' },
    kinds: { type: 'array', items: { type: 'string', enum: ['source', 'test', 'document'] }, maxItems: 3 },
  }),
  tool('run_command', 'Runs a command in a shell, and tells its output and its exit code.', {
    command: { type: 'string', description: 'The command.' },
    timeout_seconds: { type: 'integer', minimum: 1, maximum: 600, description: 'When to end it.' },
    environment: { type: 'object', additionalProperties: { type: 'string' }, description: 'Further variables.' },
  }),
  tool('update_plan', 'Keeps the list of steps that the user sees.', {
    steps: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          title: { type: 'string' },
          state: { type: 'string', enum: ['open', 'under_way', 'done'] },
          notes: { type: ['string', 'null'] },
        },
        required: ['title', 'state', 'notes'],
        additionalProperties: false,
      },
    },
  }),
];

/**
 * The request of an agent in the middle of its work: tools with schemas, and turns of calls and the resulting files.
 */
export function agentRequest(model: string): object {
  const messages: object[] = [
    { role: 'system', content: INSTRUCTIONS },
    { role: 'user', content: 'The parser accepts a number with two decimal points. Find out why, and mend it.' },
  ];
  const request = { model, messages, tools: TOOLS, tool_choice: 'auto', max_tokens: 4096, parallel_tool_calls: true };
  const [first, second] = [turn(0), turn(1)];
  const bytesOfTurn = JSON.stringify([first, second]).length / 2;
  const turns = Math.floor((TARGET_BYTES - JSON.stringify(request).length) / bytesOfTurn);
  for (let index = 0; index < turns; index += 1) messages.push(...turn(index));
  return request;
}

function turn(index: number): object[] {
  const id = `call_${String(index).padStart(8, '0')}`;
  const call = { name: 'read_file', arguments: JSON.stringify({ path: `src/parser/part-${index}.ts`, first_line: 1 }) };
  return [
    {
      role: 'assistant',
      content: `I look at part ${index} next.`,
      tool_calls: [{ id, type: 'function', function: call }],
    },
    { role: 'tool', tool_call_id: id, content: fileText(index) },
  ];
}

/** Text like a program's: with quotes, line ends and indents, which JSON must escape. */
function fileText(index: number): string {
  const lines = Array.from(
    { length: FILE_LINES },
    (_, line) => `  if (token.kind === "number" && token.text[${line}] !== "\\n") return part${index}(token, ${line});`,
  );
  return lines.join('\n');
}

function tool(name: string, description: string, properties: Readonly<Record<string, object>>): object {
  const parameters = { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
  return { type: 'function', function: { name, description, parameters, strict: false } };
}
