import type { CallLook } from '../../core/route.ts';
import type { Envelope } from '../dialect.ts';
import { bodyOf, listOf, Sight } from '../look.ts';

/** What routing looks at in an embeddings request: texts stand as a user's, and there is no conversation. */
export function look(call: Envelope): CallLook {
  const body = bodyOf(call);
  const inputs = typeof body.input === 'string' ? [body.input] : listOf(body.input);
  const sight = new Sight();
  sight.user(inputs.filter((input) => typeof input === 'string'));
  const seen = sight.look({
    body,
    tools: [],
    structuredOutput: false,
    user: body.user,
    metadata: body.metadata,
  });
  return { ...seen, turns: 0, opening: '' };
}
