import type { GraphView } from '../../../src/protocol/web/graph-view.ts';

/** A picture that was read again and is the same stays the same object, so that nothing of it is drawn anew. */
export class LastPicture {
  #view: GraphView | null = null;

  same(view: GraphView | null): GraphView | null {
    if (view !== null && view.hash === this.#view?.hash) return this.#view;
    this.#view = view;
    return view;
  }
}
