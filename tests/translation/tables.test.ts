import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FACT_PLACES } from '../../src/catalog/vendor-facts.ts';
import type { ListPrices, Quirks, SearchRow, ThinkingRow, ToolRules } from '../../src/core/quirks.ts';
import { membersOf } from '../../src/dialects/answer-scan.ts';
import { SEARCH as MESSAGES_SEARCH } from '../../src/dialects/anthropic-messages/call-write-tools.ts';
import { DIALECTS } from '../../src/dialects/built.ts';
import { CAUSES } from '../../src/dialects/error-cause.ts';
import { FOREIGN_REASONS, foreignReason } from '../../src/dialects/finish-reasons.ts';
import type { Fate, MemberShape } from '../../src/dialects/members.ts';
import { SEARCH as RESPONSES_SEARCH } from '../../src/dialects/openai-responses/call-write.ts';
import { RECOGNIZERS } from '../../src/dialects/too-long-messages.ts';
import { HOSTS } from '../../src/providers/hosts.ts';
import { PRICES_PER_TOKEN } from '../../src/providers/list-prices.ts';
import { PRESETS } from '../../src/providers/presets.ts';
import { AZURE } from '../../src/providers/quirks.ts';
import { EVERYWHERE } from '../../src/providers/thinking.ts';
import { TOOL_RULES } from '../../src/providers/tool-rules.ts';
import { TABLES } from '../vendors/members/places.ts';
import { holdTable } from './documents.ts';

test('docs/translation.md names every vendor whose words for a prompt that is too long are known', () => {
  const rows = RECOGNIZERS.map(({ who, source }) => [
    who,
    source === 'reports' ? 'callers in public repositories, read on 2026-11-27; no page was found' : source,
  ]);
  holdTable('Prompts that are too long', ['Whose words are known', 'Source'], rows);
});

const SWITCHES: Readonly<Record<ThinkingRow['switch'], string>> = {
  effort: 'an effort alone',
  type: '`thinking.type`, and an effort',
  enable: '`enable_thinking`',
  always: 'cannot be switched',
  never: 'never thinks',
};

test('docs/translation.md says how thinking is switched at every vendor', () => {
  const vendors = PRESETS.map(({ label, quirks }) => [label, quirks?.thinking ?? []] as const);
  const rows = [...vendors, ['Everywhere else', EVERYWHERE] as const].flatMap(([label, thinking]) =>
    thinking.map((row) => [label, modelsOf(row), switchOf(row), row.efforts.join(', '), row.source]),
  );
  holdTable('How thinking is switched', ['Vendor', 'Models', 'Switch', 'Efforts', 'Source'], rows);
});

function modelsOf({ models }: ThinkingRow): string {
  return models.source === '.' ? 'all others' : `\`${patternOf(models)}\``;
}

function patternOf(models: RegExp): string {
  return models.source.replaceAll('|', '\\|').replaceAll('\\/', '/');
}

function switchOf({ switch: way, efforts, budget, streamedOnly }: ThinkingRow): string {
  const said = way === 'type' && efforts.length === 0 ? '`thinking.type`' : SWITCHES[way];
  return `${said}${budget === true ? ', `thinking_budget`' : ''}${streamedOnly === true ? '; only in streams' : ''}`;
}

test('docs/translation.md says how every vendor is asked to search the web', () => {
  const rows = PRESETS.flatMap(({ label, quirks }) =>
    Object.entries(quirks?.webSearch ?? {}).map(([dialect, row]) => searchRow(label, dialect, row)),
  );
  const others = [
    searchRow('All others', 'openai-responses', RESPONSES_SEARCH),
    searchRow('All', 'anthropic-messages', MESSAGES_SEARCH),
  ];
  const head = ['Vendor', 'Format', 'Asked for as', 'Options', 'Models', 'Source'];
  holdTable('Searches of the web', head, [...rows, ...others]);
});

