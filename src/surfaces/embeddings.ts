import { openAiEmbeddings } from '../dialects/openai-embeddings/openai-embeddings.ts';
import type { Surface } from './model-call.ts';

/** `POST /v1/embeddings` */
export const embeddings: Surface = { path: '/v1/embeddings', dialect: openAiEmbeddings };
