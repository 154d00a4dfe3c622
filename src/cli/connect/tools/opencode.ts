import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { variable } from '../../../config/interpolate.ts';
import { folderOf } from '../place.ts';
import type { DeveloperTool, ToolConnection, ToolPlace } from '../tool.ts';
import { type FileMembers, setMembers } from './json-file.ts';

/** https://opencode.ai/docs/config, https://opencode.ai/docs/providers */
const EMPTY = '{\n  "$schema": "https://opencode.ai/config.json"\n}\n';

export const opencode: DeveloperTool = {
  id: 'opencode',
  label: 'OpenCode',
  prefers: [/^claude-sonnet-/, /^gpt-\d+(\.\d+)?$/],
  snippets(connection, place) {
    const path = configFile(place);
    const text = setMembers(path, null, members(connection, '{env:HEADGATE_API_KEY}'), EMPTY).trimEnd();
    return [
      { about: path, language: 'json', text },
      { about: 'In the environment', language: 'sh', text: `export HEADGATE_API_KEY=${connection.key}` },
    ];
  },
  advice: ['Then run: opencode. Add further models to provider.headgate.models.'],
  files(connection, place) {
    const path = configFile(place);
    const keyFile = join(dirname(path), 'headgate.key');
    return [
      { path: keyFile, holdsKey: true, edit: () => `${connection.key}\n` },
      {
        path,
        holdsKey: false,
        edit: (text) => setMembers(path, text, members(connection, `{file:${keyFile}}`), EMPTY),
      },
    ];
  },
};

/** Of its global files, the one with comments is read last and wins. */
function configFile(place: ToolPlace): string {
  const own = variable(place.env, 'OPENCODE_CONFIG');
  if (own !== undefined) return resolve(place.cwd, own);
  const folder = join(folderOf(place, 'XDG_CONFIG_HOME', '.config'), 'opencode');
  const commented = join(folder, 'opencode.jsonc');
  return existsSync(commented) ? commented : join(folder, 'opencode.json');
}

function members({ address, model }: ToolConnection, apiKey: string): FileMembers {
  const provider = ['provider', 'headgate'];
  return [
    [['model'], `headgate/${model}`],
    [[...provider, 'npm'], '@ai-sdk/openai-compatible'],
    [[...provider, 'name'], 'Headgate'],
    [[...provider, 'options', 'baseURL'], `${address}/v1`],
    [[...provider, 'options', 'apiKey'], apiKey],
    [[...provider, 'models', model, 'name'], model],
  ];
}