function searchRow(label: string, dialect: string, { tool, member, options, models, source }: SearchRow): string[] {
  const asked = tool?.type ?? member?.name;
  const word = asked === undefined ? 'nothing' : `\`${asked}\``;
  const named = Object.keys(options).map((name) => `\`${name}\``);
  return [label, dialect, word, named.join(', '), modelsThatSearch(models), source];
}

function modelsThatSearch(models: SearchRow['models']): string {
  if (models === undefined) return 'all';
  return models.source === '(?!)' ? 'none' : `\`${patternOf(models)}\``;
}

test('docs/translation.md says which vendors of chat and responses take cache marks', () => {
  const rows = PRESETS.flatMap(({ label, quirks: { cacheControl, cacheBreakpoints } = {} }) => [
    ...(cacheControl === undefined ? [] : [[label, '`cache_control`', 'all', cacheControl.source]]),
    ...(cacheBreakpoints === undefined
      ? []
      : [[label, '`prompt_cache_breakpoint`', `\`${patternOf(cacheBreakpoints.models)}\``, cacheBreakpoints.source]]),
  ]);
  holdTable('Marks up to where a prompt may be cached', ['Vendor', 'Marks', 'Models', 'Source'], rows);
});

test('docs/translation.md says by which headers vendors keep a session', () => {
  const rows = PRESETS.flatMap(({ label, quirks }) =>
    quirks?.session === undefined
      ? []
      : [[label, quirks.session.headers.map((name) => `\`${name}\``).join(', '), quirks.session.source]],
  );
  holdTable('Headers that keep a session where its cache is', ['Vendor', 'Headers', 'Source'], rows);
});

test('docs/translation.md says which vendors are believed what a call cost', () => {
  const rows = [...PRESETS, ...HOSTS].flatMap(({ label, quirks }) =>
    quirks?.reportsCost === undefined
      ? []
      : [[label, `\`usage.${quirks.reportsCost.member}\``, quirks.reportsCost.source]],
  );
  holdTable('Costs that vendors tell', ['Vendor', 'Member', 'Source'], rows);
});

test('docs/translation.md says where vendors’ lists tell what a model can do', () => {
  const rows = Object.entries(FACT_PLACES).flatMap(([fact, places]) =>
    places.map(([place, whose]) => [fact, `\`${place}\``, whose]),
  );
  holdTable('What vendors’ lists tell', ['Fact', 'Place', 'Whose word it is'], rows);
});

test('docs/translation.md says which vendors have a list at another address', () => {
  const tellsOf: Readonly<Record<string, string>> = {
    list: 'all models',
    model: 'one model at a time',
    server: 'the only model',
  };
  const rows = PRESETS.flatMap(({ label, factsLists = [] }) =>
    factsLists.map(({ from, to, of = 'list', source, read }) => [
      label,
      `\`${endOf(from)}\``,
      `\`${to}\``,
      tellsOf[of]!,
      source,
      read,
    ]),
  );
  const head = ['Vendor', 'End of the address', 'Asked instead', 'Tells of', 'Source', 'Read'];
  holdTable('Lists at other addresses', head, rows);
});

function endOf(pattern: RegExp): string {
  return patternOf(pattern).replace(/\$$/, '');
}

test('docs/translation.md says how vendors’ lists tell prices', () => {
  const rowOf = (label: string, { at, perTokens, rates, search, source }: ListPrices) => {
    const members = [...Object.keys(rates), ...(search === undefined ? [] : [search])].map((name) => `\`${name}\``);
    const unit = perTokens === 1 ? 'one token, as text' : 'a million tokens';
    return [label, `\`${at}\``, unit, members.join(', '), source];
  };
  const rows = [...PRESETS, ...HOSTS].flatMap(({ label, quirks }) =>
    quirks?.listPrices === undefined ? [] : [rowOf(label, quirks.listPrices)],
  );
  const head = ['Vendor', 'Where', 'For', 'Members', 'Source'];
  holdTable('Prices in vendors’ lists', head, [...rows, rowOf('All others', PRICES_PER_TOKEN)]);
});

