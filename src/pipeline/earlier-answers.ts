import { GatewayError } from '../core/errors.ts';
import type { Envelope } from '../dialects/dialect.ts';
import { parseJson } from '../json/parse.ts';
import type { CallRequest, PipelineParts, PipelineSettings } from './parts.ts';
import { isReferencedLater, withMakers } from './threads.ts';

/** Throws `GatewayError` (413) if the body would get too large: it may refer to a large item many times. */
function refuseTooManyBytes(
  items: PipelineParts['items'],
  keyId: string,
  ids: readonly string[],
  maxBody: number,
): void {
  let length = 0;
  for (const id of ids) {
    length += items.find(keyId, id)?.length ?? 0;
    if (length <= maxBody) continue;
    const message = `With the items that \`input\` refers to, the body is larger than ${maxBody} bytes.`;
    throw new GatewayError('body_too_large', message, { param: 'input' });
  }
}

/**
 * The call with what it refers to in earlier answers: their items, and the makers of the answers. A promise only if
 * something must be fetched.
 */
export function withEarlierAnswers(
  items: PipelineParts['items'],
  request: Pick<CallRequest, 'asked' | 'caller'>,
  envelope: Envelope,
  limits: PipelineSettings['limits'],
): Envelope | Promise<Envelope> {
  if (isReferencedLater(envelope)) return withMakers(items, request.caller.key.id, envelope);
  return withItems(items, request, envelope, limits);
}

/** The call with the items that it refers to inserted; a promise only if they must be fetched from elsewhere. */
function withItems(
  items: PipelineParts['items'],
  { asked, caller }: Pick<CallRequest, 'asked' | 'caller'>,
  envelope: Envelope,
  limits: PipelineSettings['limits'],
): Envelope | Promise<Envelope> {
  const { references } = asked.inbound;
  const ids = references?.within(envelope) ?? null;
  if (references === undefined || ids === null) return envelope;
  const keyId = caller.key.id;
  const resolved = () => {
    refuseTooManyBytes(items, keyId, ids, limits.maxBody);
    const body = references.resolve(envelope, (id) => {
      const json = items.find(keyId, id);
      return json === undefined ? undefined : parseJson(json);
    });
    return asked.inbound.readEnvelope(body, limits);
  };
  return items.bring(keyId, ids)?.then(resolved) ?? resolved();
}
