import { MAX_DEPTH, messageIn } from './error-message.ts';
import { objectOf, type Unchecked } from './unchecked-json.ts';

/** Where vendors put the cause of an error when the message only points to it. `docs/translation.md` lists them. */
export const CAUSES: readonly { member: string; tells: string; source: string; read(error: Unchecked): string }[] = [
  {
    member: 'metadata.raw',
    tells:
      'the error of the vendor behind a router, as JSON or text, after its name in `metadata.provider_name`; also as `metadata.error`',
    source: 'https://openrouter.ai/docs/api-reference/errors',
    read: ({ metadata }) => rawCause(objectOf(metadata)),
  },
  {
    member: 'metadata.reasons',
    tells: 'why a prompt was flagged',
    source: 'https://openrouter.ai/docs/api-reference/errors',
    read: ({ metadata }) => jsonOf(objectOf(metadata).reasons),
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
    read: ({ innererror, inner_error: other }) =>
      said(innererror ?? other) ? `innererror: ${textOf(innererror ?? other)}` : '',
  },
  {
    member: 'content_filter_result',
    tells: 'the same beside the message; also as `content_filter_results`',
    source: 'https://learn.microsoft.com/azure/ai-foundry/openai/concepts/content-filter',
    read: ({ content_filter_result: one, content_filter_results: all }) =>
      said(one ?? all) ? `content_filter_result: ${textOf(one ?? all)}` : '',
  },
  {
    member: 'details[].fieldViolations',
    tells: 'which fields are wrong',
    source: 'https://cloud.google.com/apis/design/errors#error_details',
    read: ({ details }) => (Array.isArray(details) ? violations(details) : ''),
  },
  {
    member: 'details[]',
    tells: 'what else is wrong, in `message`, `detail` or `violations[].description`',
    source: 'https://cloud.google.com/apis/design/errors#error_details',
    read: ({ details }) => (Array.isArray(details) ? entriesOf(details) : ''),
  },
];

/** The most characters of all causes. */
const MAX_CAUSE = 2000;

/** The message with the causes that the error states elsewhere and the message does not contain. */
export function withCause(message: string | undefined, error: Unchecked): string | undefined {
  const causes = CAUSES.map(({ read }) => read(error)).filter(
    (cause) => cause !== '' && !(message ?? '').includes(cause),
  );
  if (causes.length === 0) return message;
  const all = causes.join('; ');
  const cut = all.length > MAX_CAUSE ? `${all.slice(0, MAX_CAUSE)}…` : all;
  return message === undefined ? cut : `${message} (${cut})`;
}

function rawCause({ raw, error, provider_name: name }: Unchecked): string {
  const cause = messageIn(raw ?? error, MAX_DEPTH, true);
  return cause !== '' && typeof name === 'string' && name !== '' ? `${name}: ${cause}` : cause;
}

/** The text of the entries. Entries that only name a reason or a time to retry have none. */
function entriesOf(details: readonly unknown[]): string {
  const said = details.slice(0, MAX_ENTRIES).flatMap((detail) => {
    const { message, detail: words, violations: found } = objectOf(detail);
    const described = (Array.isArray(found) ? found : []).map((each) => objectOf(each).description);
    return [message, words, ...described].filter((each) => typeof each === 'string' && each !== '');
  });
  return [...new Set(said)].join('; ');
}

/** The most entries that are quoted. */
const MAX_ENTRIES = 8;

function violations(details: readonly unknown[]): string {
  return details
    .flatMap((detail) => {
      const { fieldViolations } = objectOf(detail);
      return Array.isArray(fieldViolations) ? fieldViolations : [];
    })
    .map((violation) =>
      [objectOf(violation).field, objectOf(violation).description].filter((word) => said(word)).join(': '),
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