test('docs/translation.md says which models take functions in responses alone', () => {
  const rows = [...PRESETS, ...HOSTS.filter(({ quirks }) => quirks !== AZURE)].flatMap(({ label, quirks }) =>
    quirks?.thinksOrCalls === undefined
      ? []
      : [[label, `\`${patternOf(quirks.thinksOrCalls.models)}\``, quirks.thinksOrCalls.source]],
  );
  holdTable('Functions in chat completions', ['Vendor', 'Models', 'Source'], rows);
});

test('docs/translation.md says which models are served as responses alone', () => {
  const rows = [...PRESETS, ...HOSTS.filter(({ quirks }) => quirks !== AZURE)].flatMap(
    ({ label, onlyAsResponses: only }) =>
      only === undefined ? [] : [[label, `\`${patternOf(only.models)}\``, only.source]],
  );
  holdTable('Models that only responses serve', ['Vendor', 'Models', 'Source'], rows);
});

test('docs/translation.md says of every member that is not read what becomes of it', () => {
  const rows = Object.entries(TABLES).flatMap(([format, { request, response, events, errors }]) => {
    const seen = new Set<MemberShape>();
    const places = { call: request, answer: response, 'piece of a stream': events, error: errors };
    return Object.entries(places).flatMap(([place, shape]) =>
      shape === undefined ? [] : rowsOf(shape, '', seen).map((cells) => [format, place, ...cells]),
    );
  });
  holdTable(
    'Members that only one format has',
    ['Format', 'In a', 'Within', 'Reported', 'Kept for its own format', 'Left out in silence', 'Refused'],
    rows,
  );
});

const SHOWN: readonly Fate[] = ['reported', 'native', 'silent', 'refused'];

/** A row for each object that has something to show. One that stands in several places is shown at the first. */
function rowsOf(shape: MemberShape, path: string, seen: Set<MemberShape>): string[][] {
  if (seen.has(shape)) return [];
  seen.add(shape);
  const parts = [shape.members, shape.kinds, shape.words].flatMap((entries) => [...(entries ?? [])]);
  const cells = SHOWN.map((fate) => parts.flatMap(([name, each]) => (each === fate ? [`\`${name}\``] : [])).join(', '));
  const row = cells.some((cell) => cell !== '') ? [[path === '' ? '' : `\`${path}\``, ...cells]] : [];
  const members = [...(shape.members ?? [])].map(
    ([name, each]) => [path === '' ? name : `${path}.${name}`, each] as const,
  );
  const kinds = [...(shape.kinds ?? [])].map(([kind, each]) => [`${path}[${kind}]`, each] as const);
  const inner = [...members, ...kinds].flatMap(([at, each]) =>
    typeof each === 'object' ? rowsOf(each, at, seen) : [],
  );
  return [...row, ...inner];
}

test('docs/translation.md shows what each vendor takes of tools', () => {
  const expected = Object.entries<ToolRules>(TOOL_RULES).map(
    ([id, { longestName, startsWithLetter, refuses = [], takes = [], source, read = 'not checked' }]) => {
      const forms = refuses.map((form) => `\`${form}\``);
      const refused = startsWithLetter === true ? ['names that begin with a digit or `-`', ...forms] : forms;
      const taken = takes.map((form) => `\`${form}\``).join(', ');
      return [`\`${id}\``, `${longestName}`, refused.join(', '), taken, source, read];
    },
  );
  const head = ['Vendor', 'Longest name', 'Refuses', 'Takes', 'Source', 'Read'];
  holdTable('What vendors take of tools', head, expected);
});

test('docs/translation.md says which members of an answer bear a mark of their maker', () => {
  const rows = DIALECTS.flatMap(({ id, outbound }) => {
    const answer = Buffer.from(JSON.stringify(SEALED));
    const found = outbound.sealsOf?.(answer, membersOf(answer).index) ?? [];
    return found.length === 0 ? [] : [[id, found.map(({ name }) => `\`${name}\``).join(', ')]];
  });
  holdTable('Proofs of reasoning, and who made them', ['Format', 'Members that are marked'], rows);
});

