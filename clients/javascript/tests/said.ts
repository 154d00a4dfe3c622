/** What each example of the README prints, in its order. */
export const SAID = [
  /Hello.*served by echo/s,
  /requestId: 'req_\w+'.*requests are left/s,
  /echo|fake/,
  /echo succeeded 0/,
  /echo/,
  /Search, each month 0 of 100.*nightly is disabled/s,
  /Did you mean echo/,
  /served by echo.*Hello/s,
];
