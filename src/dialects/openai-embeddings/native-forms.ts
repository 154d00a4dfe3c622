import { parseJson } from '../../json/parse.ts';

type NativeForm = Readonly<Record<string, unknown>>;

/**
 * Forms in which vendors and servers answer that say they speak this format, each read as OpenAI's list:
 *
 * - a bare list of vectors, or of objects that hold one: `/embed` of Text Embeddings Inference
 *   (https://huggingface.github.io/text-embeddings-inference, not checked)
 * - `embeddings`: a list of vectors (https://docs.ollama.com/api/embed, not checked), vectors by their type
 *   (https://docs.cohere.com/reference/embed, not checked), or objects with `values`
 *   (https://ai.google.dev/api/embeddings, not checked)
 * - `embedding`: one vector, or an object with `values`, of the same vendors for one text
 *
 * @returns the answer as OpenAI's list, without `model` where the vendor names none; `null` if it has none of these forms
 */
export function openAiList(body: Buffer): Buffer | null {
  const answer: unknown = parseJson(body.toString('utf8'));
  const told = isMembers(answer) ? answer : {};
  const vectors = vectorsIn(Array.isArray(answer) ? answer : (told.embeddings ?? single(told.embedding)));
  if (vectors === null || vectors.length === 0) return null;
  const data = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding }));
  const tokens = tokensIn(told);
  const usage = tokens === undefined ? undefined : { prompt_tokens: tokens, total_tokens: tokens };
  return Buffer.from(JSON.stringify({ object: 'list', data, model: told.model, usage: told.usage ?? usage }));
}

function single(embedding: unknown): unknown {
  return embedding === undefined ? undefined : [embedding];
}

/** The vectors of a list, or of lists by their type; `null` if it holds anything else. */
function vectorsIn(value: unknown): unknown[] | null {
  if (isMembers(value)) return vectorsIn(value.float ?? value.base64 ?? null);
  if (!Array.isArray(value)) return null;
  const vectors = value.map(vectorOf);
  return vectors.includes(null) ? null : vectors;
}

function vectorOf(item: unknown): unknown {
  const vector = isMembers(item) ? (item.values ?? item.embedding) : item;
  if (typeof vector === 'string') return vector === '' ? null : vector;
  const isVector = Array.isArray(vector) && vector.length > 0 && vector.every((number) => typeof number === 'number');
  return isVector ? vector : null;
}

/** The tokens of the prompt in Ollama's, Cohere's and Google's words. */
function tokensIn(told: NativeForm): number | undefined {
  const { prompt_eval_count: ollama, meta, usageMetadata } = told;
  const billed = isMembers(meta) && isMembers(meta.billed_units) ? meta.billed_units.input_tokens : undefined;
  const google = isMembers(usageMetadata) ? usageMetadata.promptTokenCount : undefined;
  return [ollama, billed, google].find((tokens) => typeof tokens === 'number');
}

function isMembers(value: unknown): value is NativeForm {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