/** An answer with every seal that there is, in each dialect. */
const SEALED = {
  choices: [
    {
      message: {
        reasoning_details: [
          { type: 'reasoning.text', signature: 's' },
          { type: 'reasoning.encrypted', data: 's' },
        ],
        tool_calls: [{ extra_content: { google: { thought_signature: 's' } } }],
      },
    },
  ],
  output: [{ type: 'reasoning', encrypted_content: 's' }],
  content: [
    { type: 'thinking', signature: 's' },
    { type: 'redacted_thinking', data: 's' },
    { type: 'compaction', content: 'c', encrypted_content: 's' },
    { type: 'code_execution_tool_result', content: { encrypted_stdout: 's' } },
    { type: 'text', citations: [{ encrypted_index: 's' }] },
  ],
};

test('docs/translation.md says which models write their thinking into their text', () => {
  const rows = PRESETS.flatMap(({ label, quirks }) =>
    quirks?.thinkTags === undefined
      ? []
      : [[label, `\`${patternOf(quirks.thinkTags.models)}\``, quirks.thinkTags.source]],
  );
  holdTable('Thinking in the text', ['Vendor', 'Models', 'Source'], rows);
});

test('docs/translation.md names the places of causes within errors', () => {
  const rows = CAUSES.map(({ member, tells, source }) => [`\`${member}\``, tells, source]);
  holdTable('Causes within errors', ['Member', 'What it tells', 'Source'], rows);
});

test('docs/translation.md names the ends that are cuts, and how each format says them', () => {
  const written = { length: ['`length`', '`max_output_tokens`', '`max_tokens`'], 'content-filter': FILTERED };
  const rows = Object.entries(FOREIGN_REASONS).map(([reason, words]) => [
    words.map((word) => `\`${word}\``).join(', '),
    ...written[reason as keyof typeof written],
  ]);
  holdTable('Ends that are cuts', ['Vendors say', 'Chat', 'Responses (`incomplete_details`)', 'Messages'], rows);
});

const FILTERED = ['`content_filter`', '`content_filter`', '`refusal`'];

test('and each of these words is read so in every format that has no other meaning for it', () => {
  for (const [reason, words] of Object.entries(FOREIGN_REASONS)) {
    for (const word of words) {
      const camel = word.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
      const forms = [word.toUpperCase(), word.replaceAll('_', '-'), camel, `FinishReason.${word.toUpperCase()}`];
      for (const form of forms) assert.equal(foreignReason(form), reason, form);
    }
  }
});

/** What is written otherwise for vendors with a quirk. */
const BENT: readonly [keyof Quirks, string][] = [
  ['developerRole', 'The role `developer` stays; elsewhere it becomes `system`'],
  ['systemAnywhere', 'System text stays where it is'],
  ['customTools', 'Custom tools stay; elsewhere they become functions of one text'],
  ['maxTokensField', 'The limit on output tokens is `max_completion_tokens`'],
  ['nineLetterCallIds', 'Ids of tool calls become nine letters and digits'],
  ['refusesUserAfterTool', 'A word of the assistant stands between results of tools and a user turn with media'],
  ['refusesStreamOptions', '`stream_options` is left out'],
  ['refusesSchemas', 'A schema for the answer becomes `json_object`'],
  ['reasoningField', 'Reasoning of earlier turns goes back'],
  ['reasoningWithCalls', 'Every earlier call of a tool brings its reasoning, even if it is empty'],
  ['repair', 'Answers are read and written anew'],
  ['writtenIn', 'Calls of other formats are written in chat completions, also if responses are spoken'],
];

test('docs/translation.md says which vendors are written to otherwise', () => {
  const rows = BENT.map(([quirk, what]) => {
    const vendors = PRESETS.filter(({ quirks }) => quirks?.[quirk] !== undefined && quirks[quirk] !== false);
    return [what, vendors.map(({ label }) => label).join(', ')];
  });
  holdTable('Vendors that are written to otherwise', ['What', 'Vendors'], rows);
});
