/** Beginnings of requests: what several begin with alike is kept once, so one more request costs no more than its own blocks. */
export class PrefixTree {
  readonly #next = new Map<string, PrefixTree>();
  /** The same texts in order: the one that is most like another stands next to its place. */
  readonly #texts: string[] = [];
  /** A prefix that ends here was written to a cache. */
  isWritten = false;

  /** What follows this text; undefined where no request went on with it. */
  after(text: string): PrefixTree | undefined {
    return this.#next.get(text);
  }

  grow(text: string): PrefixTree {
    const known = this.#next.get(text);
    if (known !== undefined) return known;
    const grown = new PrefixTree();
    this.#next.set(text, grown);
    this.#texts.splice(this.#placeOf(text), 0, text);
    return grown;
  }

  /** With how many of its characters some text here begins. */
  longestShared(text: string): number {
    const place = this.#placeOf(text);
    const [before, after] = [this.#texts[place - 1] ?? '', this.#texts[place] ?? ''];
    return Math.max(sharedLength(before, text), sharedLength(after, text));
  }

  #placeOf(text: string): number {
    let [low, high] = [0, this.#texts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#texts[middle] ?? '') < text) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** How many characters two texts begin with alike. */
export function sharedLength(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let at = 0;
  while (at < most && one[at] === other[at]) at += 1;
  return at;
}
