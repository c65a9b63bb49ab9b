/**
 * Arrays in PostgreSQL's binary format. The driver would send them as text, which both sides quote and scan letter by letter: a
 * seventh of the server's time for a group of batches.
 */
interface ElementType<T> {
  readonly oid: number;
  readonly bytesOf: (value: T) => number;
  readonly write: (array: Buffer, value: T, start: number) => void;
}

const TEXT: ElementType<string> = {
  oid: 25,
  bytesOf: (value) => Buffer.byteLength(value),
  write: (array, value, start) => void array.write(value, start),
};

const INTEGER: ElementType<number> = {
  oid: 23,
  bytesOf: () => 4,
  write: (array, value, start) => void array.writeInt32BE(value, start),
};

const BIGINT: ElementType<number> = {
  oid: 20,
  bytesOf: () => 8,
  write: (array, value, start) => void array.writeBigInt64BE(BigInt(value), start),
};

const DOUBLE: ElementType<number> = {
  oid: 701,
  bytesOf: () => 8,
  write: (array, value, start) => void array.writeDoubleBE(value, start),
};

export const textArray = (values: readonly (string | null)[]): Buffer => arrayOf(TEXT, values);
export const integerArray = (values: readonly (number | null)[]): Buffer => arrayOf(INTEGER, values);
export const bigintArray = (values: readonly number[]): Buffer => arrayOf(BIGINT, values);
export const doubleArray = (values: readonly (number | null)[]): Buffer => arrayOf(DOUBLE, values);

const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;
const NULL_LENGTH = -1;

function arrayOf<T>({ oid, bytesOf, write }: ElementType<T>, values: readonly (T | null)[]): Buffer {
  const lengths = values.map((value) => (value === null ? NULL_LENGTH : bytesOf(value)));
  const bytes = lengths.reduce((sum, length) => sum + LENGTH_BYTES + Math.max(0, length), HEADER_BYTES);
  const array = Buffer.allocUnsafe(bytes);
  // Dimensions, whether there are nulls, type, number of values, number of the first one.
  let end = 0;
  for (const field of [1, values.includes(null) ? 1 : 0, oid, values.length, 1]) end = array.writeInt32BE(field, end);
  for (const [index, length] of lengths.entries()) {
    end = array.writeInt32BE(length, end);
    const value = values[index] ?? null;
    if (value === null) continue;
    write(array, value, end);
    end += length;
  }
  return array;
}
