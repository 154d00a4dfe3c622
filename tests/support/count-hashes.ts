import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

/** Loaded before a gateway: it prints each hash of a password that is made, with its work factor, on standard error. */
const { argon2 } = crypto;
crypto.argon2 = ((algorithm, parameters, callback) => {
  const { memory, passes, parallelism } = parameters;
  process.stderr.write(`hash of a password: ${algorithm} ${memory} ${passes} ${parallelism}\n`);
  argon2(algorithm, parameters, callback);
}) as typeof argon2;
syncBuiltinESMExports();
