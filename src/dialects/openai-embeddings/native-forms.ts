import { parseJson } from '../../json/parse.ts';
import { isObject, objectOf, type Unchecked } from '../unchecked-json.ts';

/**
 * Reads answers of vendors and servers that claim to speak this format but answer in another form, as OpenAI's list:
 *
 * - a bare list of vectors, or of objects that hold one: `/embed` of Text Embeddings Inference
 *   (https://github.com/huggingface/text-embeddings-inference/blob/main/router/src/http/types.rs)
 * - `embeddings`: a list of vectors (https://github.com/ollama/ollama/blob/main/docs/api.md#generate-embeddings), vectors by
 *   their type (https://github.com/cohere-ai/cohere-typescript/blob/main/src/api/types/EmbedByTypeResponseEmbeddings.ts), or
 *   objects with `values` (https://github.com/google-gemini/generative-ai-js/blob/main/types/responses.ts)
 * - `embedding`: one vector, or an object with `values`, from the same vendors, for one text
 *
 * All were read on 2026-11-27.
 *
 * @returns the answer as OpenAI's list, without `model` if the vendor names none; `null` if it has none of these forms
 */
export function openAiList(body: Buffer): Buffer | null {
  const answer: unknown = parseJson(body.toString('utf8'));
  const form = objectOf(answer);
  const vectors = vectorsIn(Array.isArray(answer) ? answer : (form.embeddings ?? single(form.embedding)));
  if (vectors === null || vectors.length === 0) return null;
  const data = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding }));
  const tokens = tokensIn(form);
  const usage = tokens === undefined ? undefined : { prompt_tokens: tokens, total_tokens: tokens };
  return Buffer.from(JSON.stringify({ object: 'list', data, model: form.model, usage: form.usage ?? usage }));
}

function single(embedding: unknown): unknown {
  return embedding === undefined ? undefined : [embedding];
}

/** The vectors of a list, or of lists by their type; `null` if it holds anything else. */
function vectorsIn(value: unknown): unknown[] | null {
  if (isObject(value)) return vectorsIn(value.float ?? value.base64 ?? null);
  if (!Array.isArray(value)) return null;
  const vectors = value.map(vectorOf);
  return vectors.includes(null) ? null : vectors;
}

function vectorOf(item: unknown): unknown {
  const vector = isObject(item) ? (item.values ?? item.embedding) : item;
  if (typeof vector === 'string') return vector === '' ? null : vector;
  const isVector = Array.isArray(vector) && vector.length > 0 && vector.every((number) => typeof number === 'number');
  return isVector ? vector : null;
}

/** The prompt's tokens in the members of Ollama, Cohere and Google. */
function tokensIn(form: Unchecked): number | undefined {
  const { prompt_eval_count: ollama, meta, usageMetadata } = form;
  const cohere = objectOf(objectOf(meta).billed_units).input_tokens;
  const google = objectOf(usageMetadata).promptTokenCount;
  return [ollama, cohere, google].find((tokens) => typeof tokens === 'number');
}
