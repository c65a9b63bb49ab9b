import { fromElk, toElk } from './elk-flow.ts';
import { ElkThread } from './elk-thread.ts';
import type { Flow, LaidFlow } from './flow.ts';
import { LeastRecent } from './least-recent.ts';
import { plainFlow } from './plain-flow.ts';

/** Beyond this ELK takes longer than anybody waits. */
const MOST_BOXES = 1_200;
const MOST_LINKS = 4_000;

/** Lays out flows, each only once: the same boxes and links have the same places whatever they are called. */
export class FlowLayout {
  readonly #elk = new ElkThread();
  readonly #known = new LeastRecent<Promise<LaidFlow>>(400);

  warm(): void {
    this.#elk.warm();
  }

  lay(flow: Flow): Promise<LaidFlow> {
    return this.#known.get(JSON.stringify(flow), () => this.#compute(flow));
  }

  async #compute(flow: Flow): Promise<LaidFlow> {
    if (flow.sizes.length > MOST_BOXES || flow.links.length > MOST_LINKS) return plainFlow(flow);
    try {
      return fromElk(await this.#elk.layout(toElk(flow)), flow) ?? plainFlow(flow);
    } catch {
      // A picture that is less beautiful is better than none; what ELK stumbled over is nothing its reader can fix.
      return plainFlow(flow);
    }
  }
}
