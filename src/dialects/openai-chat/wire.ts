/** The parts of OpenAI's chat answers that the gateway looks at. Every field may be missing or odd: vendors bend it. */
export type WireWords = {
  role?: unknown;
  content?: unknown;
  refusal?: unknown;
  reasoning?: unknown;
  reasoning_content?: unknown;
  tool_calls?: unknown;
  function_call?: unknown;
};

export type WireAnswer = { choices?: ({ message?: WireWords } | null)[] };

export type WireChunk = {
  choices?: ({ index?: unknown; delta?: WireWords | null; finish_reason?: unknown } | null)[] | null;
  usage?: unknown;
  x_groq?: { usage?: unknown } | null;
  error?: unknown;
  service_tier?: unknown;
};
