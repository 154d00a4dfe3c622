/** Where the made-up vendors of a configuration are. */
export type Addresses = { alpha: string; beta: string };

/** The variable that holds the key of some of the providers. */
export const KEY_VARIABLE = 'KEY_ONE';

/** The key of a credential that targets of routes name. */
const SECOND = `{ name: second, key: "\${${KEY_VARIABLE}}", weight: 2 }`;

/** Makes files with some of everything in them; the same ones for the same seed. */
export function configMaker(seed: number, addresses: Addresses): () => string {
  const random = randomFrom(seed);
  const between = (least: number, most: number) => least + Math.floor(random() * (most - least + 1));
  const some = (items: readonly string[]) => items.filter(() => random() < 0.6);

  const providers = () => {
    const entries = providerEntries(addresses);
    const chosen = new Map<string, string>();
    for (let count = between(0, 6); count > 0; count -= 1) {
      const [id, settings] = entries[between(0, entries.length - 1)]!;
      chosen.set(id, settings);
    }
    return [...chosen].map(([id, settings]) => `${id}: { ${settings} }`);
  };
  const aliases = () =>
    some(['me: shared', 'you: beta/beta', 'they: them', 'them: alpha/alpha', 'echo: shared', 'fast: acme/fast']);
  const targets = () => {
    const named = some(['shared', 'beta/beta', 'alpha/alpha', 'capped/narrow', 'nobody/nothing']);
    const weighed = named.map((model) => `{ model: ${model}, weight: ${between(1, 9)} }`);
    return ['{ model: keyed/shared, credential: second }', ...weighed].join(', ');
  };
  const routes = () =>
    some([
      `acme/fast: { targets: [${targets()}], brand: Acme, price: { input_per_1m: ${between(1, 9)}, output_per_1m: 9 } }`,
      `acme/split: { name: Split, strategy: [{ weighted: { sticky: true } }], targets: [${targets()}], regions: [eu] }`,
      `acme/ruled: { strategy: [{ rules: [{ when: { tools: true }, use: [shared] }] }, cheapest], targets: [shared] }`,
      `acme/auto: { strategy: [smart], strong_share: 0.${between(1, 9)}, targets: [${targets()}], fallbacks: [shared] }`,
    ]);
  const system = () => (random() < 0.5 ? `system: { targets: [${targets()}] }` : 'system:');
  const products = () =>
    some(['helpdesk: {}', `lab: { routes: [acme/fast], budget: { usd: ${between(1, 9)}, per: day } }`]);
  const facts = () =>
    some(['alpha/alpha: { name: First, price: { input_per_1m: 1 } }', 'listed/l: { context_window: 9 }']);
  const limits = () =>
    some([
      `requests_per_minute: ${between(1000, 2000)}`,
      `tokens_per_minute: ${between(1_000_000, 2_000_000)}`,
      `max_body: ${between(1100, 4000)}`,
      `max_header: ${between(1100, 4000)}`,
      `max_json_depth: ${between(3, 16)}`,
      `max_embedding_inputs: ${between(1, 4)}`,
    ]);

  return () =>
    [
      `providers: { ${providers().join(', ')} }`,
      `aliases: { ${aliases().join(', ')} }`,
      `routes: { ${routes().join(', ')} }`,
      system(),
      `products: { ${products().join(', ')} }`,
      `models: { ${facts().join(', ')} }`,
      `limits: { ${limits().join(', ')} }`,
      `echo: ${random() < 0.7}`,
    ].join('\n');
}

function providerEntries({ alpha, beta }: Addresses): readonly [id: string, settings: string][] {
  return [
    ['alpha', `base_url: "${alpha}"`],
    ['beta', `base_url: "${beta}", label: "Beta & Co"`],
    ['beta', `base_url: "${alpha}", dialects: [openai-embeddings]`],
    ['listed', `base_url: "${alpha}", api_key: "\${${KEY_VARIABLE}}", only: [shared, { id: l, upstream: alpha }]`],
    ['later', `base_url: "${beta}", dialects: [anthropic-messages, openai-chat], only: [shared, new]`],
    ['keyed', `base_url: "${alpha}", region: eu, api_keys: [${SECOND}, { name: none, key: "\${NOT_SET}" }]`],
    ['capped', `base_url: "${beta}", max_concurrency: 4, queue: { wait: 2s }, only: [shared, narrow]`],
    ['off', `base_url: "${beta}", api_key: "\${NOT_SET}"`],
    // Not at its own address: it would be asked with a key that is none.
    ['groq', `base_url: "${beta}"`],
    ['openai', ''],
  ];
}

/** Numbers in [0, 1): mulberry32. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
