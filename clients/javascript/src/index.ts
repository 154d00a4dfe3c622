export { Headgate, type HeadgateOptions } from './client.ts';
export { BudgetExceededError, ModelNotFoundError, OverloadedError } from './errors.ts';
export { gateway } from './gateway.ts';
export type * from './generated.ts';
export type { GatewayInfo, RateLimit } from './headers.ts';
export type { LiveItems } from './live.ts';
