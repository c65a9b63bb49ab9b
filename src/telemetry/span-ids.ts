import { createHash } from 'node:crypto';

/** Ids are made from what the journal says, so the same journal gives the same trace whoever tells it, and however often. */
export const traceIdOf = (root: string): string => hex(`trace\n${root}`, TRACE_BYTES);

/** `what`: which of the spans that begin with this record. */
export const spanIdOf = (run: string, seq: number, what: string): string => hex(`${run}\n${seq}\n${what}`, SPAN_BYTES);

const TRACE_BYTES = 16;
const SPAN_BYTES = 8;

function hex(text: string, bytes: number): string {
  const id = createHash('sha256')
    .update(`troupe\n${text}`)
    .digest('hex')
    .slice(0, 2 * bytes);
  // All zeros would mean none.
  return /^0+$/.test(id) ? `${id.slice(1)}1` : id;
}
