import type { NanoDollars } from '../core/money.ts';
import type { LimitRequest, Reservation } from '../core/ports.ts';

/** A reservation that records its request and how it ended. */
export class HeldCall implements Reservation {
  readonly request: LimitRequest;
  readonly at: number;
  readonly settled: { tokens: number; cost: NanoDollars }[] = [];
  cancelled = 0;

  constructor(request: LimitRequest, at: number) {
    this.request = request;
    this.at = at;
  }

  settle(tokens: number, cost: NanoDollars): void {
    this.settled.push({ tokens, cost });
  }

  cancel(): void {
    this.cancelled += 1;
  }
}
