import { errorReply, type Plan, type Reply, streamReply, type VendorRequest } from '../../src/testing/reply.ts';
import { chatStream } from './chat-stream.ts';
import { messagesStream } from './messages-stream.ts';
import { responsesStream } from './responses-stream.ts';
import { CALL_ID, type Script, type Turn } from './script.ts';

/** The streams of each dialect, and where they are asked for. */
export const DIALECTS = {
  'openai-chat': { path: '/v1/chat/completions', stream: chatStream },
  'openai-responses': { path: '/v1/responses', stream: responsesStream },
  'anthropic-messages': { path: '/v1/messages', stream: messagesStream },
} as const;

export type ScriptedDialect = keyof typeof DIALECTS;

/** Programs ask beside their task, in calls without its tool, for such as a title in a form of their own. */
const ASIDE = '{"title":"A small task"}';

/** Acts a script out, in the streams of a dialect, before whoever calls with the tool of the script. */
export function actOut(script: Script, dialect: ScriptedDialect): Plan {
  return (request) => {
    if (!request.stream) return notStreamed();
    return streamReply(DIALECTS[dialect].stream(request, turnOf(script, request)));
  };
}

function turnOf({ reasoning, call, text }: Script, { body }: VendorRequest): Turn {
  if (body.includes(`"${CALL_ID}"`)) return { text };
  return body.includes(`"name":"${call.name}"`) ? { reasoning, call } : { text: ASIDE };
}

function notStreamed(): Reply {
  return errorReply(400, { message: 'The scripted model only streams.', type: 'invalid_request_error' });
}
