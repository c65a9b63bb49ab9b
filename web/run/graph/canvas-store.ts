import { createContext, useContext, useSyncExternalStore } from 'react';
import type { GraphNode } from '../../../src/protocol/web/graph-view.ts';
import type { EdgeBook } from '../../model/graph-edges.ts';
import { Watched } from '../../model/watched.ts';

/** The hovered, chosen and focused nodes. Each node subscribes by itself, so that a move of the pointer draws two nodes, not all. */
export class CanvasStore extends Watched {
  #state: CanvasState = { hovered: null, selected: null, focused: null };

  readonly get = (): CanvasState => this.#state;

  set(change: Partial<CanvasState>): void {
    this.#state = { ...this.#state, ...change };
    this.notify();
  }
}

export interface CanvasState {
  readonly hovered: string | null;
  readonly selected: string | null;
  /** The one node the Tab key reaches; arrows continue from there. */
  readonly focused: string | null;
}

export interface Canvas {
  readonly store: CanvasStore;
  readonly book: EdgeBook;
  readonly select: (node: GraphNode) => void;
  /** Null where nothing can be unfolded. */
  readonly toggle: ((node: GraphNode) => void) | null;
}

export const CanvasContext = createContext<Canvas | null>(null);

export function useCanvas(): Canvas {
  const canvas = useContext(CanvasContext);
  if (canvas === null) throw new Error('This belongs inside of a graph.');
  return canvas;
}

export function useCanvasState<Seen extends boolean | string | null>(look: (state: CanvasState) => Seen): Seen {
  const { store } = useCanvas();
  return useSyncExternalStore(store.subscribe, () => look(store.get()));
}
