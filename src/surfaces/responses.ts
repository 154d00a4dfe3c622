import { openAiResponses } from '../dialects/openai-responses/openai-responses.ts';
import type { Surface } from './model-call.ts';

/** `POST /v1/responses` */
export const responses: Surface = { path: '/v1/responses', dialect: openAiResponses };
