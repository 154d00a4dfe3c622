/** Times to the first token of streams: the number of streams, the median and the 95th percentile (nearest rank) in ms. */
export type FirstTokenTimes = { streams: number; p50: number | null; p95: number | null };

/** `from` and `through` are Unix ms; their whole UTC days are included. */
export type FirstTokenQuery = { organizationId: string; from: number; through: number };

export type FirstTokenReport = {
  /** Unix ms; `from` is inclusive, `to` exclusive. The previous period ends at `from`. */
  from: number;
  until: number;
  previousFrom: number;
  now: FirstTokenTimes;
  previous: FirstTokenTimes;
  /** Days with streams, the latest first; `day` has the form `2026-11-21`. */
  days: ({ day: string } & FirstTokenTimes)[];
};

export type FirstTokenReader = {
  /** By whole UTC days, with the previous period of the same length. Rejects with `invalid_request` if it is too long. */
  firstTokens(query: FirstTokenQuery): Promise<FirstTokenReport>;
};
