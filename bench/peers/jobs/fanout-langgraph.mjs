import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
import { reportFanout, slowModel } from '../../jobs/fanout-measure.ts';
import { report, settings } from '../../harness/report.ts';
import { decide, IMPLEMENTERS, MODEL_MS, REVIEWERS } from '../../workload.ts';

/** Nodes side by side, joined by edges from all of them. */
const { runs } = settings();

const list = () => Annotation({ reducer: (left, right) => left.concat(right), default: () => [] });
const State = Annotation.Root({ implementations: list(), reviews: list(), decision: Annotation() });

const graph = new StateGraph(State);
for (const who of IMPLEMENTERS) {
  graph.addNode(who, async () => ({ implementations: [await slowModel(who, MODEL_MS)] })).addEdge(START, who);
}
graph.addNode('join', () => ({})).addEdge([...IMPLEMENTERS], 'join');
for (const who of REVIEWERS) {
  graph.addNode(who, async () => ({ reviews: [await slowModel(who, MODEL_MS)] })).addEdge('join', who);
}
graph
  .addNode('decide', ({ implementations, reviews }) => ({ decision: decide(implementations, reviews) }))
  .addEdge([...REVIEWERS], 'decide')
  .addEdge('decide', END);
const compiled = graph.compile();

async function one() {
  const { decision } = await compiled.invoke({});
  if (!decision.startsWith('3 2 ')) throw new Error('An answer is missing.');
}

report(await reportFanout(runs, one));
