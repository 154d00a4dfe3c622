import { createOpenAI, type OpenAIProvider, type OpenAIProviderSettings } from '@ai-sdk/openai';
import { addressOf, environment, faultOf, NO_KEY } from '../../javascript/src/environment.ts';
import { type GatewayInfo, readHeaders } from '../../javascript/src/headers.ts';

export type { GatewayInfo, RateLimit } from '../../javascript/src/headers.ts';

type LanguageModel = ReturnType<OpenAIProvider['chat']>;
type EmbeddingModel = ReturnType<OpenAIProvider['embeddingModel']>;
type Generated = Awaited<ReturnType<LanguageModel['doGenerate']>>;
type Streamed = Awaited<ReturnType<LanguageModel['doStream']>>;
type Part = Streamed['stream'] extends ReadableStream<infer Each> ? Each : never;
type Metadata = NonNullable<Generated['providerMetadata']>;

export type HeadgateSettings = Pick<OpenAIProviderSettings, 'apiKey' | 'fetch' | 'headers'> & {
  /** With or without `/v1`. `HEADGATE_BASE_URL` where left out, else a gateway on this machine: `http://127.0.0.1:8080`. */
  baseURL?: string | undefined;
  /** What `headgate('name')` speaks; `responses` where left out. */
  api?: 'responses' | 'chat' | undefined;
};

/** Models of a gateway. What a call came to has `providerMetadata.headgate`: who served it, and what it cost. */
export type HeadgateProvider = Pick<OpenAIProvider, 'specificationVersion' | 'imageModel'> & {
  /** A language model, by the API of the setting `api`. */
  (modelId: string): LanguageModel;
  languageModel(modelId: string): LanguageModel;
  /** One that is asked by chat completions. */
  chat(modelId: string): LanguageModel;
  /** One that is asked by responses. */
  responses(modelId: string): LanguageModel;
  embedding(modelId: string): EmbeddingModel;
  embeddingModel(modelId: string): EmbeddingModel;
};

/** A provider. Where there is no key, in `apiKey` or `HEADGATE_API_KEY`, its calls fail and say so. */
export function createHeadgate(settings: HeadgateSettings = {}): HeadgateProvider {
  const { api = 'responses', apiKey, baseURL, ...rest } = settings;
  const openai = createOpenAI({
    ...rest,
    // Asked before each call, so that whoever imports `headgate` needs no key yet.
    apiKey: async () => sendable(await (typeof apiKey === 'function' ? apiKey() : apiKey)),
    baseURL: addressOf(baseURL),
    name: 'headgate',
  });
  const chat = (modelId: string) => telling(openai.chat(modelId));
  const responses = (modelId: string) => telling(openai.responses(modelId));
  const embeddingModel = (modelId: string) => tellingEmbeddings(openai.embeddingModel(modelId));
  const languageModel = api === 'chat' ? chat : responses;
  return Object.assign((modelId: string) => languageModel(modelId), {
    specificationVersion: openai.specificationVersion,
    languageModel,
    chat,
    responses,
    embedding: embeddingModel,
    embeddingModel,
    imageModel: (modelId: string) => openai.imageModel(modelId),
  });
}

/** The provider with what the environment says. */
export const headgate: HeadgateProvider = createHeadgate();

/** The key as it is given, else that of the environment. Throws where there is none, or one that no header can have. */
function sendable(given: string | undefined): string {
  const key = given || environment('HEADGATE_API_KEY');
  if (!key) throw new Error(NO_KEY);
  const fault = faultOf('apiKey', key);
  if (fault !== null) throw new Error(fault);
  return key;
}

/** The model, whose answers say who served them. */
function telling(model: LanguageModel): LanguageModel {
  return wrapped(model, {
    doGenerate: async (options) => {
      const result = await model.doGenerate(options);
      return { ...result, providerMetadata: metadata(result.providerMetadata, result.response?.headers) };
    },
    doStream: async (options) => {
      const result = await model.doStream(options);
      return { ...result, stream: result.stream.pipeThrough(tellingAtEnd(result.response?.headers)) };
    },
  });
}

function tellingEmbeddings(model: EmbeddingModel): EmbeddingModel {
  return wrapped(model, {
    doEmbed: async (options) => {
      const result = await model.doEmbed(options);
      return { ...result, providerMetadata: metadata(result.providerMetadata, result.response?.headers) };
    },
  });
}

/** A model's members are partly its class's: they are found behind those that take their place. */
function wrapped<Model extends object>(model: Model, own: Partial<Model>): Model {
  return new Proxy(model, {
    get: (target, name) => (name in own ? own[name as keyof Model] : Reflect.get(target, name, target)),
  });
}

type ResponseHeaders = Readonly<Record<string, string | undefined>> | undefined;

function tellingAtEnd(headers: ResponseHeaders): TransformStream<Part, Part> {
  return new TransformStream({
    transform(part, controller) {
      if (part.type !== 'finish') return controller.enqueue(part);
      controller.enqueue({ ...part, providerMetadata: metadata(part.providerMetadata, headers) });
    },
  });
}

function metadata(vendors: Metadata | undefined, headers: ResponseHeaders): Metadata {
  const said = Object.entries(headers ?? {}).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  const info: GatewayInfo = readHeaders(new Headers(said as [string, string][]));
  return { ...vendors, headgate: { ...info, rateLimit: { ...info.rateLimit } } };
}
