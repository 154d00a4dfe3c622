import { createInterface } from 'node:readline';
import { FAILED } from './failure.ts';

/** Where a command talks to whoever runs it. */
export type Terminal = {
  /** To stdout; the end of the line is added. */
  print(text: string): void;
  /** To stderr, likewise. */
  warn(text: string): void;
  /** Asks a question whose answer is no unless it is yes; `null` where nobody is there to answer. */
  confirm: ((question: string) => Promise<boolean>) | null;
};

type Input = NodeJS.ReadableStream & { isTTY?: boolean };

export function openTerminal(stdin: Input, stdout: NodeJS.WritableStream, stderr: NodeJS.WritableStream): Terminal {
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (hasReader(error)) stderr.write(`The output could not be written (${error.code ?? error.message}).\n`);
  });
  stderr.on('error', hasReader);
  return {
    print: (text) => void stdout.write(`${text}\n`),
    warn: (text) => void stderr.write(`${text}\n`),
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

function confirm(input: Input, output: NodeJS.WritableStream, question: string): Promise<boolean> {
  const reader = createInterface({ input, output });
  return new Promise((resolve) => {
    // The end of the input, or Ctrl-C, is no yes.
    reader.once('close', () => resolve(false));
    reader.question(`${question} [y/N] `, (answer) => {
      resolve(/^y(es)?$/i.test(answer.trim()));
      reader.close();
    });
  });
}
