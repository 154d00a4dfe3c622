import type { DeveloperTool } from '../tool.ts';
import { aiSdk } from './ai-sdk.ts';
import { claudeCode } from './claude-code.ts';
import { codex } from './codex.ts';
import { cursor } from './cursor.ts';
import { opencode } from './opencode.ts';

/** All supported tools, in the order of help. */
export const TOOLS: readonly DeveloperTool[] = [codex, claudeCode, cursor, opencode, aiSdk];
