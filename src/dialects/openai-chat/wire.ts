/** The parts of OpenAI's chat answers that the gateway reads. Vendors deviate: any member may be missing or of any type. */
export type WireWords = {
  role?: unknown;
  content?: unknown;
  refusal?: unknown;
  reasoning?: unknown;
  reasoning_content?: unknown;
  reasoning_details?: unknown;
  annotations?: unknown;
  audio?: unknown;
  images?: unknown;
  citations?: unknown;
  executed_tools?: unknown;
  tool_calls?: unknown;
  extra_content?: unknown;
  function_call?: unknown;
};

/** A choice of a chunk, or of a whole answer, which has `message` instead of `delta`. */
export type WireChoice = {
  index?: unknown;
  delta?: WireWords | null;
  message?: WireWords | null;
  /** Mistral's, in the place of `message`. */
  messages?: unknown;
  logprobs?: unknown;
  finish_reason?: unknown;
  error?: unknown;
  usage?: unknown;
};

/** An entry of `reasoning_details`. */
export type WireDetail = { readonly [name: string]: unknown };

export type WireAnswer = { choices?: (WireChoice | null)[] };

export type WireChunk = {
  id?: unknown;
  model?: unknown;
  created?: unknown;
  choices?: (WireChoice | null)[] | null;
  usage?: unknown;
  x_groq?: { usage?: unknown } | null;
  error?: unknown;
  service_tier?: unknown;
};
