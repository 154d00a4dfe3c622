import { join } from 'node:path';
import { folderOf } from '../place.ts';
import type { DeveloperTool, ToolConnection, ToolPlace } from '../tool.ts';
import { setMembers } from './json-file.ts';

/** https://code.claude.com/docs/en/settings. Settings that work with 2.1.330. */
export const claudeCode: DeveloperTool = {
  id: 'claude-code',
  label: 'Claude Code',
  prefers: [/^claude-sonnet-/, /^claude-/],
  snippets: (connection, place) => [
    {
      about: settingsFile(place),
      language: 'json',
      text: JSON.stringify({ env: environment(connection) }, null, 2),
    },
  ],
  advice: [
    'Then run: claude. To use another model once: claude --model NAME.',
    'Leave ANTHROPIC_API_KEY unset, because it would be sent too.',
  ],
  files(connection, place) {
    const path = settingsFile(place);
    const members = Object.entries(environment(connection)).map(([name, value]) => [['env', name], value] as const);
    return [{ path, holdsKey: true, edit: (text) => setMembers(path, text, members) }];
  },
};

function settingsFile(place: ToolPlace): string {
  return join(folderOf(place, 'CLAUDE_CONFIG_DIR', '.claude'), 'settings.json');
}

/**
 * Settings override variables of the shell. The address has no `/v1`; the last setting turns telemetry and updates off.
 */
function environment({ address, key, model, smallModel }: ToolConnection): Record<string, string> {
  return {
    ANTHROPIC_BASE_URL: address,
    ANTHROPIC_AUTH_TOKEN: key,
    ANTHROPIC_MODEL: model,
    ANTHROPIC_DEFAULT_HAIKU_MODEL: smallModel,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  };
}
