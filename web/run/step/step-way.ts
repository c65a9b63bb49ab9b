import { compileExpression } from '../../../src/core/evaluate/evaluate.ts';
import { cleanJson } from '../../../src/core/evaluate/clean-json.ts';
import { surfaceOf } from '../../../src/core/evaluate/surface.ts';
import { foldRecords } from '../../../src/core/fold/fold.ts';
import type { Expression } from '../../../src/core/model/expression.ts';
import type { Json, JsonObject } from '../../../src/core/model/json.ts';
import type { Outcome } from '../../../src/core/model/outcome.ts';
import type { Definition } from '../../../src/core/model/definition.ts';
import type { Transition } from '../../../src/core/model/workflow.ts';
import { wayWords } from '../../../src/protocol/graph/edges.ts';
import { expressionText } from '../../../src/protocol/graph/expression-text.ts';
import type { Visit } from '../../../src/protocol/history/visits.ts';
import { historyOf } from '../../model/run-history.ts';
import type { RunNode } from '../../model/run-tree.ts';

/** The transition that left a step. */
export interface StepWay {
  readonly to: string;
  readonly outcome: Outcome;
  /** As the graph labels it; null where only its code says when it is taken. */
  readonly label: string | null;
  /** The code of its condition; null where it has none. */
  readonly condition: string | null;
  /** What the names in the condition stood for at that moment. */
  readonly values: readonly { readonly name: string; readonly value: Json }[];
}

/** Null while the step goes on, and after the last one. */
export function stepWay(run: RunNode, visit: Visit): StepWay | null {
  const next = historyOf(run).visits.list.find(({ seq }) => seq > visit.seq);
  if (next === undefined || next.from?.state !== visit.state) return null;
  const { from, seq } = next;
  const known = WAYS.get(run.lines);
  if (known !== undefined && known.seq === seq && known.definition === run.definition) return known.way;
  const way = wayInto(next, from, run);
  WAYS.set(run.lines, { seq, definition: run.definition, way });
  return way;
}

interface KnownWay {
  /** Of the step that it led to. */
  readonly seq: number;
  readonly definition: Definition | null;
  readonly way: StepWay;
}

/** What it was decided by does not change while records come, and takes a fold of all records before it. */
const WAYS = new WeakMap<RunNode['lines'], KnownWay>();

function wayInto({ state: to, seq }: Visit, from: NonNullable<Visit['from']>, run: RunNode): StepWay {
  const transitions = transitionsOf(run.definition, from);
  const way = { to, outcome: from.outcome, label: wayWords(transitions, from.transition) || null };
  const when = transitions[from.transition]?.when ?? null;
  if (when === null) return { ...way, condition: null, values: [] };
  return { ...way, condition: expressionText(when), values: valuesIn(when, run, seq) };
}

function transitionsOf(
  definition: Definition | null,
  { state: name, outcome }: { readonly state: string; readonly outcome: Outcome },
): readonly Transition[] {
  const state = definition?.workflow.states[name];
  if (state === undefined || state.kind === 'end') return [];
  return outcome === 'ok' ? state.transitions : (state.on[outcome] ?? []);
}

/** The condition was evaluated on what the run knew just before it went on. */
function valuesIn(when: Expression, { lines, definition }: RunNode, seq: number): StepWay['values'] {
  if (definition === null || when.kind === 'isolate') return [];
  const snapshot = foldRecords(lines.slice(0, seq - 1).map(({ record }) => record));
  const { output = null, outcome = 'ok', failure = null } = snapshot.current.result ?? {};
  const locals: JsonObject = { result: output, outcome, failure: failure === null ? null : { ...failure } };
  const surface = surfaceOf(definition.workflow, snapshot, locals);
  const names = new Map(pathsIn(when).map((path) => [expressionText(path), path]));
  return [...names].flatMap(([name, path]) => {
    try {
      return [{ name, value: cleanJson(compileExpression(path)(surface)) ?? null }];
    } catch {
      // What the page cannot compute is left out: the condition itself is shown.
      return [];
    }
  });
}

/** The longest paths in an expression: `common_data.review.isDone`, not its parts. */
function pathsIn(node: unknown): readonly Expression[] {
  if (typeof node !== 'object' || node === null) return [];
  if (isPath(node)) return [node];
  return Object.values(node).flatMap(pathsIn);
}

const isPath = (node: object): node is Expression => 'kind' in node && PATHS.has(node.kind);

const PATHS: ReadonlySet<unknown> = new Set(['member', 'name', 'chain', 'call', 'index', 'parsed-call']);
