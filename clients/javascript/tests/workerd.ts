import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type InWorkerd = {
  /** The program. */
  workerd: string;
  /** Makes one module of a file and all that it imports. */
  bundle(from: string, to: string): void;
  /** Of the README. */
  example: string;
  /** Where its packages are. */
  folder: string;
  /** What its variables are. */
  environment: Readonly<Record<string, string>>;
};

/** Runs an example in a worker of workerd, once, and returns what it printed. */
export async function firstInWorkerd({ workerd, bundle, example, folder, environment }: InWorkerd): Promise<string> {
  writeFileSync(join(folder, 'worker.js'), workerOf(example));
  bundle('worker.js', 'worker.bundled.js');
  writeFileSync(join(folder, 'worker.capnp'), configurationOf(environment));
  const args = ['serve', '--socket-addr=http=127.0.0.1:0', '--control-fd=3', 'worker.capnp'];
  const child = spawn(workerd, args, { cwd: folder, stdio: ['ignore', 'inherit', 'inherit', 'pipe'] });
  try {
    const port = await portOf(child.stdio[3] as NodeJS.ReadableStream);
    const answer = await fetch(`http://127.0.0.1:${port}/`);
    return await answer.text();
  } finally {
    child.kill('SIGKILL');
  }
}

/** A worker has no top level to wait at: the example becomes what it does with a request. */
function workerOf(example: string): string {
  const [imports, ...rest] = example.split('\n\n');
  return `${imports}
export default {
  async fetch() {
    const lines = [];
    const console = { log: (...words) => lines.push(words.join(' ')) };
    try {
      ${rest.join('\n\n')}
    } catch (error) {
      lines.push(String(error), error.stack);
    }
    return new Response(lines.join('\\n'));
  },
};
`;
}

function configurationOf(environment: Readonly<Record<string, string>>): string {
  const bindings = Object.entries(environment).map(
    ([name, value]) => `(name = "${name}", text = ${JSON.stringify(value)})`,
  );
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "worker.js", esModule = embed "worker.bundled.js")],
      compatibilityDate = "2026-09-01",
      bindings = [${bindings.join(', ')}],
      globalOutbound = "here",
    )),
    (name = "here", network = (allow = ["private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", service = "main")],
);
`;
}

async function portOf(control: NodeJS.ReadableStream): Promise<number> {
  let told = '';
  for await (const piece of control) {
    told += piece;
    const port = /"event":"listen","socket":"http","port":(\d+)/.exec(told)?.[1];
    if (port !== undefined) return Number(port);
  }
  throw new Error(`workerd ended before it listened: ${told}`);
}
