/** What each example of the README prints, in its order. */
export const SAID = [
  /Hello.*echo/s,
  /Hello \{.*provider: 'echo'.*costUsd: 0/s,
  /Hello\nHello again/,
  /\[ 1536, 1536 \]/,
  /404 The model `ecko` does not exist here.* req_\w+/,
];
