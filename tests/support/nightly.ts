/**
 * Whether this run may take an hour: `npm run test:nightly`. A test that tries a sample of many inputs tries all of them
 * then.
 */
export const IS_NIGHTLY = process.env.HEADGATE_TESTS === 'nightly';
