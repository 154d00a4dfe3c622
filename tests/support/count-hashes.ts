import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

/** Loaded before a gateway: prints each computed password hash with its work factor to standard error. */
const { argon2 } = crypto;
crypto.argon2 = ((algorithm, parameters, callback) => {
  const { memory, passes, parallelism } = parameters;
  process.stderr.write(`hash of a password: ${algorithm} ${memory} ${passes} ${parallelism}\n`);
  argon2(algorithm, parameters, callback);
}) as typeof argon2;
syncBuiltinESMExports();
