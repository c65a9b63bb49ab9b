import { Writable } from 'node:stream';
import type { Terminal } from '../terminal/terminal.ts';

/**
 * Standard output for a protocol alone: whatever else writes there, such as `console.log` in a project's own module, goes to
 * standard error from now on. One foreign line would end the conversation.
 */
export function protocolOutput({ stdout, stderr }: Pick<Terminal, 'stdout' | 'stderr'>): Writable {
  const write = stdout.write.bind(stdout);
  stdout.write = ((...words: Parameters<typeof write>) => stderr.write(...words)) as typeof stdout.write;
  return new Writable({
    write: (piece: Buffer, encoding, done) => void write(piece, encoding, done),
  });
}
