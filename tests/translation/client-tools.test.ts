import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { startFakeProvider } from '../../src/testing/fake-provider.ts';
import { field } from '../../src/testing/json.ts';
import { eventsIn } from '../http/client.ts';
import { startHeadgate } from '../support/headgate.ts';
import { received } from './received.ts';
import { scripted } from './vendors.ts';

/** Tools of responses that the client runs, at vendors that know functions alone. */
const IDS = ['openai-chat', 'anthropic-messages'] as const;
const vendor = await startFakeProvider();
const headgate = await startHeadgate({
  config: `providers:\n${IDS.map((id) => `  ${id}: { base_url: "${vendor.url}", dialects: [${id}], only: [m] }`).join('\n')}`,
});
after(async () => {
  await headgate[Symbol.asyncDispose]();
  await vendor.close();
});
beforeEach(() => vendor.forget());

const ADD = { type: 'function', name: 'add', parameters: { type: 'object', properties: { a: { type: 'number' } } } };
const TOOLS = [
  { ...ADD, name: 'shell' },
  { ...ADD, name: 'calc__add' },
  { type: 'namespace', name: 'calc', description: 'Sums.', tools: [ADD, { type: 'custom', name: 'note' }] },
  { type: 'shell', environment: { type: 'local' } },
  { type: 'local_shell' },
  { type: 'apply_patch' },
  { type: 'tool_search', execution: 'client', description: 'Finds.', parameters: { type: 'object', properties: {} } },
];
const NAMES = [
  'shell',
  'calc__add',
  'calc__add_2',
  'calc__note',
  'shell_2',
  'local_shell',
  'apply_patch',
  'tool_search',
];

