import { getSystemErrorMessage } from 'node:util';
import { ConfigError } from '../config/problems.ts';
import { redactAddresses, redactAddressesIn } from '../core/address-redaction.ts';
import { GatewayError } from '../core/errors.ts';
import { InstanceLockError, StorageOpenError } from '../store/errors.ts';
import { DataFolderError } from '../store/folder.ts';

/** A failure that the operator can fix. The message is a full sentence. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}

/** A refusal of the HTTP API. `status`: of its answer; `param`: the member of the request at fault. */
export class ApiRefusal extends OperatorError {
  readonly status: number;
  readonly param: string | null;

  constructor(message: string, { status, param }: { status: number; param: string | null }) {
    super(message);
    this.status = status;
    this.param = param;
  }
}

/** A command line that cannot be understood. The message is a full sentence. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const FAILED = 1;
export const MISUSED = 2;

/** Runs `read`, and turns what it throws into an `OperatorError` with the same message. */
export function mendable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new OperatorError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** The message for the operator, without secrets in addresses; `null` for a bug, whose stack should be shown. */
export function sentenceOf(error: unknown): string | null {
  const sentence = wordsOf(error);
  return sentence === null ? null : redactAddresses(sentence);
}

function wordsOf(error: unknown): string | null {
  if (error instanceof GatewayError) return withReason(error);
  if (
    error instanceof UsageError ||
    error instanceof OperatorError ||
    error instanceof ConfigError ||
    error instanceof StorageOpenError ||
    error instanceof DataFolderError ||
    error instanceof InstanceLockError
  ) {
    return error.message;
  }
  return isSystemError(error) ? systemSentence(error) : null;
}

/** A failure as the JSON object to print. */
export function failureJson(error: unknown, message: string): Record<string, unknown> {
  if (!(error instanceof ConfigError)) return { error: { message } };
  return { error: { message, problems: redactAddressesIn(error.problems) } };
}

function withReason({ kind, message, cause }: GatewayError): string {
  return kind === 'storage_unavailable' && cause instanceof Error ? `${message} (${cause.message})` : message;
}

type SystemError = Error & { errno: number; code: string; syscall: string; path?: string };

/** A file or address that the system refused. */
function isSystemError(error: unknown): error is SystemError {
  return error instanceof Error && 'syscall' in error && 'errno' in error && typeof error.errno === 'number';
}

function systemSentence({ errno, code, syscall, path }: SystemError): string {
  return `${path ?? syscall}: ${getSystemErrorMessage(errno)} (${code}).`;
}

/** Runs an operation of a service. A refusal names the option of the field at fault. */
export async function inOptionsOf<Result>(
  optionOf: Readonly<Record<string, string>>,
  work: Promise<Result>,
): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof GatewayError || error instanceof ApiRefusal) || error.param === null) throw error;
    const { param, message } = error;
    const option = optionOf[param.split('.')[0] ?? ''];
    if (option === undefined) throw error;
    const said = message.startsWith(`${param} `) ? `${option}${message.slice(param.length)}` : message;
    throw new UsageError(said.replace(`\`${param}\``, option).replace(`${param}:`, option));
  }
}
