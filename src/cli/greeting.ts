/** What a start has to tell. */
export type GreetingFacts = {
  address: string;
  /** Shown this once; `null` where there are keys already. */
  firstKey: string | null;
  /** Where the configuration stands, or where one would be looked for. */
  configFile: string | null;
  configPlace: string;
  folder: string;
  providers: readonly { id: string; label: string; models: number }[];
  notices: readonly string[];
  /** A model that answers now, for the example. */
  exampleModel: string | null;
  recovered: number;
};

/** The text that `headgate serve` prints once it serves. */
export function greeting(facts: GreetingFacts): string {
  const { address, firstKey, exampleModel } = facts;
  const key = firstKey ?? '$HEADGATE_API_KEY';
  const lines = [
    '',
    `  Headgate serves at ${address}/v1`,
    '',
    ...(firstKey === null ? [] : [`  Your first API key, shown only now:  ${firstKey}`, '']),
    `  Providers    ${providersLine(facts)}`,
    `  Config       ${facts.configFile ?? `none yet; make ${facts.configPlace}`}`,
    `  Data         ${facts.folder}`,
    ...(facts.recovered === 0
      ? []
      : [`  Recovered    ${facts.recovered} calls that an earlier process left open are closed in the records`]),
    ...facts.notices.map((notice) => `  Note         ${notice}`),
    '',
  ];
  if (exampleModel !== null) lines.push('  Try it:', '', curl(address, key, exampleModel), '');
  if (firstKey === null) lines.push('  Another key: npx headgate keys create --name my-app', '');
  return lines.join('\n');
}

function providersLine({ providers }: GreetingFacts): string {
  if (providers.length === 0) return 'none is on';
  return providers.map(({ id, models }) => `${id} (${models} ${models === 1 ? 'model' : 'models'})`).join(', ');
}

/** Pasted as it is, it works. */
function curl(address: string, key: string, model: string): string {
  const body = `{"model": "${model}", "messages": [{"role": "user", "content": "Hello, Headgate!"}]}`;
  return [
    `  curl ${address}/v1/chat/completions \\`,
    `    -H "Authorization: Bearer ${key}" \\`,
    '    -H "Content-Type: application/json" \\',
    `    -d '${body}'`,
  ].join('\n');
}
