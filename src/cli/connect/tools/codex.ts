import { join } from 'node:path';
import { OperatorError } from '../../failure.ts';
import { folderOf } from '../place.ts';
import { TomlError, tomlString } from '../toml.ts';
import { setTomlRoot, setTomlTable, TomlConflict, type TomlValues } from '../toml-edit.ts';
import type { DeveloperTool, ToolConnection, ToolPlace } from '../tool.ts';

/** https://developers.openai.com/codex/config-reference. Settings that work with 0.169. */
const TABLE = ['model_providers', 'headgate'];
/** Alternative settings for the key: Codex accepts only one. */
const OTHER_KEYS = ['env_key', 'env_key_instructions', 'experimental_bearer_token', 'requires_openai_auth', 'auth'];

export const codex: DeveloperTool = {
  id: 'codex',
  label: 'Codex',
  prefers: [/^gpt-\d+(\.\d+)?$/, /^gpt-/],
  snippets: (connection, place) => [
    {
      about: configFile(place),
      language: 'toml',
      text: block(connection, { env_key: tomlString('HEADGATE_API_KEY') }),
    },
    { about: 'In the environment', language: 'sh', text: `export HEADGATE_API_KEY=${connection.key}` },
  ],
  advice: ['Then run: codex. To use another model once: codex -m NAME.'],
  files(connection, place) {
    const keyFile = join(folder(place), 'headgate.key');
    // Not in config.toml, because people share that file.
    const auth = `{ command = "cat", args = [${tomlString(keyFile)}] }`;
    return [
      { path: keyFile, holdsKey: true, edit: () => `${connection.key}\n` },
      { path: configFile(place), holdsKey: false, edit: (text) => edited(text ?? '', connection, { auth }, place) },
    ];
  },
};

function folder(place: ToolPlace): string {
  return folderOf(place, 'CODEX_HOME', '.codex');
}

function configFile(place: ToolPlace): string {
  return join(folder(place), 'config.toml');
}

function edited(text: string, connection: ToolConnection, key: TomlValues, place: ToolPlace): string {
  const others = OTHER_KEYS.filter((name) => !Object.hasOwn(key, name));
  try {
    return setTomlTable(setTomlRoot(text, rootOf(connection)), TABLE, { ...provider(connection), ...key }, others);
  } catch (error) {
    if (!(error instanceof TomlError || error instanceof TomlConflict)) throw error;
    throw new OperatorError(
      `${configFile(place)} cannot be edited: ${error.message}. Without --write the lines are shown.`,
    );
  }
}

function block(connection: ToolConnection, key: TomlValues): string {
  return setTomlTable(setTomlRoot('', rootOf(connection)), TABLE, { ...provider(connection), ...key }, []).trimEnd();
}

function rootOf({ model }: ToolConnection): TomlValues {
  return { model: tomlString(model), model_provider: tomlString('headgate') };
}

function provider({ address }: ToolConnection): TomlValues {
  return {
    name: tomlString('Headgate'),
    base_url: tomlString(`${address}/v1`),
    wire_api: tomlString('responses'),
  };
}
