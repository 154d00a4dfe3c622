import { createInterface } from 'node:readline';

/** A small MCP server on stdio, whose tools have schemas that vendors do not take as they are. */
const TOOLS = [
  {
    name: 'look_up_the_note_that_somebody_wrote_about_the_weather_in_a_city',
    description: 'Looks a note up.',
    inputSchema: { type: 'object', properties: { city: { type: ['string', 'null'] } }, required: ['city'] },
  },
  { name: 'list.notes', description: 'Lists them.', inputSchema: { type: 'object' } },
  {
    name: 'find_note',
    description: 'Finds one.',
    inputSchema: {
      type: 'object',
      properties: { id: { type: 'string' }, title: { type: 'string' } },
      anyOf: [{ required: ['id'] }, { required: ['title'] }],
    },
  },
];

function resultOf(method, params) {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'notes', version: '1' },
      };
    case 'tools/list':
      return { tools: TOOLS };
    case 'tools/call':
      return { content: [{ type: 'text', text: `The note says: rain in ${params.arguments?.city}.` }] };
    default:
      return {};
  }
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: resultOf(method, params) })}\n`);
});
