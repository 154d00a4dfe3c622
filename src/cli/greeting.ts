import { countText } from './phrases.ts';
import { align } from './table.ts';

/** What a start has to tell. */
export type Greeting = {
  version: string;
  pid: number;
  address: string;
  /** Shown only once; `null` where there are keys already. */
  firstKey: string | null;
  /** Opened once, it makes somebody the first owner; `null` where there is nobody to be made one. */
  ownerLink: string | null;
  /** Those that are on; `because` says what turned it on. */
  providers: readonly { id: string; label: string; models: number; because: string }[];
  /** A vendor's key in the environment would turn it on, and none was found there. */
  lacksKey: boolean;
  notices: readonly string[];
  /** The configuration file in use; `null` where there is none: `configPlace` is where one would be found. */
  configFile: string | null;
  configPlace: string;
  folder: string;
  /** Calls of an earlier process that were closed at this start. */
  recovered: number;
  /** A model that answers now; `null` where there is none. */
  exampleModel: string | null;
  /** The command that makes another key. */
  keyCommand: string;
};

/** What `headgate serve` prints once it serves. */
export function greetingText(greeting: Greeting): string {
  const { version, address, firstKey, ownerLink, exampleModel, keyCommand } = greeting;
  const blocks = [`Headgate ${version} serves at ${address}/v1`, align(facts(greeting))];
  if (firstKey !== null)
    blocks.push('Your first API key, shown only this once (keep it as HEADGATE_API_KEY):', firstKey);
  if (exampleModel !== null) blocks.push('Try it:', curl(address, firstKey ?? '$HEADGATE_API_KEY', exampleModel));
  if (ownerLink !== null)
    blocks.push('To give others keys and budgets, open this link, once and within a day, and sign in:', ownerLink);
  if (firstKey === null) blocks.push(`Another key: ${keyCommand}`);
  return `\n${blocks.map(indent).join('\n\n')}\n`;
}

/** The same for programs. */
export function greetingJson(greeting: Greeting): Record<string, unknown> {
  return {
    version: greeting.version,
    pid: greeting.pid,
    base_url: `${greeting.address}/v1`,
    api_key: greeting.firstKey,
    owner_link: greeting.ownerLink,
    providers: greeting.providers,
    notices: greeting.notices,
    config_file: greeting.configFile,
    data: greeting.folder,
    recovered: greeting.recovered,
    example_model: greeting.exampleModel,
  };
}

function facts(greeting: Greeting): string[][] {
  const { notices, configFile, configPlace, folder, recovered } = greeting;
  const rows = [
    ...titled('Providers', providerLines(greeting)),
    ['Config', configFile ?? `none; write ${configPlace} to have one`],
    ['Data', folder],
    ...titled('Note', notices),
  ];
  if (recovered > 0) rows.push(['Recovered', `${countText(recovered, 'call')} that an earlier process left open`]);
  return rows;
}

function providerLines({ providers, lacksKey }: Greeting): string[] {
  const cells = providers.map(({ id, label, models, because }) => [
    id,
    label,
    models === 0 ? 'models not known yet' : countText(models, 'model'),
    because,
  ]);
  const lines = providers.length === 0 ? ['none is on'] : align(cells).split('\n');
  const hint = 'No vendor’s key was found in the environment: set one, such as OPENAI_API_KEY, and start again.';
  return lacksKey ? [...lines, hint] : lines;
}

/** The title beside the first line only. */
function titled(title: string, lines: readonly string[]): string[][] {
  return lines.map((line, index) => [index === 0 ? title : '', line]);
}

/** Pasted as it is, it works. */
function curl(address: string, key: string, model: string): string {
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello, Headgate!' }] });
  return [
    `curl ${address}/v1/chat/completions \\`,
    `  -H "Authorization: Bearer ${key}" \\`,
    '  -H "Content-Type: application/json" \\',
    `  -d '${body}'`,
  ].join('\n');
}

function indent(block: string): string {
  return block.replace(/^(?=.)/gm, '  ');
}
