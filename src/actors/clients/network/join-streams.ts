import type { Duplex } from 'node:stream';

/** Pipes both streams into each other, until both have ended or one breaks. */
export function joinStreams(one: Duplex, other: Duplex): void {
  pass(one, other);
  pass(other, one);
}

function pass(from: Duplex, to: Duplex): void {
  from.pipe(to);
  from.on('error', () => to.destroy());
  // A stream that ended properly has already ended the other, which may still have data to send.
  from.on('close', () => {
    if (!from.readableEnded) to.destroy();
  });
}
