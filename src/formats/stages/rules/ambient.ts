/**
 * A value that the whole process shares. A workflow file and the command line import `troupe/stages` from different folders, so the
 * module may be loaded twice; both copies must see the same registrations.
 */
export function processWide<T>(name: string, make: () => T): T {
  const key = Symbol.for(`troupe.stages.1.${name}`);
  const holder = globalThis as unknown as Record<symbol, T | undefined>;
  const known = holder[key];
  if (known !== undefined) return known;
  const made = make();
  holder[key] = made;
  return made;
}

/**
 * Where `timestamp()` and `generateMessageId()` come from while a workflow's function runs: the event, never the machine, so
 * the same event gives the same decision (L9). The functions are synchronous, so one variable set around the call is enough.
 */
export interface Ambient {
  readonly nowMs: number;
  readonly sessionId: string;
  readonly nextId: () => string;
}

interface Holder {
  current: Ambient | null;
}

const holder = processWide<Holder>('ambient', () => ({ current: null }));

export function withAmbient<T>(ambient: Ambient, call: () => T): T {
  const outer = holder.current;
  holder.current = ambient;
  try {
    return call();
  } finally {
    holder.current = outer;
  }
}

/** Null outside a run. */
export function currentAmbient(): Ambient | null {
  return holder.current;
}
