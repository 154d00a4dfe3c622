import type { Envelope } from './dialect.ts';
import { estimatedInput } from './estimate.ts';
import type { OutputLimits, RequestBody } from './request.ts';
import { findSharedId, type OwnPlaces } from './shared-ids.ts';

/** What each dialect reads of a request by its own names. */
type OwnReading = Pick<Envelope, 'model' | 'stream' | 'choices' | 'wantsUsage'> & {
  limits: OutputLimits;
  /** The reasoning effort, if it is a text. */
  effort?: unknown;
  /** Where an object in the vendor's account may be named; left out where none can be. */
  places?: OwnPlaces;
};

/**
 * The envelope of a request: what its dialect has read, and what is read alike in all dialects. Throws as
 * `findSharedId` does.
 *
 * /!\ Hot path: members are set by name, because V8 copies a second object into a literal member by member.
 */
export function envelopeOf(request: RequestBody, own: OwnReading): Envelope {
  const { estimatedInputTokens, fileTokens } = estimatedInput(request);
  const envelope: Envelope = {
    ...own.limits,
    model: own.model,
    stream: own.stream,
    choices: own.choices,
    wantsUsage: own.wantsUsage,
    estimatedInputTokens,
    body: request.body,
    index: request.index,
  };
  if (fileTokens !== undefined) envelope.fileTokens = fileTokens;
  if (typeof own.effort === 'string') envelope.effort = own.effort;
  const sharedId = own.places === undefined ? null : findSharedId(request, own.places);
  if (sharedId !== null) envelope.sharedId = sharedId;
  return envelope;
}
