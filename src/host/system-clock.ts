import { LoopTurn } from './loop-turn.ts';
import type { Clock } from './world.ts';

/** `setTimeout` wraps around above this, so longer waits are slept in pieces. */
const LONGEST_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  alarm(at, ring) {
    let timer: NodeJS.Timeout;
    // A timer may ring a fraction of a millisecond early; an alarm never does, so it checks again.
    const wake = (): void => {
      if (Date.now() >= at) ring();
      else sleep();
    };
    const sleep = (): void => {
      timer = setTimeout(wake, Math.min(LONGEST_MS, Math.max(0, at - Date.now())));
    };
    sleep();
    return () => clearTimeout(timer);
  },
  pause: new LoopTurn(5).pause,
};
