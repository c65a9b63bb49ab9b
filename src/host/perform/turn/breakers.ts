import { Fault } from '../../../core/model/fault.ts';
import type { Failure } from '../../../core/model/outcome.ts';

/**
 * Providers that may not be called for now, because a call failed on a used-up quota or a missing login (Q5). Later calls
 * fail the same way without starting anything.
 */
export class Breakers {
  readonly #open = new Map<string, Open>();
  readonly #now: () => number;
  readonly #keep: BreakerKeep | undefined;

  constructor(now: () => number, keep?: BreakerKeep) {
    this.#now = now;
    this.#keep = keep;
    for (const [provider, until] of Object.entries(keep?.load() ?? {})) {
      if (until > now()) this.#open.set(provider, { until, failure: stillUsedUp(provider) });
    }
  }

  /** Why a provider cannot be called now; null if it can. A missing login is a fault that a person has to fix. */
  refusal(provider: string): Failure | null {
    const open = this.#open.get(provider);
    if (open === undefined) return null;
    if (open.until === null) throw toFix(provider, open.failure);
    const left = open.until - this.#now();
    if (left > 0) return { ...open.failure, retryAfterMs: left };
    this.#close(provider);
    return null;
  }

  /**
   * Classifies every failed call; throws if only a person can help. A successful call does not close the breaker: no call
   * starts while it is open, so that one started before, when there was quota left.
   */
  failed(provider: string, failure: Failure): Failure {
    if (failure.class !== 'quota' && failure.class !== 'auth') return failure;
    if (failure.retryAfterMs !== undefined) return this.#waitFor(provider, failure, failure.retryAfterMs);
    const known = this.#left(provider);
    // A known end counts more than an unknown one.
    if (known > 0 && failure.class === 'quota') return { ...failure, retryAfterMs: known };
    if (known === 0) this.#stop(provider, { until: null, failure });
    throw toFix(provider, failure);
  }

  /** Of two ends the later one counts. */
  #waitFor(provider: string, failure: Failure, ms: number): Failure {
    const retryAfterMs = Math.max(ms, this.#left(provider));
    this.#stop(provider, { until: this.#now() + retryAfterMs, failure });
    return { ...failure, retryAfterMs };
  }

  /** The time left until a known end. */
  #left(provider: string): number {
    return Math.max(0, (this.#open.get(provider)?.until ?? 0) - this.#now());
  }

  #stop(provider: string, open: Open): void {
    this.#open.set(provider, open);
    this.#save();
  }

  /** A person says that it is fixed: the next call may try. */
  retry(): void {
    for (const [provider, { until }] of this.#open) if (until === null) this.#open.delete(provider);
  }

  #close(provider: string): void {
    this.#open.delete(provider);
    this.#save();
  }

  #save(): void {
    const timed = [...this.#open].flatMap(([provider, { until }]): readonly [string, number][] =>
      until === null ? [] : [[provider, until]],
    );
    this.#keep?.save(Object.fromEntries(timed));
  }
}

/** Stores when providers can be called again, for the next process. */
export interface BreakerKeep {
  load(): Readonly<Record<string, number>>;
  save(until: Readonly<Record<string, number>>): void;
}

interface Open {
  /** Null: until a person has acted. */
  readonly until: number | null;
  readonly failure: Failure;
}

const stillUsedUp = (provider: string): Failure => ({
  code: 'QUOTA_USED_UP',
  message: `The quota of ${provider} was used up when it was last tried.`,
  class: 'quota',
});

function toFix(provider: string, { message, hint, class: kind }: Failure): Fault {
  const code = kind === 'auth' ? 'LOGIN_NEEDED' : 'QUOTA_USED_UP';
  const way =
    kind === 'auth' ? `Log in to ${provider} again, or set its key.` : `Wait until ${provider} lets you go on.`;
  return new Fault(code, message, { hint: hint ?? way, facts: { provider } });
}
