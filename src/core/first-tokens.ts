/** How long callers waited for the first token of their streams: how many streams, the median and the 95th percentile (nearest rank), in ms. */
export type FirstTokenTimes = { streams: number; p50: number | null; p95: number | null };

/** Of which organization, and when: the UTC days in which two moments (Unix ms) lie are whole, both inclusive. */
export type FirstTokenQuery = { organizationId: string; from: number; through: number };

export type FirstTokenReport = {
  /** Unix ms of the first moment that is counted, and of the first that is not; the period before ends where this begins. */
  from: number;
  until: number;
  previousFrom: number;
  now: FirstTokenTimes;
  previous: FirstTokenTimes;
  /** Days that have streams, the last first; `day` is like `2026-11-21`. */
  days: ({ day: string } & FirstTokenTimes)[];
};

export type FirstTokenReader = {
  /** By whole UTC days, beside as many days before. Rejects with `invalid_request` where those are too many. */
  firstTokens(query: FirstTokenQuery): Promise<FirstTokenReport>;
};
