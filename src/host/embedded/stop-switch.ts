/** `stopped`: the work itself must end. `shutdown`: only this process. */
type StopReason = 'stopped' | 'shutdown';

/**
 * Stops one piece of work. Its signal is created on demand: most work ends by itself, and with a thousand runs at once the
 * signals were much of the garbage.
 */
export class StopSwitch {
  #reason: StopReason | null = null;
  #controller: AbortController | null = null;

  /** Why it was stopped; null while it was not. */
  get reason(): StopReason | null {
    return this.#reason;
  }

  get signal(): AbortSignal {
    if (this.#controller === null) {
      this.#controller = new AbortController();
      if (this.#reason !== null) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  stop(reason: StopReason): void {
    this.#reason ??= reason;
    this.#controller?.abort(this.#reason);
  }
}
