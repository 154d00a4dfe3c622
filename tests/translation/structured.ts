import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import Anthropic from '@anthropic-ai/sdk';
import { zodOutputFormat } from '@anthropic-ai/sdk/helpers/zod';
import { ChatAnthropic } from '@langchain/anthropic';
import { ChatOpenAI } from '@langchain/openai';
import { Agent, OpenAIChatCompletionsModel, OpenAIResponsesModel, run, setTracingDisabled } from '@openai/agents';
import { generateText, type LanguageModel, Output, streamText } from 'ai';
import OpenAI from 'openai';
import { zodResponseFormat, zodTextFormat } from 'openai/helpers/zod';
import * as z from 'zod';

const PROMPT = 'What is the weather in Oslo?';
const NAME = 'weather';
const MAX_TOKENS = 1000;
const Weather = z.object({ temperature: z.number(), sky: z.string() });

/** Asks for it by a tool that must be called, as clients do where they know of no other way. */
export function structuredByTool(url: string, apiKey: string): Structured {
  const anthropic = createAnthropic({ baseURL: `${url}/v1`, apiKey });
  return aiSdk((id) => anthropic(id), { anthropic: { structuredOutputMode: 'jsonTool' } });
}

/** Asks a model for an answer of a form, and gives what was made of it. */
export type Structured = (model: string, stream: boolean) => Promise<unknown>;

/** The ways in which clients ask for an answer of a form in their dialect's own words. */
export function structuredAt(url: string, apiKey: string): Record<string, Structured> {
  setTracingDisabled(true);
  const baseURL = `${url}/v1`;
  const at = { baseURL, apiKey };
  const openai = createOpenAI(at);
  const compatible = createOpenAICompatible({ name: 'headgate', ...at, supportsStructuredOutputs: true });
  const own = new OpenAI({ ...at, maxRetries: 0 });
  const anthropic = new Anthropic({ baseURL: url, apiKey, maxRetries: 0 });
  const langchain = { apiKey, maxRetries: 0, configuration: { baseURL } };
  const messages = [{ role: 'user' as const, content: PROMPT }];
  return {
    'ai, openai': aiSdk((id) => openai(id)),
    'ai, openai.chat': aiSdk((id) => openai.chat(id)),
    'ai, openai-compatible': aiSdk((id) => compatible(id)),
    'ai, anthropic': aiSdk((id) => createAnthropic(at)(id), { anthropic: { structuredOutputMode: 'outputFormat' } }),
    'agents, responses': agentsSdk((id) => new OpenAIResponsesModel(own, id)),
    'agents, chat': agentsSdk((id) => new OpenAIChatCompletionsModel(own, id)),
    'langchain, openai': langchainAsk((model) => new ChatOpenAI({ ...langchain, model })),
    'langchain, openai with responses': langchainAsk(
      (model) => new ChatOpenAI({ ...langchain, model, useResponsesApi: true }),
    ),
    'langchain, anthropic': langchainAsk(
      (model) => new ChatAnthropic({ apiKey, maxRetries: 0, model, anthropicApiUrl: url }),
    ),
    async 'openai.responses'(model, stream) {
      const body = { model, input: PROMPT, text: { format: zodTextFormat(Weather, NAME) } };
      const response = stream ? await own.responses.stream(body).finalResponse() : await own.responses.parse(body);
      return response.output_parsed;
    },
    async 'openai.chat.completions'(model, stream) {
      const body = { model, messages, response_format: zodResponseFormat(Weather, NAME) };
      const { completions } = own.chat;
      const answer = stream ? await completions.stream(body).finalChatCompletion() : await completions.parse(body);
      return answer.choices[0]?.message.parsed;
    },
    async 'anthropic.messages'(model, stream) {
      const body = { model, messages, max_tokens: MAX_TOKENS, output_config: { format: zodOutputFormat(Weather) } };
      const message = stream
        ? await anthropic.messages.stream(body).finalMessage()
        : await anthropic.messages.parse(body);
      return message.parsed_output;
    },
  };
}

function aiSdk(
  modelOf: (id: string) => LanguageModel,
  providerOptions: Record<string, Record<string, string>> = {},
): Structured {
  return async (id, stream) => {
    const output = Output.object({ schema: Weather, name: NAME });
    const options = { model: modelOf(id), prompt: PROMPT, output, maxRetries: 0, providerOptions };
    return stream ? streamText(options).output : (await generateText(options)).output;
  };
}

function agentsSdk(modelOf: (id: string) => OpenAIChatCompletionsModel | OpenAIResponsesModel): Structured {
  return async (id, stream) => {
    const agent = new Agent({ name: 'Forecaster', model: modelOf(id), outputType: Weather });
    if (!stream) return (await run(agent, PROMPT)).finalOutput;
    const result = await run(agent, PROMPT, { stream });
    await result.completed;
    return result.finalOutput;
  };
}

function langchainAsk(modelOf: (id: string) => ChatOpenAI | ChatAnthropic): Structured {
  return async (id, stream) => {
    const model = modelOf(id).withStructuredOutput(Weather, { name: NAME, method: 'jsonSchema' });
    if (!stream) return model.invoke(PROMPT);
    let last: unknown;
    for await (const soFar of await model.stream(PROMPT)) last = soFar;
    return last;
  };
}
