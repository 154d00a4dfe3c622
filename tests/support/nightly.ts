/**
 * True if the run may take hours (`npm run test:nightly`). Tests that try a sample of their inputs then try all of
 * them.
 */
export const IS_NIGHTLY = process.env.HEADGATE_TESTS === 'nightly';
