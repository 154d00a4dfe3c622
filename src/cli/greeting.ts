import { countText } from './phrases.ts';
import { align } from './table.ts';

/** The facts that a start prints. */
export type Greeting = {
  version: string;
  pid: number;
  address: string;
  /** Shown only once; `null` if there already are keys. */
  firstKey: string | null;
  /** Makes the person who opens it the first owner, once; `null` if there is an owner. */
  ownerLink: string | null;
  /** The enabled providers; `because` says what enabled them. */
  providers: readonly { id: string; label: string; models: number; because: string }[];
  /** Providers whose key was not found in the environment. */
  lacksKey: boolean;
  notices: readonly string[];
  /** The configuration file; `null` if there is none. `configPlace` is where it would be. */
  configFile: string | null;
  configPlace: string;
  folder: string;
  /** Calls of an earlier process that this start closed. */
  recovered: number;
  /** A model that answers now; `null` if there is none. */
  exampleModel: string | null;
  /** The command that creates another key. */
  keyCommand: string;
};

/** What `headgate serve` prints once it serves. */
export function greetingText(greeting: Greeting): string {
  const { version, address, firstKey, ownerLink, exampleModel, keyCommand } = greeting;
  const blocks = [`Headgate ${version} serves at ${address}/v1`, align(facts(greeting))];
  if (firstKey !== null) blocks.push('Your first API key, shown only once (keep it as HEADGATE_API_KEY):', firstKey);
  if (exampleModel !== null) blocks.push('Try it:', curl(address, firstKey ?? '$HEADGATE_API_KEY', exampleModel));
  if (ownerLink !== null)
    blocks.push(
      'To give others keys and budgets, open this link and sign in. It is valid once, for one day:',
      ownerLink,
    );
  if (firstKey === null) blocks.push(`To create another key: ${keyCommand}`);
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
    ['Config', configFile ?? `none; ${configPlace} would be used`],
    ['Data', folder],
    ...titled('Note', notices),
  ];
  if (recovered > 0) rows.push(['Recovered', `${countText(recovered, 'call')} left open by an earlier process`]);
  return rows;
}

function providerLines({ providers, lacksKey }: Greeting): string[] {
  const cells = providers.map(({ id, label, models, because }) => [
    id,
    label,
    models === 0 ? 'models not known yet' : countText(models, 'model'),
    because,
  ]);
  const lines = providers.length === 0 ? ['none is enabled'] : align(cells).split('\n');
  const hint = 'No vendor’s key was found in the environment. Set one, such as OPENAI_API_KEY, and start again.';
  return lacksKey ? [...lines, hint] : lines;
}

/** Only the first line has a title. */
function titled(title: string, lines: readonly string[]): string[][] {
  return lines.map((line, index) => [index === 0 ? title : '', line]);
}

/** Works when pasted. */
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
