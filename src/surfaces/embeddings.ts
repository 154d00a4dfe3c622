import { openAiEmbeddings } from '../dialects/openai-embeddings/openai-embeddings.ts';

/** `POST /v1/embeddings` */
export const embeddings = { path: '/v1/embeddings', dialect: openAiEmbeddings };
