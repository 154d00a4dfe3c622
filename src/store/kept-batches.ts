/** How many batches of settled calls are kept: of a gateway that is busy those of some minutes, of one that is not the last thousand calls. */
export const KEPT_BATCHES = 1_000;
