import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { blockFor, exported } from '../support/connect.ts';
import type { Package } from './install.ts';
import type { ScriptedCall } from './script.ts';

/** Where a program finds the gateway, and a folder to be its home. */
export type Place = { url: string; key: string; home: string };

/** A program set up as docs/connect.md says, and given a task. */
export type Program = {
  package: Package;
  /** Its name for `headgate connect`. */
  tool: string;
  task(prompt: string, model: string): readonly string[];
  /** Writes what it reads from its home, and gives what it reads from its environment. */
  setUp(place: Place): Promise<Record<string, string>>;
};

export const codex: Program = {
  package: { name: '@openai/codex', version: '0.171.0', command: 'codex' },
  tool: 'codex',
  // A sandbox needs rights that a container may not give.
  task: (prompt, model) => [
    'exec',
    '--skip-git-repo-check',
    '--dangerously-bypass-approvals-and-sandbox',
    '--model',
    model,
    prompt,
  ],
  async setUp({ url, key, home }) {
    await mkdir(join(home, '.codex'));
    await writeFile(join(home, '.codex', 'config.toml'), blockFor(url, 'Codex', 'toml'));
    return { HEADGATE_API_KEY: key };
  },
};

export const claudeCode: Program = {
  package: { name: '@anthropic-ai/claude-code', version: '2.1.332', command: 'claude' },
  tool: 'claude-code',
  task: (prompt, model) => ['-p', prompt, '--allowedTools', 'Bash', '--model', model],
  async setUp({ url, key }) {
    return exported(blockFor(url, 'Claude Code', 'sh'), { HEADGATE_API_KEY: key });
  },
};

/** What a program is to do, and with which of its tools. */
export type Task = { program: Program; model: string; call: ScriptedCall; does: string };

export const FILE = 'hello.txt';
export const CONTENT = 'hello\n';
const COMMAND = `echo hello > ${FILE}`;

/** Codex offers other tools where it knows the model: to gpt-5.5 a custom one, for patches. */
export const TASKS: readonly Task[] = [
  {
    program: codex,
    model: 'coder',
    call: { name: 'exec_command', input: { cmd: COMMAND } },
    does: 'Codex runs a command',
  },
  {
    program: codex,
    model: 'gpt-5.5',
    call: { name: 'apply_patch', input: `*** Begin Patch\n*** Add File: ${FILE}\n+hello\n*** End Patch\n` },
    does: 'Codex applies a patch',
  },
  {
    program: claudeCode,
    model: 'claude-sonnet-5',
    call: { name: 'Bash', input: { command: COMMAND, description: 'Write a file' } },
    does: 'Claude Code runs a command',
  },
];
