import type { HttpApi, Operation } from '../api/operation.ts';
import type { SettingsParts } from './parts.ts';
import { type ManagedResource, RESOURCES } from './resources.ts';

const LOADED = await Promise.all(RESOURCES.map(async ({ caller, load }) => ({ caller, operations: await load() })));

/** All operations on the settings of an organization. */
export const ORGANIZATION_OPERATIONS: readonly Operation[] = operationsFor('administrator');

/** All operations on signing in, and on a person's own account. */
export const SIGNING_IN_OPERATIONS: readonly Operation[] = operationsFor('person');

/** Serves all resources on a network. Those of an organization are compatible with OpenAI's administration API. */
export function serveOrganization(served: HttpApi, parts: SettingsParts): void {
  for (const each of [...operationsFor('administrator'), ...operationsFor('person')]) each.serveWith(served, parts);
}

function operationsFor(caller: ManagedResource['caller']) {
  return LOADED.filter((each) => each.caller === caller).flatMap(({ operations }) => operations);
}
