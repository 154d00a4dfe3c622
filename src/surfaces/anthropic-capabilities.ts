import { z } from 'zod';
import { flag, type Written } from '../api/schema.ts';
import type { CatalogEntry } from '../core/provider.ts';
import { traitsOf } from '../dialects/anthropic-messages/models.ts';

const support = z.object({ supported: flag });

/** https://platform.claude.com/docs/en/api/models/list */
export const anthropicCapabilities = z
  .object({
    batch: support,
    citations: support,
    code_execution: support,
    context_management: z.object({
      clear_thinking_20251015: support.nullable(),
      clear_tool_uses_20250919: support.nullable(),
      compact_20260112: support.nullable(),
      supported: flag,
    }),
    effort: z.object({
      low: support,
      medium: support,
      high: support,
      xhigh: support,
      max: support,
      supported: flag,
    }),
    image_input: support,
    pdf_input: support,
    server_tools: z.object({ code_execution: support, web_search: support, supported: flag }),
    structured_outputs: support,
    thinking: z.object({
      supported: flag,
      types: z.object({ adaptive: support, between_tools: support, disabled: support, enabled: support }),
    }),
  })
  .nullable()
  .describe('What the catalog knows; `false` also if unknown. `null` if it knows nothing.');

const NOT = { supported: false };

/**
 * A model's abilities in Anthropic's format. Efforts and kinds of thinking that a model of another maker lacks are
 * mapped to the nearest, so a reasoning model accepts them all.
 */
export function anthropicCapabilitiesJson({
  model,
  provider,
}: Pick<CatalogEntry, 'model' | 'provider'>): Written<typeof anthropicCapabilities> {
  const { capabilities, modalities, upstreamId } = model;
  if (capabilities === null && modalities === null) return null;
  const reasons = capabilities?.reasoning === true;
  const is = (supported: boolean) => ({ supported });
  const isOwn = 'quirks' in provider && (provider as { quirks: { ownFormat?: boolean } }).quirks.ownFormat === true;
  const traits = isOwn ? traitsOf(upstreamId) : null;
  const adapts = reasons && (traits === null || traits.thinks === 'adaptive');
  const beyond = (effort: string) => is(adapts && (traits === null || traits.efforts.includes(effort)));
  return {
    batch: NOT,
    citations: NOT,
    code_execution: NOT,
    context_management: {
      clear_thinking_20251015: null,
      clear_tool_uses_20250919: null,
      compact_20260112: null,
      supported: false,
    },
    effort: {
      low: is(adapts),
      medium: is(adapts),
      high: is(adapts),
      xhigh: beyond('xhigh'),
      max: beyond('max'),
      supported: adapts,
    },
    image_input: is(modalities?.input.includes('image') === true),
    pdf_input: is(modalities?.input.includes('pdf') === true),
    server_tools: { code_execution: NOT, web_search: NOT, supported: false },
    structured_outputs: is(capabilities?.structuredOutput === true),
    thinking: {
      supported: reasons,
      types: {
        adaptive: is(adapts),
        between_tools: is(traits === null || traits.thinksNot === 'between_tools'),
        disabled: is(traits === null || traits.thinksNot === 'unsaid' || traits.thinksNot === 'disabled'),
        enabled: is(reasons && (traits === null || traits.sampling !== 'none')),
      },
    },
  };
}
