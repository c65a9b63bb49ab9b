import { EXIT } from '../exit-code.ts';

export interface Interrupt {
  /** Resolves at the first Ctrl-C, or when the process is asked to end. */
  readonly asked: Promise<'interrupted'>;
  stop(): void;
}

/** The first signal is asked for politely; the second ends the process at once, which the journal survives. */
export function onInterrupt(): Interrupt {
  const { promise, resolve } = Promise.withResolvers<'interrupted'>();
  let isAsked = false;
  const listener = (): void => {
    if (isAsked) process.exit(EXIT.interrupted);
    isAsked = true;
    resolve('interrupted');
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, listener);
  return {
    asked: promise,
    stop() {
      for (const signal of signals) process.off(signal, listener);
    },
  };
}
