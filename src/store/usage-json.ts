import type { Usage } from '../core/usage.ts';

/** How usage lies in a journal, and in the column of what was not believed. */
export type UsageJson = [
  input: number,
  cacheRead: number,
  cacheWrite: number,
  cacheWrite1h: number,
  output: number,
  reasoning: number,
  audioInput: number,
  audioOutput: number,
  serviceTier: string | null,
];

/** Without its names: there is one in every record. */
export function writeUsage(usage: Usage): UsageJson {
  return [
    usage.inputTokens,
    usage.cacheReadTokens,
    usage.cacheWriteTokens,
    usage.cacheWrite1hTokens,
    usage.outputTokens,
    usage.reasoningTokens,
    usage.audioInputTokens,
    usage.audioOutputTokens,
    usage.serviceTier ?? null,
  ];
}

/** Reads back what `writeUsage` wrote. */
export function readUsage(json: UsageJson): Usage {
  const [inputTokens, cacheReadTokens, cacheWriteTokens, cacheWrite1hTokens, outputTokens, ...rest] = json;
  const [reasoningTokens, audioInputTokens, audioOutputTokens, serviceTier] = rest;
  return {
    inputTokens,
    cacheReadTokens,
    cacheWriteTokens,
    cacheWrite1hTokens,
    outputTokens,
    reasoningTokens,
    audioInputTokens,
    audioOutputTokens,
    ...(serviceTier === null ? {} : { serviceTier }),
  };
}
