import { type FakeProvider, startFakeProvider } from '../../src/testing/fake-provider.ts';
import type { RecordedDialect } from '../../src/testing/recordings.ts';
import { type Running, startHeadgate } from '../support/headgate.ts';

/** Where each dialect is spoken. */
export const PATHS: Record<RecordedDialect, string> = {
  'openai-chat': '/v1/chat/completions',
  'openai-responses': '/v1/responses',
  'anthropic-messages': '/v1/messages',
};
export const DIALECTS = Object.keys(PATHS) as RecordedDialect[];

/** A gateway in front of one vendor, who speaks each dialect under its own name: `openai-chat/m`. */
export type TranslationLab = AsyncDisposable & { vendor: FakeProvider; headgate: Running };

export async function startTranslationLab(): Promise<TranslationLab> {
  const vendor = await startFakeProvider();
  const providers = DIALECTS.map((id) => `  ${id}: { base_url: "${vendor.url}", dialects: [${id}], models: [m] }`);
  const headgate = await startHeadgate({ config: `providers:\n${providers.join('\n')}\n` }).catch(async (error) => {
    await vendor.close();
    throw error;
  });
  return {
    vendor,
    headgate,
    async [Symbol.asyncDispose]() {
      await headgate[Symbol.asyncDispose]();
      await vendor.close();
    },
  };
}
