import { ByteReader, ByteWriter } from './bytes.ts';
import { SPACE, STORED_VERSION } from './features.ts';
import { type Dial, emptyLinear, emptyModel, type Linear, type SmartModel } from './model.ts';

/** The version of the file; the version of the features follows it. */
const FILE_VERSION = 1;
const MAX_LEVEL = 32_767;

/**
 * A model as bytes: for each feature that was seen, in how many rows, and its weights as 16-bit levels. Weights differ from
 * those written by less than 1/65,000 of the largest; written and read again, they stay as they are.
 */
export function writeModel(model: SmartModel): Uint8Array {
  const writer = new ByteWriter();
  const linears = [model.shared, ...model.targets.values()];
  const used = Array.from(model.seenIn.keys()).filter(
    (index) => model.seenIn[index] !== 0 || linears.some(({ weights }) => weights[index] !== 0),
  );
  writer.byte(FILE_VERSION);
  writer.byte(STORED_VERSION);
  writer.varint(model.rows);
  writeDial(writer, model.dial);
  writer.varint(model.targets.size);
  for (const target of model.targets.keys()) writer.text(target);
  writer.varint(used.length);
  let previous = 0;
  for (const index of used) {
    writer.varint(index - previous);
    writer.varint(model.seenIn[index]!);
    previous = index;
  }
  for (const linear of linears) writeLinear(writer, linear, used);
  return writer.take();
}

/** Throws `RangeError` for bytes that `writeModel` did not write, or wrote in another version. */
export function readModel(bytes: Uint8Array): SmartModel {
  const reader = new ByteReader(bytes);
  const [file, features] = [reader.byte(), reader.byte()];
  if (file !== FILE_VERSION || features !== STORED_VERSION) {
    throw new RangeError(`A model of version ${file}, of features of version ${features}, cannot be read.`);
  }
  const model = emptyModel();
  model.rows = reader.varint();
  model.dial = readDial(reader);
  const names = Array.from({ length: bounded(reader, reader.varint()) }, () => reader.text());
  const used: number[] = [];
  const count = bounded(reader, reader.varint());
  for (let index = 0; used.length < count; ) {
    index += reader.varint();
    if (index >= SPACE) throw new RangeError(`There is no feature ${index}.`);
    model.seenIn[index] = reader.varint();
    used.push(index);
  }
  model.shared = readLinear(reader, used);
  for (const name of names) model.targets.set(name, readLinear(reader, used));
  return model;
}

function writeLinear(writer: ByteWriter, { bias, weights }: Linear, used: readonly number[]): void {
  const largest = used.reduce((most, index) => Math.max(most, Math.abs(weights[index]!)), 0);
  // With a power of two as scale, writing what was read gives the same levels.
  const scale = largest === 0 ? 1 : 2 ** Math.ceil(Math.log2(largest)) / MAX_LEVEL;
  writer.float64(bias);
  writer.float64(scale);
  for (const index of used) writer.int16(Math.round(weights[index]! / scale));
}

function readLinear(reader: ByteReader, used: readonly number[]): Linear {
  const linear = emptyLinear();
  linear.bias = reader.float64();
  const scale = reader.float64();
  for (const index of used) linear.weights[index] = reader.int16() * scale;
  return linear;
}

function writeDial(writer: ByteWriter, dial: Dial | null): void {
  writer.byte(dial === null ? 0 : 1);
  if (dial === null) return;
  writer.text(dial.strong);
  writer.text(dial.weak);
  writer.varint(dial.gains.length);
  for (const gain of dial.gains) writer.float64(gain);
}

function readDial(reader: ByteReader): Dial | null {
  if (reader.byte() === 0) return null;
  const [strong, weak] = [reader.text(), reader.text()];
  return { strong, weak, gains: Array.from({ length: bounded(reader, reader.varint()) }, () => reader.float64()) };
}

/** A count cannot exceed the remaining bytes, so that a damaged file costs no memory. */
function bounded(reader: ByteReader, count: number): number {
  if (count > reader.left) throw new RangeError('The bytes end too early.');
  return count;
}
