import { Annotation, DeltaChannel, END, START, StateGraph } from '@langchain/langgraph';

const concat = (left, right) => left.concat(right);

/** The history as a list that a reducer appends to: written whole at every checkpoint, or as differences. */
const stateOf = (delta) =>
  Annotation.Root({
    history: delta
      ? () => new DeltaChannel((state, writes) => state.concat(...writes), { initialValueFactory: () => [] })
      : Annotation({ reducer: concat, default: () => [] }),
    verdict: Annotation(),
  });

/** The coder/reviewer loop as a LangGraph graph of two nodes. */
export function loopGraph(model, { checkpointer, delta = false } = {}) {
  return new StateGraph(stateOf(delta))
    .addNode('coder', async ({ history }) => ({
      history: [{ author: 'coder', content: await model.coder(history) }],
    }))
    .addNode('reviewer', async ({ history }) => {
      const { text, verdict } = await model.reviewer(history);
      return { history: [{ author: 'reviewer', content: text }], verdict };
    })
    .addEdge(START, 'coder')
    .addEdge('coder', 'reviewer')
    .addConditionalEdges('reviewer', ({ verdict }) => (verdict.improvement_needed ? 'coder' : END))
    .compile({ checkpointer });
}

/** Its own bound on steps is not what is measured. */
export const configOf = (turns, thread) => ({
  recursionLimit: turns + 10,
  ...(thread === undefined ? {} : { configurable: { thread_id: thread } }),
});
