/**
 * What a translation may have to leave out, by the name that callers are told. `docs/translation.md` shows the table; a
 * test keeps it true. Fields that no reader knows are told by their own names.
 */
export const LOSSES = {
  audio: 'Audio in the prompt.',
  cache_control: 'Marks up to where a prompt may be cached.',
  choices: 'More than one choice (`n`).',
  citations: 'Citations other than of web pages.',
  detail: 'How closely an image is to be looked at.',
  file: 'A file by address or in a form that the model’s format does not take.',
  file_id: 'A file that only the vendor of another format knows.',
  frequency_penalty: 'The penalty on frequent tokens.',
  grammar: 'The grammar of a custom tool, which is called as a function instead.',
  image: 'An image where the model’s format takes none.',
  is_error: 'That a tool’s result is an error; its text is kept.',
  logit_bias: 'Biases of single tokens.',
  logprobs: 'Log probabilities.',
  metadata: 'Metadata beside the call.',
  name: 'The name of a message’s author.',
  parallel_tool_calls: 'The switch of parallel tool calls.',
  pause: 'That the vendor paused its turn.',
  presence_penalty: 'The penalty on tokens seen before.',
  prompt_cache_key: 'The key that joins cached prompts.',
  prompt_cache_retention: 'How long prompts stay cached.',
  reasoning: 'Reasoning that the other format cannot carry; of a conversation, that of earlier turns.',
  reasoning_effort: 'How much to think.',
  reasoning_summary: 'How much of the reasoning to show.',
  response_format: 'A form that the answer must have.',
  seal: 'The proof of earlier reasoning, made by another provider.',
  seed: 'The seed of sampling.',
  service_tier: 'The tier of service.',
  stop: 'Sequences that end the answer.',
  stop_sequence: 'Which sequence ended the answer.',
  strict: 'That a schema is to be held to strictly.',
  temperature: 'The temperature.',
  tool_choice: 'The choice of a tool.',
  tool_result_content: 'What a tool’s result holds beside text.',
  tools: 'A kind of tool that only its own format knows; told as `tools.KIND`.',
  top_k: 'Sampling from the k likeliest tokens.',
  top_p: 'Sampling from the likeliest tokens of a share.',
  user: 'Whom the call is made for.',
  vendor_tool_calls: 'Steps of tools that the vendor ran itself; its words about them are kept.',
  verbosity: 'How wordy the answer is to be.',
} as const satisfies Record<string, string>;

export type Loss = keyof typeof LOSSES;

export const NO_LOSSES: readonly string[] = [];

/** Collects what is left out, each name once, in the order first met. */
export class Losses {
  readonly #names = new Set<string>();

  add(loss: Exclude<Loss, 'tools'>): void {
    this.#names.add(loss);
  }

  /** A tool of a kind that only its own dialect has. */
  addTool(type: string): void {
    this.#names.add(`tools.${type}`);
  }

  /** Fields that the reader did not know. */
  addFields(fields: Readonly<Record<string, unknown>>): void {
    for (const name of Object.keys(fields)) this.#names.add(name);
  }

  get names(): readonly string[] {
    return [...this.#names];
  }
}
