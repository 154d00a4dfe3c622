import { field } from './json.ts';
import { errorReply, type Reply, type VendorRequest } from './reply.ts';

/** What the strictest of real vendors refuses, at the path of each format; `null` where it takes the call. */
export function refusalOf(request: VendorRequest): Reply | null {
  const message = REFUSALS[request.path]?.(request.json) ?? null;
  return message === null ? null : errorReply(400, { message, type: 'invalid_request_error' });
}

const REFUSALS: Readonly<Record<string, (body: unknown) => string | null>> = {
  '/v1/chat/completions': refusesSystemText,
};

/** Chat templates of many local models take one system message, at the start. */
function refusesSystemText(body: unknown): string | null {
  const misplaced = listOf(field(body, 'messages')).some((message, index) => {
    const role = field(message, 'role');
    return index > 0 && (role === 'system' || role === 'developer');
  });
  return misplaced ? 'System message must be at the beginning.' : null;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
