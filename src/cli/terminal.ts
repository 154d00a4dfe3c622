import { createInterface } from 'node:readline';
import { printableLines } from '../core/printable-text.ts';
import { FAILED } from './failure.ts';

/** Replaces characters that would change how other text looks. Names come from people, providers and callers. */
const INSTEAD = '·';

/** The terminal of a command. */
export type Terminal = {
  /** Writes a line to stdout. */
  print(text: string): void;
  /** Writes a line to stderr. */
  warn(text: string): void;
  /** Asks a question; anything but yes is a no. `null` if there is no terminal. */
  confirm: ((question: string) => Promise<boolean>) | null;
};

type TerminalInput = NodeJS.ReadableStream & { isTTY?: boolean };

export function openTerminal(
  stdin: TerminalInput,
  stdout: NodeJS.WritableStream,
  stderr: NodeJS.WritableStream,
): Terminal {
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (hasReader(error)) stderr.write(`The output could not be written (${error.code ?? error.message}).\n`);
  });
  stderr.on('error', hasReader);
  return {
    print: (text) => void stdout.write(`${printableLines(text, INSTEAD)}\n`),
    warn: (text) => void stderr.write(`${printableLines(text, INSTEAD)}\n`),
    confirm: stdin.isTTY === true ? (question) => confirm(stdin, stderr, question) : null,
  };
}

/**
 * Whether lost output is a failure. It is not if the reader stopped early (`| head`). Otherwise the command fails at
 * its end: a gateway does not stop for it.
 */
function hasReader({ code }: NodeJS.ErrnoException): boolean {
  if (code === 'EPIPE') return false;
  process.once('exit', () => {
    process.exitCode ||= FAILED;
  });
  return true;
}

function confirm(input: TerminalInput, output: NodeJS.WritableStream, question: string): Promise<boolean> {
  const reader = createInterface({ input, output });
  return new Promise((resolve) => {
    // The end of the input, or Ctrl-C, is a no.
    reader.once('close', () => resolve(false));
    reader.question(`${printableLines(question, INSTEAD)} [y/N] `, (answer) => {
      resolve(/^y(es)?$/i.test(answer.trim()));
      reader.close();
    });
  });
}
