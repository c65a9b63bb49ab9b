import type { Duplex } from 'node:stream';

/** What comes from the one goes to the other, until both have ended or one of them breaks. */
export function joinStreams(one: Duplex, other: Duplex): void {
  pass(one, other);
  pass(other, one);
}

function pass(from: Duplex, to: Duplex): void {
  from.pipe(to);
  from.on('error', () => to.destroy());
  // One that has ended in good order has told the other, which may still have something to send.
  from.on('close', () => {
    if (!from.readableEnded) to.destroy();
  });
}
