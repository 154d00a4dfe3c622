import { parseJson } from '../json/parse.ts';

/** Where vendors put the real cause of an error, beside a message that only points at it. `docs/translation.md` shows them. */
export const CAUSES: readonly { member: string; tells: string; source: string; read(error: ErrorMembers): string }[] = [
  {
    member: 'metadata.raw',
    tells: 'the error of the vendor behind a router, as JSON or text, after its name in `metadata.provider_name`',
    source: 'https://openrouter.ai/docs/api-reference/errors',
    read: ({ metadata }) => rawCause(record(metadata)),
  },
  {
    member: 'metadata.reasons',
    tells: 'why a prompt was flagged',
    source: 'https://openrouter.ai/docs/api-reference/errors',
    read: ({ metadata }) => jsonOf(record(metadata).reasons),
  },
  {
    member: 'failed_generation',
    tells: 'what the model wrote in the place of a call of a tool',
    source: 'https://console.groq.com/docs/tool-use#error-handling',
    read: ({ failed_generation: generated }) => (said(generated) ? `failed_generation: ${textOf(generated)}` : ''),
  },
  {
    member: 'innererror',
    tells: 'which filter refused a prompt',
    source: 'https://learn.microsoft.com/azure/ai-foundry/openai/concepts/content-filter',
    read: ({ innererror }) => (said(innererror) ? `innererror: ${textOf(innererror)}` : ''),
  },
  {
    member: 'details[].fieldViolations',
    tells: 'which fields are wrong',
    source: 'https://cloud.google.com/apis/design/errors#error_details',
    read: ({ details }) => (Array.isArray(details) ? violations(details) : ''),
  },
];

/** The most characters of all causes, and of a vendor's error within an error that is parsed. */
const MAX_CAUSE = 2000;
const MAX_RAW = 64 * 1024;
/** How often an error may be within another. */
const MAX_DEPTH = 3;

type ErrorMembers = Readonly<Record<string, unknown>>;

/** The message with the causes that the error tells elsewhere, as far as it does not say them. */
export function withCause(message: string | undefined, error: ErrorMembers): string | undefined {
  const causes = CAUSES.map(({ read }) => read(error)).filter(
    (cause) => cause !== '' && !(message ?? '').includes(cause),
  );
  if (causes.length === 0) return message;
  const all = causes.join('; ');
  const cut = all.length > MAX_CAUSE ? `${all.slice(0, MAX_CAUSE)}…` : all;
  return message === undefined ? cut : `${message} (${cut})`;
}

function rawCause({ raw, provider_name: name }: ErrorMembers): string {
  const cause = messageIn(raw, MAX_DEPTH);
  return cause !== '' && typeof name === 'string' && name !== '' ? `${name}: ${cause}` : cause;
}

/** The message of an error within an error: its own, that of its own raw error, or all of what is no JSON. */
function messageIn(raw: unknown, depth: number): string {
  if (depth === 0) return '';
  if (typeof raw === 'string') {
    const parsed = raw.length > MAX_RAW ? null : parse(raw);
    return typeof parsed === 'object' && parsed !== null ? messageIn(parsed, depth) || raw.trim() : raw.trim();
  }
  const outer = record(Array.isArray(raw) ? raw[0] : raw);
  const inner = typeof outer.error === 'object' && outer.error !== null ? (outer.error as ErrorMembers) : outer;
  const deeper = messageIn(record(inner.metadata).raw, depth - 1);
  const own = [inner.message, outer.error, outer.message, outer.detail].find((word) => typeof word === 'string');
  return deeper !== '' ? deeper : typeof own === 'string' ? own : '';
}

function violations(details: readonly unknown[]): string {
  return details
    .flatMap((detail) => {
      const { fieldViolations } = record(detail);
      return Array.isArray(fieldViolations) ? fieldViolations : [];
    })
    .map((violation) =>
      [record(violation).field, record(violation).description].filter((word) => said(word)).join(': '),
    )
    .filter((words) => words !== '')
    .join(', ');
}

function said(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : jsonOf(value);
}

function jsonOf(value: unknown): string {
  return value === undefined || value === null ? '' : JSON.stringify(value);
}

function record(value: unknown): ErrorMembers {
  return typeof value === 'object' && value !== null ? (value as ErrorMembers) : {};
}

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return null; // The raw error is text.
  }
}
