import { variable } from '../config/interpolate.ts';
import type { CommandCall, Options } from './command.ts';
import { addressOf } from './connect/address.ts';
import { OperatorError } from './failure.ts';
import type { CommandSetup } from './toolbox.ts';

/** Shared by commands that ask a running gateway. */
export const GATEWAY_OPTIONS: Options = {
  url: { value: 'URL', about: 'Address of the gateway (default: as configured).' },
  key: { value: 'KEY', about: 'API key (default: HEADGATE_API_KEY).' },
};

/** `path` has no `/v1`; `body` is JSON. */
export type Request = { method: 'GET' | 'POST'; path: string; body?: string };

const KEY_NEEDED = 'An API key is needed: set HEADGATE_API_KEY, or add --key KEY.';

function notServed({ folder }: CommandSetup): string {
  return (
    `No gateway is running on the data folder ${folder}. Start one (headgate serve), name its folder with --data, or ask one ` +
    'by its address with an API key (--url and --key, or HEADGATE_API_KEY).'
  );
}

/** The gateway's own error message. */
type FailureBody = { error?: { message?: unknown; code?: unknown } };

/**
 * The JSON answer of a running gateway, and its address. Throws an `OperatorError` if no key is known, nobody answers,
 * or the gateway refuses, with its message.
 */
export async function askGateway(
  { values, where, tools }: CommandCall,
  { path, ...question }: Request,
): Promise<{ address: string; json: unknown }> {
  const key = values.key ?? variable(tools.env, 'HEADGATE_API_KEY');
  const setup = tools.readSetup(where);
  if (key === undefined) throw new OperatorError(values.url === undefined ? notServed(setup) : KEY_NEEDED);
  const address = addressOf(values.url, setup.config.server);
  const answer = await tools.ask(`${address}/v1${path}`, { ...question, key });
  if ('silent' in answer) {
    throw new OperatorError(
      `No gateway answers at ${address} (${answer.silent}). Is it running? Use --url for another address.`,
    );
  }
  const { status, json } = answer;
  if (typeof json !== 'object' || json === null) {
    throw new OperatorError(`The server at ${address} is not a Headgate gateway.`);
  }
  if (status === 200) return { address, json };
  const { message, code } = (json as FailureBody).error ?? {};
  if (status === 404 && code !== 'model_not_found') {
    throw new OperatorError(`${address} does not know ${path}. It is not a Headgate gateway, or an older version.`);
  }
  throw new OperatorError(typeof message === 'string' ? message : `The gateway at ${address} answered ${status}.`);
}
