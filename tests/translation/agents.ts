import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { ChatAnthropic } from '@langchain/anthropic';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { type AIMessageChunk, type BaseMessage, HumanMessage } from '@langchain/core/messages';
import { tool as langchainTool } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
import {
  Agent,
  tool as agentTool,
  type Model,
  OpenAIChatCompletionsModel,
  OpenAIResponsesModel,
  run,
  setTracingDisabled,
} from '@openai/agents';
import { generateText, isStepCount, type LanguageModel, streamText, tool } from 'ai';
import OpenAI from 'openai';
import * as z from 'zod';
import { field } from '../../src/testing/json.ts';

/** What an agent was asked, and the one tool that it may call. */
export const PROMPT = 'What is the weather in Rome and in Oslo?';
const City = z.object({ city: z.string() });
const NAME = 'weather';
const DESCRIPTION = 'Tells the weather in a city.';
const MAX_TURNS = 5;

/** What an agent came to after the last turn. Usage is that of all turns. */
export type Outcome = { text: string; asked: readonly string[]; usage: { input: number; output: number } };

export type AgentClient = {
  /** It sends the seals of reasoning back (or names the items that hold them), and with them the ids of their items. */
  keepsSeals: boolean;
  /** It sends reasoning back in chat's own member, without proof. */
  keepsThoughts?: boolean;
  /** It sends an empty text where there was none. */
  saysNothing?: boolean;
  /** It counts what a stream guesses at its beginning as well. */
  countsGuesses?: boolean;
  /** Runs a loop of tools to its end, unless it is stopped before. */
  run(model: string, stream: boolean, watch?: Watch): Promise<Outcome>;
};

/** Stops an agent, and is told of each piece of a stream that has come to it. */
export type Watch = { signal: AbortSignal; seen(): void };

export function report(city: string): string {
  return `rain in ${city}`;
}

/** The agents that people build with, unmodified but for address and key. They repeat nothing. */
export function agentsAt(url: string, apiKey: string): Record<string, AgentClient> {
  setTracingDisabled(true);
  const baseURL = `${url}/v1`;
  const openai = createOpenAI({ baseURL, apiKey });
  const anthropic = createAnthropic({ baseURL, apiKey });
  const compatible = createOpenAICompatible({ name: 'headgate', baseURL, apiKey, includeUsage: true });
  const client = new OpenAI({ baseURL, apiKey, maxRetries: 0 });
  const langchain = { apiKey, maxRetries: 0, configuration: { baseURL } };
  return {
    'ai, openai': { keepsSeals: true, run: aiSdk((id) => openai(id)) },
    'ai, openai that stores nothing': {
      keepsSeals: true,
      run: aiSdk((id) => openai(id), { openai: { store: false } }),
    },
    'ai, openai.chat': { keepsSeals: false, run: aiSdk((id) => openai.chat(id)) },
    'ai, openai-compatible': { keepsSeals: false, keepsThoughts: true, run: aiSdk((id) => compatible(id)) },
    'ai, anthropic': { keepsSeals: true, run: aiSdk((id) => anthropic(id)) },
    'agents, responses': { keepsSeals: true, run: agentsSdk((id) => new OpenAIResponsesModel(client, id)) },
    'agents, chat': { keepsSeals: false, run: agentsSdk((id) => new OpenAIChatCompletionsModel(client, id)) },
    'langchain, openai': {
      keepsSeals: false,
      saysNothing: true,
      run: langchainLoop((model) => new ChatOpenAI({ ...langchain, model })),
    },
    'langchain, openai with responses': {
      keepsSeals: true,
      run: langchainLoop((model) => new ChatOpenAI({ ...langchain, model, useResponsesApi: true })),
    },
    'langchain, anthropic': {
      keepsSeals: true,
      countsGuesses: true,
      run: langchainLoop((model) => new ChatAnthropic({ apiKey, maxRetries: 0, model, anthropicApiUrl: url })),
    },
  };
}

/** What the tool does, and what it was asked. */
function forecaster() {
  const asked: string[] = [];
  const execute = async ({ city }: z.infer<typeof City>) => {
    asked.push(city);
    return report(city);
  };
  return { asked, execute };
}

function aiSdk(
  modelOf: (id: string) => LanguageModel,
  providerOptions: Record<string, Record<string, boolean>> = {},
): AgentClient['run'] {
  return async (id, stream, watch) => {
    const { asked, execute } = forecaster();
    const weather = tool({ description: DESCRIPTION, inputSchema: City, execute });
    const options = {
      model: modelOf(id),
      prompt: PROMPT,
      tools: { weather },
      stopWhen: isStepCount(MAX_TURNS),
      maxRetries: 0,
      providerOptions,
      ...(watch && { abortSignal: watch.signal }),
    };
    // What goes wrong with a stream is printed if nobody listens; its result rejects in any case.
    const result = stream
      ? streamText({ ...options, onError() {}, onChunk: () => watch?.seen() })
      : await generateText(options);
    const [text, usage] = await Promise.all([result.text, result.totalUsage]);
    return { text, asked, usage: { input: usage.inputTokens ?? 0, output: usage.outputTokens ?? 0 } };
  };
}

function agentsSdk(modelOf: (id: string) => Model): AgentClient['run'] {
  return async (id, stream, watch) => {
    const { asked, execute } = forecaster();
    const weather = agentTool({ name: NAME, description: DESCRIPTION, parameters: City, execute });
    const agent = new Agent({ name: 'Forecaster', instructions: 'Be brief.', model: modelOf(id), tools: [weather] });
    const options = { maxTurns: MAX_TURNS, ...(watch && { signal: watch.signal }) };
    const result = stream ? await run(agent, PROMPT, { ...options, stream }) : await run(agent, PROMPT, options);
    if ('completed' in result) {
      for await (const _ of result) watch?.seen();
      await result.completed;
    }
    const { inputTokens, outputTokens } = result.runContext.usage;
    return { text: String(result.finalOutput), asked, usage: { input: inputTokens, output: outputTokens } };
  };
}

function langchainLoop(modelOf: (id: string) => BaseChatModel): AgentClient['run'] {
  return async (id, stream, watch) => {
    const { asked, execute } = forecaster();
    const weather = langchainTool(execute, { name: NAME, description: DESCRIPTION, schema: City });
    const options = { ...(watch && { signal: watch.signal }) };
    const model = modelOf(id).bindTools!([weather]);
    const messages: BaseMessage[] = [new HumanMessage(PROMPT)];
    const usage = { input: 0, output: 0 };
    for (let turn = 0; turn < MAX_TURNS; turn += 1) {
      const reply = stream
        ? await joined(await model.stream(messages, options), watch)
        : await model.invoke(messages, options);
      usage.input += Number(field(reply, 'usage_metadata', 'input_tokens'));
      usage.output += Number(field(reply, 'usage_metadata', 'output_tokens'));
      messages.push(reply);
      if (reply.tool_calls === undefined || reply.tool_calls.length === 0) return { text: reply.text, asked, usage };
      for (const call of reply.tool_calls) messages.push(await weather.invoke({ ...call, type: 'tool_call' }));
    }
    throw new Error(`there is no last word after ${MAX_TURNS} turns`);
  };
}

async function joined(stream: AsyncIterable<AIMessageChunk>, watch?: Watch): Promise<AIMessageChunk> {
  let whole: AIMessageChunk | undefined;
  for await (const chunk of stream) {
    watch?.seen();
    whole = whole === undefined ? chunk : whole.concat(chunk);
  }
  if (whole === undefined) throw new Error('the stream is empty');
  return whole;
}
