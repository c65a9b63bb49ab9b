/** A cache of recently used values; the least recently used one is dropped first. */
export class LeastRecent<Value> {
  readonly #most: number;
  readonly #values = new Map<string, Value>();

  constructor(most: number) {
    this.#most = most;
  }

  get(key: string, make: () => Value): Value {
    const known = this.#values.get(key) ?? make();
    this.#values.delete(key);
    this.#values.set(key, known);
    const [oldest] = this.#values.keys();
    if (this.#values.size > this.#most && oldest !== undefined) this.#values.delete(oldest);
    return known;
  }
}
