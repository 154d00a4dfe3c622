import { OperatorError } from '../cli/failure.ts';

/** Why it cannot listen, as a sentence; `null` for other failures. */
export function listenFailure(error: unknown, { host, port }: { host: string; port: number }): OperatorError | null {
  const because = (sentence: string) => new OperatorError(sentence, { cause: error });
  const { code, syscall } = error as NodeJS.ErrnoException;
  // A worker's socket is bound by the primary.
  if (syscall !== 'listen' && syscall !== 'bind' && syscall !== 'getaddrinfo') return null;
  switch (code) {
    case 'EADDRINUSE':
      return because(
        `Port ${port} on ${host} is taken. Choose another: headgate serve --port ${port + 1}, or with HEADGATE_PORT.`,
      );
    case 'EACCES':
      return because(`This user may not listen on port ${port}. Choose one above 1024 with HEADGATE_PORT.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return because(`${host} is not an address of this machine. Choose one with HEADGATE_HOST.`);
    default:
      return null;
  }
}
