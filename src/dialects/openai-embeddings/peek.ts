import { GatewayError } from '../../core/errors.ts';
import { isJson } from '../../json/parse.ts';
import { hasMember } from '../../json/tape.ts';
import { type AnswerMembers, membersOf } from '../answer-scan.ts';
import type { AnswerPeek } from '../dialect.ts';
import { noText, peekOpenAiAnswer } from '../openai-peek.ts';
import { readUsage } from '../openai-usage.ts';
import { openAiList } from './native-forms.ts';

const OPEN_BRACKET = 0x5b;

/**
 * Reads an embedding list, in OpenAI's form or in a vendor's own (`native-forms.ts`). Voyage reports
 * only the total (https://docs.voyageai.com/reference/embeddings-api). A usage of zero, as some local servers send it, counts as none.
 */
export function peekAnswer(body: Buffer): AnswerPeek {
  if (isList(body)) return peekNative(body);
  const members = membersOf(body);
  const { index, value } = members;
  const isNative = hasMember(body, index, 'embeddings') || hasMember(body, index, 'embedding');
  if (isNative && !hasMember(body, index, 'data') && !value('error')) return peekNative(body);
  return peekList(body, members);
}

/** Whether a body is a list without an object around it. */
function isList(body: Buffer): boolean {
  let at = 0;
  while (body[at]! <= 0x20) at += 1;
  return body[at] === OPEN_BRACKET;
}

function peekNative(body: Buffer): AnswerPeek {
  const list = isJson(body.toString('utf8')) ? openAiList(body) : null;
  if (list !== null) return { ...peekList(list), inForm: list };
  throw new GatewayError(
    'upstream_invalid_answer',
    'The provider’s answer holds no list of embeddings that can be read.',
  );
}

function peekList(body: Buffer, members: AnswerMembers = membersOf(body)): AnswerPeek {
  const peek = peekOpenAiAnswer(body, 'data', noText, members);
  if (peek.usage !== null && (peek.usage.inputTokens > 0 || peek.usage.reportedCost !== undefined)) return peek;
  const total = members.value('usage') as { total_tokens?: unknown } | undefined | null;
  const usage = readUsage({ prompt_tokens: total?.total_tokens });
  return { ...peek, usage: usage === null || usage.inputTokens === 0 ? null : { ...peek.usage, ...usage } };
}
