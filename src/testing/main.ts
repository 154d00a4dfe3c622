import { parseArgs } from 'node:util';
import { startFakeProvider } from './fake-provider.ts';
import { FAULTS } from './faults.ts';

const DEFAULT_PORT = 9000;
const MODELS = ['fake-small', 'fake-large', 'text-embedding-3-small'];

const { values } = parseArgs({ options: { port: { type: 'string', default: `${DEFAULT_PORT}` } } });
const names = Object.entries(FAULTS).map(([name, { does }]) => [`fault:${name}`, does] as const);
const provider = await startFakeProvider({
  port: Number(values.port),
  models: [...MODELS, ...names.map(([model]) => model)],
});
console.log(`A fake vendor answers at ${provider.url} and needs no key. A model's name can choose what goes wrong:`);
for (const [model, does] of names) console.log(`  ${model.padEnd(30)} ${does}`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void provider.close());
