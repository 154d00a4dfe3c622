import type { DestinationStream } from 'pino';
import { clockText, plainText } from './plain-text.ts';

const LEVELS: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warning',
  50: 'error',
  60: 'fatal',
};
const LEVEL_WIDTH = 7;

type LogLine = { level: number; time: number; msg?: string; err?: { message?: string; stack?: string } };

/** Reads the log's JSON and writes readable lines: time, level, message and details. */
export function terminalLog(write: (text: string) => void): DestinationStream {
  return { write: (text) => write(readable(text)) };
}

function readable(text: string): string {
  const { level, time, msg, err, ...rest } = JSON.parse(text) as LogLine;
  const said = Object.entries(rest).filter(([, value]) => value !== null);
  const about = said.map(([name, value]) => `${name} ${valueText(value)}`);
  const head = [clockText(time), (LEVELS[level] ?? `${level}`).padEnd(LEVEL_WIDTH), plainText(msg ?? '')].join('  ');
  const named = about.length === 0 ? '' : ` (${about.join(', ')})`;
  const trace =
    err === undefined ? [] : (err.stack ?? err.message ?? '').split('\n').map((line) => `  ${plainText(line)}`);
  return `${[`${head}${named}`, ...trace].join('\n')}\n`;
}

function valueText(value: unknown): string {
  return plainText(typeof value === 'string' ? value : JSON.stringify(value));
}
