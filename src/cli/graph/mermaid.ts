import type { State, Workflow } from '../../core/workflow.ts';
import { oneLine } from '../terminal/plain-text.ts';
import { edgesOf } from './edges.ts';
import { workText } from './work-text.ts';

/** A state diagram that README files and pull requests show as a picture. */
export function mermaid(workflow: Workflow): string {
  const ids = new Map(Object.keys(workflow.states).map((name, index) => [name, `s${index}`]));
  const id = (name: string): string => ids.get(name) ?? '[*]';
  const states = Object.values(workflow.states);
  const lines = [
    'stateDiagram-v2',
    ...states.map((state) => `  state "${label(stateText(state, workflow))}" as ${id(state.name)}`),
    `  [*] --> ${id(workflow.start)}`,
    ...edgesOf(workflow).map((edge) => {
      const text = edge.label === '' ? '' : ` : ${label(edge.label)}`;
      return `  ${id(edge.from)} --> ${id(edge.to)}${text}`;
    }),
    ...states.filter((state) => state.kind === 'end').map((state) => `  ${id(state.name)} --> [*]`),
  ];
  return lines.join('\n');
}

function stateText(state: State, { agents }: Workflow): string {
  if (state.kind === 'end') return state.outcome === 'ok' ? state.name : `${state.name} (${state.outcome})`;
  const work = workText(state.work, agents);
  return work === '' ? state.name : `${state.name}: ${work}`;
}

/** Characters that mean something to Mermaid are written as entities. */
const label = (text: string): string =>
  oneLine(text, 90).replaceAll(/["#;:<>{}]/g, (character) => `#${character.codePointAt(0) ?? 0};`);
