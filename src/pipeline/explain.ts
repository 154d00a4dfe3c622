import { maySee } from '../core/access.ts';
import type { GatewayError } from '../core/errors.ts';
import type { CatalogEntry, Directory, RouteEntry, Target, VendorEntry } from '../core/provider.ts';
import type { CallLook, Decision } from '../core/route.ts';
import type { Envelope } from '../dialects/dialect.ts';
import { weigh } from '../routing/decide.ts';
import { findEntry, targetsOf, wrongSurface } from '../routing/plan.ts';
import type { PlannedCall, Planner } from './planner.ts';

/** What would become of a call now. */
export type Explained = Direct | Routed;

/** The caller names a vendor's model: nobody decides. */
type Direct = { kind: 'direct'; entry: VendorEntry; targets: readonly Target[] };

/** `refusal`: why nobody would serve it. `look`: of the call, for who can say which of its words decided. */
type Routed = {
  kind: 'routed';
  entry: RouteEntry;
  decision: Decision;
  refusal: GatewayError | null;
  look: CallLook;
};

/**
 * Decides as for a call that is made, and calls nobody. Who may see a route that it may not call may ask of it all the same.
 * Throws `GatewayError`: 404 or 403 for the model, 400 for what is wrong with the call itself.
 */
export function explainCall(planner: Planner, call: PlannedCall, envelope: Envelope, directory: Directory): Explained {
  const { asked } = call;
  const entry = entryFor(call, envelope.model, directory);
  if (entry.origin !== 'vendor') {
    const look = asked.inbound.look(envelope);
    const { decision, refusal } = weigh(planner.decideInput(entry, call, envelope, directory, look));
    return { kind: 'routed', entry, decision, refusal, look };
  }
  const targets = targetsOf(entry, planner.dialectsOf(asked));
  if (targets.length === 0) throw wrongSurface({ model: envelope.model, label: asked.label });
  return { kind: 'direct', entry, targets };
}

function entryFor({ asked, caller: { key } }: PlannedCall, model: string, directory: Directory): CatalogEntry {
  const entry = directory.find(model);
  if (entry !== undefined && maySee(key, entry, model, directory.products)) return entry;
  return findEntry({ model, label: asked.label, key }, directory);
}
