import type { Call, Tool } from '../../core/call.ts';

/** A call that allows only some of its tools, with the others left out: so it holds whatever the vendor makes of it. */
export function narrowTools(call: Call): Call {
  const { toolChoice } = call;
  if (toolChoice?.mode !== 'allowed') return call;
  const allowed = new Set(toolChoice.names);
  return {
    ...call,
    tools: call.tools.filter((tool) => allowed.has(nameOf(tool))),
    toolChoice: { mode: toolChoice.required ? 'required' : 'auto' },
  };
}

function nameOf(tool: Tool): string {
  return tool.kind === 'native' ? tool.type : tool.name;
}
