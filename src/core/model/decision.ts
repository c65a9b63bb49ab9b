/** What the rules of a family decide after one event. Pure data: the engine journals it before it does anything. */
export interface Decision<State, Orders = { readonly go: string }, Note = string> {
  /** The rules' own state; the next decision gets it back unread. */
  readonly state: State;
  /** What the engine does now: in most families only which state of the workflow comes next. */
  readonly orders: Orders;
  /** For people, the log or the bus; nothing waits for them. */
  readonly notes: readonly Note[];
}

/** A decision that only says which state of the workflow comes next. */
export const nextState = <State, Place extends string, Note = string>(
  go: Place,
  state: State,
  notes: readonly Note[] = [],
): Decision<State, { readonly go: Place }, Note> => ({ state, orders: { go }, notes });
