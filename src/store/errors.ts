import { GatewayError } from '../core/errors.ts';

/** The store cannot be opened; the message is a sentence for the operator. */
export class StorageOpenError extends Error {
  override readonly name = 'StorageOpenError';
}

/** Another process serves this data; the message is a sentence for the operator. */
export class InstanceLockError extends Error {
  override readonly name = 'InstanceLockError';
}

export function storageUnavailable(cause: unknown): GatewayError {
  return new GatewayError('storage_unavailable', 'The gateway could not write or read its records.', { cause });
}
