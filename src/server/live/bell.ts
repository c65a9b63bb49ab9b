/** A signal to wait for. Signals sent before the wait count, as one. */
export class Bell {
  #isRung = false;
  #wake: (() => void) | null = null;

  ring(): void {
    this.#isRung = true;
    this.#wake?.();
  }

  async heard(): Promise<void> {
    if (!this.#isRung) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
      this.#wake = null;
    }
    this.#isRung = false;
  }
}
