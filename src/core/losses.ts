/**
 * The possible losses of a translation, by the name that is reported to callers. A test keeps the table in
 * `docs/translation.md` equal to this one. Fields that no reader knows are reported by their own names.
 */
export const LOSSES = {
  audio: 'Audio in the prompt.',
  cache_control: 'Cache marks of prompts.',
  choices: 'More than one choice (`n`).',
  citations: 'Citations other than of web pages.',
  detail: 'The level of detail of an image.',
  file: 'A file by address or in a form that the model’s format does not accept.',
  file_id: 'A file that only the vendor of another format knows.',
  frequency_penalty: 'The penalty on frequent tokens.',
  grammar: 'The grammar of a custom tool, which is called as a function instead.',
  image: 'An image that the model’s format does not accept.',
  is_error: 'The mark of a tool’s result as an error; its text is kept.',
  logit_bias: 'Biases of single tokens.',
  logprobs: 'Log probabilities.',
  metadata: 'Metadata of the call.',
  name: 'The name of a message’s author.',
  parallel_tool_calls: 'The switch of parallel tool calls.',
  pause: 'The vendor’s pause of its turn.',
  presence_penalty: 'The penalty on tokens seen before.',
  prompt_cache_key: 'The key that joins cached prompts.',
  prompt_cache_retention: 'The lifetime of cached prompts.',
  reasoning: 'Reasoning that the other format cannot express; in a conversation, that of earlier turns.',
  reasoning_effort: 'The effort of reasoning.',
  reasoning_summary: 'The amount of reasoning to show.',
  response_format: 'The required format of the answer, or limits in its schema, which are moved to descriptions.',
  seal: 'The proof of earlier reasoning, made by another provider.',
  seed: 'The seed of sampling.',
  service_tier: 'The service tier.',
  stop: 'Sequences that end the answer.',
  stop_sequence: 'Which sequence ended the answer.',
  strict: 'The strict use of a schema, or limits in it, which are moved to descriptions.',
  temperature: 'The temperature.',
  tool_choice: 'The choice of a tool.',
  tool_result: 'The missing result of a tool call; the vendor gets a result that says that the tool was not run.',
  tool_result_content: 'Content of a tool’s result other than text.',
  tool_schema: 'Parts of a tool’s schema that the vendor does not accept; they are moved to descriptions.',
  tools: 'A kind of tool that only its own format has; reported as `tools.KIND`.',
  top_k: 'Sampling from the k most likely tokens.',
  top_p: 'Sampling from the most likely tokens up to a total probability.',
  user: 'The end user of the call.',
  vendor_tool_calls: 'Calls of tools that the vendor ran itself; its text about them is kept.',
  verbosity: 'The verbosity of the answer.',
} as const satisfies Record<string, string>;

export type Loss = keyof typeof LOSSES;

export const NO_LOSSES: readonly string[] = [];

/**
 * The most bytes of JSON that names chosen by callers may take in one list. The names of `LOSSES` are not counted: they
 * are few.
 */
const MAX_FOREIGN_BYTES = 3072;
/** The most characters of a name that are reported; a longer name ends in a mark. */
export const MAX_LOSS_NAME = 128;
const CUT = '…';
/**
 * The last entry of a list that could not hold all names: the number of the others. A repeated name may count twice.
 */
const MORE = /^\+(\d{1,15}) more$/;

/**
 * Collects what is left out, each name once, in order of appearance. Beyond `MAX_FOREIGN_BYTES`, names chosen by
 * callers are only counted, and the list ends in `+59871 more`, so that a list never exceeds 4 KB.
 */
export class Losses {
  readonly #names = new Set<string>();
  #foreignBytes = 0;
  /** The number of names that were only counted. Once it is above 0, all further names are only counted. */
  #more = 0;

  add(loss: Exclude<Loss, 'tools'>): void {
    this.#names.add(loss);
  }

  /** A tool of a kind that only its own dialect has. */
  addTool(type: string): void {
    this.#addForeign(`tools.${type.slice(0, MAX_LOSS_NAME + 1)}`);
  }

  /** Fields that the reader did not know. */
  addFields(fields: Readonly<Record<string, unknown>>): void {
    for (const name of Object.keys(fields)) this.#addForeign(name);
  }

  /** Adds the names of another list, as its `names` returned them. */
  addNames(names: readonly string[]): void {
    const more = MORE.exec(names.at(-1) ?? '');
    for (const name of more === null ? names : names.slice(0, -1)) {
      if (Object.hasOwn(LOSSES, name)) this.#names.add(name);
      else this.#addForeign(name);
    }
    if (more !== null) this.#more += Number(more[1]);
  }

  get names(): readonly string[] {
    return this.#more === 0 ? [...this.#names] : [...this.#names, `+${this.#more} more`];
  }

  #addForeign(name: string): void {
    if (this.#more > 0) {
      this.#more += 1;
      return;
    }
    const told = name.length <= MAX_LOSS_NAME + CUT.length ? name : name.slice(0, MAX_LOSS_NAME) + CUT;
    if (this.#names.has(told)) return;
    const bytes = Buffer.byteLength(JSON.stringify(told)) + 1;
    if (this.#foreignBytes + bytes > MAX_FOREIGN_BYTES) {
      this.#more = 1;
      return;
    }
    this.#foreignBytes += bytes;
    this.#names.add(told);
  }
}

/** Joins lists into one, each name once, with the same bounds as each list. */
export function joinLosses(...lists: readonly (readonly string[])[]): readonly string[] {
  const losses = new Losses();
  for (const names of lists) losses.addNames(names);
  return losses.names;
}
