import { errorAnswers, OF_CALLERS } from './errors.ts';
import { type AnswerHeaders, headerRefs } from './headers.ts';
import { answer, body, json } from './parts.ts';

/** By which callers say how good an answer was. */
export function feedbackPaths(headers: AnswerHeaders): Record<string, Record<string, unknown>> {
  const toCaller = headerRefs(headers.always, headers.toCaller);
  return {
    '/v1/feedback': {
      post: {
        operationId: 'createFeedback',
        tags: ['Usage'],
        summary: 'Say how good the answer to a call was; a smart route learns from it.',
        description:
          'By the key that made the call, or an administrator’s of its organization. A later score takes the place of an earlier one.',
        requestBody: body('FeedbackRequest'),
        responses: {
          200: answer('What was kept.', toCaller, json('Feedback')),
          ...errorAnswers(headers, toCaller, [
            ...OF_CALLERS,
            'invalid_request',
            'invalid_json',
            'not_found',
            'body_too_large',
            'unsupported_media_type',
          ]),
        },
      },
    },
  };
}
