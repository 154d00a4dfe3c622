import { createHash } from 'node:crypto';
import type { Answer, AnswerEvent } from '../../core/answer.ts';
import type { AnswerPart, Call, Tool, ToolChoice } from '../../core/call.ts';
import type { Quirks } from '../../core/quirks.ts';
import type { Translation } from '../../dialects/dialect.ts';

/** The caller's own names of tools by the names that were sent. */
export type SentNames = ReadonlyMap<string, string>;

export const NONE_SHORTENED: SentNames = new Map();

/** Hexadecimal digits at the end of a shortened name. */
const HASH_LENGTH = 12;

/** What a vendor takes as the name of a tool, in letters, digits, `_` and `-`. */
export type ToolNameRules = { longest: number; startsWithLetter?: boolean };

const PLAIN = /^[A-Za-z0-9_-]+$/;
const BEGUN_WELL = /^[A-Za-z_]/;

/**
 * Rewrites names of tools that the vendor would refuse the call for: in the tools, the earlier calls and the choice. A
 * name always becomes the same one, so that a prompt that grows stays cached.
 */
export function legalNames(call: Call, rules: ToolNameRules): { call: Call; sent: SentNames } {
  const written = legalNamesOf(namesWithin(call), rules);
  if (written.size === 0) return { call, sent: NONE_SHORTENED };
  return { call: renamed(call, written), sent: new Map([...written].map(([own, short]) => [short, own])) };
}

/** The names that the vendor would refuse, and what each is sent as: no two alike, and none as another of the names. */
export function legalNamesOf(names: ReadonlySet<string>, rules: ToolNameRules): ReadonlyMap<string, string> {
  const { longest } = rules;
  const written = new Map<string, string>();
  const taken = new Set(names);
  for (const name of names) {
    if (isLegal(name, rules)) continue;
    let short = shortened(name, name, longest);
    // A caller may have chosen a name that looks like a shortened one.
    for (let round = 1; taken.has(short); round += 1) short = shortened(name, `${round} ${name}`, longest);
    written.set(name, short);
    taken.add(short);
  }
  return written;
}

/** Gives the calls of a streamed answer their tools' own names. */
export function restoreEvent(event: AnswerEvent, sent: SentNames): AnswerEvent {
  if (event.kind !== 'part-start' || event.head.kind !== 'tool-call') return event;
  const name = sent.get(event.head.name);
  return name === undefined ? event : { ...event, head: { ...event.head, name } };
}

/** The same for a whole answer. */
export function restoreAnswer(answer: Answer, sent: SentNames): Answer {
  if (sent.size === 0) return answer;
  return {
    ...answer,
    choices: answer.choices.map((choice) => ({ ...choice, parts: choice.parts.map((part) => withName(part, sent)) })),
  };
}

/** Every name that the vendor would read. */
function namesWithin({ tools, messages, toolChoice }: Call): Set<string> {
  const names = new Set<string>();
  for (const tool of tools) if (tool.kind !== 'native') names.add(tool.name);
  for (const message of messages) {
    if (message.role !== 'assistant') continue;
    for (const part of message.parts) if (part.kind === 'tool-call') names.add(part.name);
  }
  if (toolChoice?.mode === 'one') names.add(toolChoice.name);
  if (toolChoice?.mode === 'allowed') for (const name of toolChoice.names) names.add(name);
  return names;
}

/** The tool names that a vendor accepts: by its row, else by its dialect. */
export function toolNameRules({ longestToolName }: Translation, { tools }: Quirks): ToolNameRules {
  const usual = longestToolName ?? Number.POSITIVE_INFINITY;
  const longest = Math.min(tools?.longestName ?? usual, usual);
  return { longest, ...(tools?.startsWithLetter && { startsWithLetter: true }) };
}

function isLegal(name: string, { longest, startsWithLetter }: ToolNameRules): boolean {
  return name.length <= longest && PLAIN.test(name) && (startsWithLetter !== true || BEGUN_WELL.test(name));
}

function shortened(name: string, hashed: string, longest: number): string {
  const hash = createHash('sha256').update(hashed).digest('hex').slice(0, HASH_LENGTH);
  const plain = name.replace(/[^A-Za-z0-9_-]/g, '_');
  const begun = BEGUN_WELL.test(plain) ? plain : `_${plain}`;
  return `${begun.slice(0, longest - HASH_LENGTH - 1)}_${hash}`;
}

function renamed(call: Call, written: SentNames): Call {
  return {
    ...call,
    tools: call.tools.map((tool) => withToolName(tool, written)),
    messages: call.messages.map((message) =>
      message.role === 'assistant'
        ? { ...message, parts: message.parts.map((part) => withName(part, written)) }
        : message,
    ),
    ...(call.toolChoice !== undefined && { toolChoice: withChosenNames(call.toolChoice, written) }),
  };
}

function withChosenNames(choice: ToolChoice, names: SentNames): ToolChoice {
  switch (choice.mode) {
    case 'one':
      return { ...choice, name: names.get(choice.name) ?? choice.name };
    case 'allowed':
      return { ...choice, names: choice.names.map((name) => names.get(name) ?? name) };
    default:
      return choice;
  }
}

function withToolName(tool: Tool, names: ReadonlyMap<string, string>): Tool {
  const name = tool.kind === 'native' ? undefined : names.get(tool.name);
  return tool.kind === 'native' || name === undefined ? tool : { ...tool, name };
}

function withName(part: AnswerPart, names: ReadonlyMap<string, string>): AnswerPart {
  const name = part.kind === 'tool-call' ? names.get(part.name) : undefined;
  return part.kind !== 'tool-call' || name === undefined ? part : { ...part, name };
}
