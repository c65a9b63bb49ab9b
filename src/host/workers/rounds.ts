/** Does something again and again until it is stopped; a round that fails is followed by the next. */
export interface Rounds {
  /** Resolves when the round under way is over. */
  stop(): Promise<void>;
}

export function startRounds(everyMs: number, round: () => Promise<void>): Rounds {
  let isStopped = false;
  let underWay: Promise<void> | undefined;
  const timer = setInterval(() => {
    underWay ??= round()
      .catch(() => undefined)
      .finally(() => {
        underWay = undefined;
      });
  }, everyMs);
  return {
    async stop() {
      if (!isStopped) clearInterval(timer);
      isStopped = true;
      await underWay;
    },
  };
}
