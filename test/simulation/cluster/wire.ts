/** Everything that is on its way between processes and the journal. The seed says what arrives next. */
export class Wire {
  readonly #random: () => number;
  readonly #underWay: (() => void)[] = [];

  constructor(random: () => number) {
    this.#random = random;
  }

  get isEmpty(): boolean {
    return this.#underWay.length === 0;
  }

  travel(): Promise<void> {
    return new Promise((resolve) => void this.#underWay.push(resolve));
  }

  arrive(): void {
    const [arrived] = this.#underWay.splice(Math.floor(this.#random() * this.#underWay.length), 1);
    arrived?.();
  }
}
