/** What a model accepts, derived from its name. Anthropic's API refuses parameters that a model does not support. */
export type ModelTraits = {
  /**
   * How thinking is requested: not at all, with a token budget, or adaptively with an effort.
   * https://docs.anthropic.com/en/docs/build-with-claude/adaptive-thinking
   */
  thinks: 'never' | 'budget' | 'adaptive';
  /** Supported efforts in addition to `low`, `medium` and `high`. */
  efforts: readonly string[];
  /** How thinking is turned off: by leaving it out, with a `thinking` type, or not at all (`low` asks for little). */
  thinksNot: 'unsaid' | 'disabled' | 'between_tools' | 'low';
  /** Whether `temperature`, `top_p` and `top_k` are accepted: all, temperature or top_p but not both, or none. */
  sampling: 'all' | 'one' | 'none';
  /** Whether `tool_choice` can force a tool: always, only without thinking, or never. */
  forcedTools: 'always' | 'unthinking' | 'never';
  /** Supports JSON schemas and strict tools. https://docs.anthropic.com/en/docs/build-with-claude/structured-outputs */
  schemas: boolean;
  /**
   * Accepts system text between turns.
   * https://docs.anthropic.com/en/docs/build-with-claude/mid-conversation-system-messages
   */
  systemTurns: boolean;
};

/** Traits of an unknown name: treated as a current model, limited to what all current models accept. */
const UNKNOWN: ModelTraits = {
  thinks: 'adaptive',
  efforts: [],
  thinksNot: 'disabled',
  sampling: 'all',
  forcedTools: 'unthinking',
  schemas: true,
  systemTurns: false,
};

/** Claude 2, 3 and 3.5. */
const EARLY: ModelTraits = {
  thinks: 'never',
  efforts: [],
  thinksNot: 'unsaid',
  sampling: 'all',
  forcedTools: 'always',
  schemas: false,
  systemTurns: false,
};

const TODAY: ModelTraits = {
  thinks: 'adaptive',
  efforts: ['xhigh', 'max'],
  thinksNot: 'disabled',
  sampling: 'none',
  forcedTools: 'always',
  schemas: true,
  systemTurns: true,
};

/**
 * Matches `claude-sonnet-4-5-20250929`, `anthropic.claude-opus-4-1-20250805-v1:0`, `claude-haiku-4.5`. Versions have at
 * most two digits, dates more.
 */
const NAME = /claude-([a-z]+)-(\d{1,2})(?:[.-](\d{1,2}))?(?!\d)/;
/** `claude-3-7-sonnet-20250219`, `claude-2.1`, `claude-instant-1`. */
const EARLY_NAME = /claude-(?:instant|v?([123]))(?:[.-](\d))?(?!\d)/;

/** The traits of the model with this vendor's name. */
export function traitsOf(model: string): ModelTraits {
  const name = model.toLowerCase();
  const early = EARLY_NAME.exec(name);
  if (early !== null) {
    const thinks = early[1] === '3' && early[2] === '7';
    return thinks ? { ...EARLY, thinks: 'budget', forcedTools: 'unthinking' } : EARLY;
  }
  const [, family, major, minor] = NAME.exec(name) ?? /claude-(mythos|fable)/.exec(name) ?? [];
  if (family === undefined) return UNKNOWN;
  return traitsOfVersion(family, Number(major ?? 5), Number(minor ?? 0));
}

function traitsOfVersion(family: string, major: number, minor: number): ModelTraits {
  if (major >= 5 || family === 'fable' || family === 'mythos') return ofFive(family, major, minor);
  if (major < 4) return EARLY;
  if (minor >= 7) return { ...TODAY, thinksNot: 'unsaid', forcedTools: 'unthinking', systemTurns: minor >= 8 };
  const four: ModelTraits = { ...EARLY, thinks: 'budget', forcedTools: 'unthinking' };
  if (minor < 5) return { ...four, schemas: family === 'opus' && minor === 1 };
  if (minor === 5) return { ...four, sampling: 'one', schemas: true };
  return {
    ...four,
    thinks: 'adaptive',
    efforts: family === 'opus' ? ['max'] : [],
    sampling: 'one',
    schemas: true,
  };
}

function ofFive(family: string, major: number, minor: number): ModelTraits {
  const later = major > 5 || minor >= 5;
  switch (family) {
    case 'fable':
    case 'mythos':
      return { ...TODAY, thinksNot: 'low', forcedTools: major > 5 || minor >= 1 ? 'never' : 'always' };
    case 'opus':
      return later ? { ...TODAY, thinksNot: 'low', forcedTools: 'never' } : TODAY;
    case 'sonnet':
      return later ? { ...TODAY, thinksNot: 'between_tools', forcedTools: 'never' } : TODAY;
    default:
      return TODAY;
  }
}
