import type { HandledOperation } from '../api/operation.ts';
import type { SettingsParts } from './parts.ts';

/** An operation on what people manage, with its handler. */
export type ResourceOperation = HandledOperation<SettingsParts>;

/** A resource: its operations with their handlers. `resources.ts` lists all. */
export function resource(operations: readonly ResourceOperation[]): readonly ResourceOperation[] {
  return operations;
}
