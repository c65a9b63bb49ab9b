import type { State, Work } from '../../core/model/workflow.ts';
import { programText } from '../../protocol/graph/expression-text.ts';
import { workText } from '../../protocol/graph/work-text.ts';
import type { GraphNode } from '../../protocol/web/graph-view.ts';
import type { ChartSubject } from './chart.ts';
import { drawnSteps } from './drawn-steps.ts';
import { idPart, type Scene } from './scene.ts';

/** The text of a state's node. */
export function aboutState(state: State, scene: Scene): ChartSubject {
  const { run, prefix, workflow } = scene;
  const states = statesBehind(state.name, scene);
  const own = states[0] ?? state.name;
  return {
    id: `${prefix}${idPart(state.name)}`,
    kind: kindOf(state),
    label: state.name,
    detail: detailOf(state, scene),
    state: own,
    states,
    counted: states.filter((one) => one === own || isPlayedBy(one, own)),
    run,
    unit: null,
    inside: 'none',
    file: workflow.file ?? null,
    line: state.at?.line ?? null,
    outcome: state.kind === 'end' ? state.outcome : null,
  };
}

/** Where a run begins. */
export function aboutStart({ prefix, run }: Scene): ChartSubject {
  return {
    id: `${prefix}*`,
    kind: 'start',
    label: '',
    detail: '',
    state: null,
    states: [],
    counted: [],
    run,
    unit: null,
    inside: 'none',
    file: null,
    line: null,
    outcome: null,
  };
}

/** A step of several states; or a stage, which runs as a state for each who plays it, with one before and one after where it makes files. */
function statesBehind(name: string, { workflow, drawing }: Scene): readonly string[] {
  if (drawing.workflow === workflow) {
    const others = [...drawnSteps(workflow)].filter(([state, step]) => step === name && state !== name);
    return [name, ...others.map(([state]) => state)];
  }
  const own = new Set([name, `stage_${name}`]);
  const behind = Object.keys(workflow.states).filter((state) =>
    own.has(state.replace(/\/(?:begin|evidence)$/, '').replace(/@[^@]*$/, '')),
  );
  const first = behind.filter((state) => own.has(state));
  return [...first, ...behind.filter((state) => !own.has(state))];
}

/** A stage has a state for each agent that may play it. */
const isPlayedBy = (state: string, own: string): boolean =>
  state.startsWith(`${own}@`) && !/\/(?:begin|evidence)$/.test(state);

function kindOf(state: State): GraphNode['kind'] {
  if (state.kind === 'end') return 'end';
  const { work } = state;
  if (work.kind === 'turn') return work.mode === 'ask' ? 'turn' : work.mode;
  if (work.kind !== 'none') return work.kind;
  return state.enter === null && state.transitions.length > 1 ? 'choice' : 'script';
}

const SHORT = 80;

function detailOf(state: State, { drawing }: Scene): string {
  if (state.kind === 'end') return state.outcome === 'ok' || state.outcome === state.name ? '' : state.outcome;
  const { work, enter } = state;
  if (work.kind !== 'none') return workDetail(work, drawing.workflow.agents);
  const text = enter === null ? '' : programText(enter);
  return text.length > SHORT || text.includes('\n') ? '' : text;
}

/** The agent or command that does it, in one line. */
export function workDetail(work: Work, agents: Scene['workflow']['agents'] = []): string {
  if (work.kind === 'compute') return work.program;
  if (work.kind === 'ask') return 'asks a person';
  if (work.kind === 'choice') return `one of ${Object.keys(work.cases).join(', ')}`;
  return plainCommand(work) ?? workText(work, agents);
}

function plainCommand(work: Work): string | null {
  if (work.kind !== 'command' || work.builtin !== undefined || work.command.kind !== 'literal') return null;
  const { value } = work.command;
  return typeof value === 'string' ? value : null;
}
