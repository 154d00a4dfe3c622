import { createInterface } from 'node:readline';
import { shownLines } from '../core/shown-text.ts';
import { FAILED } from './failure.ts';

/** What stands in the place of a character that would change how other text is seen. Names come from people, providers and callers. */
const INSTEAD = '·';

/** The terminal that a command runs in. */
export type Terminal = {
  /** To stdout; the end of the line is added. */
  print(text: string): void;
  /** To stderr, likewise. */
  warn(text: string): void;
  /** Asks a question; any answer but yes is a no. `null` where there is no terminal to answer at. */
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
    print: (text) => void stdout.write(`${shownLines(text, INSTEAD)}\n`),
    warn: (text) => void stderr.write(`${shownLines(text, INSTEAD)}\n`),
    confirm: stdin.isTTY === true ? (question) => confirm(stdin, stderr, question) : null,
  };
}

/**
 * Whether what could not be written is missed. It is not where the reader had read enough (`| head`). Else the command
 * ends as failed, in its own time: a gateway does not stop for it.
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
    reader.question(`${shownLines(question, INSTEAD)} [y/N] `, (answer) => {
      resolve(/^y(es)?$/i.test(answer.trim()));
      reader.close();
    });
  });
}
