import type { Clock } from './port.ts';

/** `setTimeout` wraps around above this, so longer waits are slept in pieces. */
const LONGEST_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  alarm(at, ring) {
    let timer: NodeJS.Timeout;
    const sleep = (): void => {
      const left = at - Date.now();
      timer = left > LONGEST_MS ? setTimeout(sleep, LONGEST_MS) : setTimeout(ring, Math.max(0, left));
    };
    sleep();
    return () => clearTimeout(timer);
  },
};