type Json = Readonly<Record<string, unknown>>;
/** The tool as the vendor knows it, what the model writes, and the item that the client gets. */
const CALLS: readonly { name: string; input: Json; item: Json; result: Json; told: RegExp }[] = [
  {
    name: 'calc__add_2',
    input: { a: 1 },
    item: { type: 'function_call', namespace: 'calc', name: 'add', arguments: '{"a":1}' },
    result: { type: 'function_call_output', output: '2' },
    told: /^2$/,
  },
  {
    name: 'calc__note',
    input: { input: 'x y' },
    item: { type: 'custom_tool_call', namespace: 'calc', name: 'note', input: 'x y' },
    result: { type: 'custom_tool_call_output', output: 'noted' },
    told: /^noted$/,
  },
  {
    name: 'shell_2',
    input: { commands: ['ls', 'pwd'], timeout_ms: 5 },
    item: { type: 'shell_call', action: { commands: ['ls', 'pwd'], timeout_ms: 5, max_output_length: null } },
    result: {
      type: 'shell_call_output',
      output: [{ stdout: 'a.txt', stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
    },
    told: /a\.txt.*exit_code/,
  },
  {
    name: 'local_shell',
    input: { command: ['ls', '-l'] },
    item: {
      type: 'local_shell_call',
      action: { type: 'exec', command: ['ls', '-l'], env: {}, timeout_ms: null, user: null, working_directory: null },
    },
    result: { type: 'local_shell_call_output', output: 'b.txt' },
    told: /^b\.txt$/,
  },
  {
    name: 'apply_patch',
    input: { type: 'update_file', path: 'a', diff: '+b' },
    item: { type: 'apply_patch_call', operation: { type: 'update_file', path: 'a', diff: '+b' } },
    result: { type: 'apply_patch_call_output', status: 'completed', output: 'patched' },
    told: /^patched$/,
  },
  {
    name: 'tool_search',
    input: { goal: 'sums' },
    item: { type: 'tool_search_call', execution: 'client', arguments: { goal: 'sums' } },
    result: { type: 'tool_search_output', execution: 'client', tools: [{ ...ADD, name: 'found' }] },
    told: /found/,
  },
];

for (const id of IDS) {
  for (const stream of [false, true]) {
    test(`${id}: each call comes back as what it was${stream ? ', streamed' : ''}`, async () => {
      for (const { name, input, item } of CALLS) {
        script(id, { calls: [{ id: 'call_1', name, input }] });
        const { output, dropped } = await respond(id, { input: 'Go.', tools: TOOLS, stream });
        assert.deepEqual(toolNames(), NAMES);
        assert.equal(dropped, null);
        assert.equal(output.length, 1);
        const { id: itemId, status, call_id: callId, environment: _, ...said } = output[0]!;
        assert.deepEqual(said, item);
        assert.equal(status, 'completed');
        assert.equal(callId, 'call_1');
        assert.match(String(itemId), /^(fc|ctc|sh|lsh|apc|tsc)_/);
      }
    });
  }

  test(`${id}: calls and their results go to it as those of functions`, async () => {
    for (const { name, input, item, result, told } of CALLS) {
      script(id, { text: 'Done.' });
      const history = [
        { role: 'user', content: 'Go.' },
        { id: 'it_1', call_id: 'call_1', status: 'completed', ...item },
        { call_id: 'call_1', ...result },
      ];
      const { dropped } = await respond(id, { input: history, tools: TOOLS });
      assert.equal(dropped, null);
      const [, call, answer] = received(id, vendor.requests.at(-1)!);
      assert.deepEqual(call, { kind: 'call', id: 'call_1', name, input });
      assert.ok(answer?.kind === 'result' && answer.id === 'call_1');
      assert.match(answer.text, told);
      assert.equal(toolNames().includes('found'), name === 'tool_search');
    }
  });

  test(`${id}: what the model writes beside the schema is still a call`, async () => {
    script(id, { calls: [{ id: 'call_1', name: 'apply_patch', input: { patch: 'x' } }] });
    const { output } = await respond(id, { input: 'Go.', tools: [{ type: 'apply_patch' }] });
    assert.deepEqual([output[0]?.type, output[0]?.name], ['function_call', 'apply_patch']);
  });

  test(`${id}: a choice of such a tool is a choice of its function`, async () => {
    script(id, { text: 'Done.' });
    await respond(id, { input: 'Go.', tools: TOOLS, tool_choice: { type: 'shell' } });
    const choice = field(vendor.requests.at(-1)?.json, 'tool_choice');
    assert.equal(field(choice, 'name') ?? field(choice, 'function', 'name'), 'shell_2');
  });

  test(`${id}: tools that the vendor of responses runs are named as lost`, async () => {
    script(id, { text: 'Done.' });
    const tools = [{ type: 'shell', environment: { type: 'container_auto' } }, { type: 'tool_search' }];
    const { dropped } = await respond(id, { input: 'Go.', tools });
    assert.equal(dropped, 'tools.shell, tools.tool_search');
  });
}

function script(id: (typeof IDS)[number], turn: object): void {
  vendor.forget();
  vendor.plan(scripted(id, [{ ...turn, usage: { input: 9, output: 5 } }]));
}

async function respond(id: string, body: object): Promise<{ output: Json[]; dropped: string | null }> {
  const response = await fetch(`${headgate.url}/v1/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${headgate.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: `${id}/m`, ...body }),
  });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  const dropped = response.headers.get('service-dropped');
  if (!('stream' in body && body.stream === true))
    return { output: field(JSON.parse(text), 'output') as Json[], dropped };
  const events = eventsIn(text)
    .filter((event) => event !== '[DONE]')
    .map((event) => JSON.parse(event) as Json);
  const done = events.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item as Json);
  assert.deepEqual(field(events.at(-1), 'response', 'output'), done);
  return { output: done, dropped };
}

/** The names of the tools that the vendor got last. */
function toolNames(): unknown[] {
  const tools = field(vendor.requests.at(-1)?.json, 'tools') as Json[];
  return tools.map((tool) => tool.name ?? field(tool, 'function', 'name'));
}
