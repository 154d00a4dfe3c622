import type { Call } from '../../core/call.ts';
import { joinLosses } from '../../core/losses.ts';
import type { Ids } from '../../core/ports.ts';
import type { Target } from '../../core/provider.ts';
import type { AnswerContext, Dialect, Envelope, PassOptions } from '../../dialects/dialect.ts';
import { fieldsWithout } from '../../dialects/request.ts';
import { refuseSharedId } from '../../dialects/shared-ids.ts';
import { narrowTools } from './allowed-tools.ts';
import { wrapCustomTools } from './custom-tools.ts';
import { PassingStream, PassingWhole } from './pass.ts';
import { TranslatedStream, TranslatedWhole } from './translate.ts';
import type { StreamWay, WholeWay } from './ways.ts';

export type CrossingParts = {
  /** The dialect the call came in, and the one its answer must have. They differ where a surface takes another's body. */
  asked: Dialect;
  answered: Dialect;
  /** The dialect spoken with the target. */
  spoken: Dialect;
  envelope: Envelope;
  target: Target;
  /** Outermost members that are for the gateway alone: no vendor is sent them, and they are no loss. */
  drop?: readonly string[];
  bytePath: boolean;
  /** Unix ms. */
  now: number;
  ids: Ids;
};

/**
 * How one call gets from its caller's dialect to its target's, and the answer back. Each half passes where both sides
 * speak the same, and is translated by way of `core/` where they do not.
 */
export class Crossing {
  readonly #parts: CrossingParts;
  #wrapped: ReadonlySet<string> = new Set();
  #dropped: readonly string[] = [];
  #call: Call | null = null;

  constructor(parts: CrossingParts) {
    this.#parts = parts;
  }

  /** What was left out of the call. */
  get dropped(): readonly string[] {
    return this.#dropped;
  }

  /** Reads the call, where it will have to be written anew; throws as `write` does. Then `write` does not read it any more. */
  read(): void {
    const { asked, spoken } = this.#parts;
    if (asked !== spoken) this.#read();
  }

  /** The body for the vendor. Throws `GatewayError` (400) where the caller's body cannot be read. */
  write(streamUsage: PassOptions['streamUsage']): Buffer {
    const { asked, spoken, envelope, target, drop } = this.#parts;
    const { provider, model } = target;
    refuseSharedId(envelope, provider);
    const options = {
      upstreamModel: model.upstreamId,
      provider: provider.id,
      streamUsage,
      accent: provider.accent,
      ...(provider.sharedIds !== undefined && { sharedIds: provider.sharedIds }),
      ...(model.capabilities !== null && { reasons: model.capabilities.reasoning }),
    };
    if (asked === spoken) {
      const passed = spoken.outbound.passCall(envelope, drop === undefined ? options : { ...options, drop });
      this.#dropped = passed.dropped;
      return passed.body;
    }
    const translation = spoken.translation!;
    const narrowed = narrowTools(this.#read());
    const wrapping = translation.takesCustomTools(provider.accent)
      ? { call: narrowed, names: this.#wrapped, dropped: [] }
      : wrapCustomTools(narrowed);
    this.#wrapped = wrapping.names;
    const { body, dropped } = translation.writeCall(wrapping.call, {
      ...options,
      stream: envelope.stream,
      model,
    });
    this.#dropped = wrapping.dropped.length === 0 ? dropped : joinLosses(wrapping.dropped, dropped);
    return body;
  }

  stream(): StreamWay {
    const { answered, spoken, envelope, bytePath } = this.#parts;
    if (this.#passesBack()) return new PassingStream(answered, envelope, bytePath);
    return new TranslatedStream({ from: spoken, to: answered, context: this.#context(), wrapped: this.#wrapped });
  }

  whole(): WholeWay {
    const { answered, spoken, bytePath } = this.#parts;
    if (this.#passesBack()) return new PassingWhole(answered, bytePath);
    return new TranslatedWhole({ from: spoken, to: answered, context: this.#context(), wrapped: this.#wrapped });
  }

  #passesBack(): boolean {
    const { answered, spoken, target } = this.#parts;
    if (answered !== spoken) return false;
    return target.provider.accent.repair !== true || spoken.translation === undefined;
  }

  #context(): AnswerContext {
    const { envelope, target, now, ids } = this.#parts;
    return {
      call: this.#read(),
      envelope,
      model: target.model.upstreamId,
      provider: target.provider.id,
      createdAt: Math.floor(now / 1000),
      newId: (prefix) => `${prefix}_${ids.token()}`,
    };
  }

  #read(): Call {
    const { asked, envelope, drop } = this.#parts;
    this.#call ??= withoutExtra(asked.translation!.readCall(envelope), drop ?? []);
    return this.#call;
  }
}

/** The call without these members, where its reader did not know them. */
function withoutExtra(call: Call, names: readonly string[]): Call {
  const { extra, ...rest } = call;
  if (extra === undefined || !names.some((name) => Object.hasOwn(extra.fields, name))) return call;
  const fields = fieldsWithout(extra.fields, names);
  return Object.keys(fields).length === 0 ? rest : { ...rest, extra: { ...extra, fields } };
}
