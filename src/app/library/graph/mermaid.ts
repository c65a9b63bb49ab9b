import type { PoolUnit, State, Workflow } from '../../../core/model/workflow.ts';
import type { UnitNote } from '../../../core/model/drawing.ts';
import { oneLine } from '../../../protocol/plain-text.ts';
import { edgesOf, fixedUnits, unitEdges } from '../../../protocol/graph/edges.ts';
import { workText } from '../../../protocol/graph/work-text.ts';

/** A state diagram that README files and pull requests show as a picture. */
export function mermaid(workflow: Workflow, notes: Notes = {}): string {
  const ids = new Map(Object.keys(workflow.states).map((name, index) => [name, `s${index}`]));
  const id = (name: string): string => ids.get(name) ?? '[*]';
  const states = Object.values(workflow.states);
  const lines = [
    'stateDiagram-v2',
    ...states.map((state) => `  state "${label(stateText(state, workflow))}" as ${id(state.name)}`),
    ...states.flatMap((state) => unitLines(state, id(state.name), notes)),
    `  [*] --> ${id(workflow.start)}`,
    ...edgesOf(workflow).map((edge) => {
      const text = edge.label === '' ? '' : ` : ${label(edge.label)}`;
      return `  ${id(edge.from)} --> ${id(edge.to)}${text}`;
    }),
    ...states.filter((state) => state.kind === 'end').map((state) => `  ${id(state.name)} --> [*]`),
  ];
  return lines.join('\n');
}

type Notes = Readonly<Record<string, UnitNote>>;

/** The units of a pool stand inside its state. */
function unitLines(state: State, pool: string, notes: Notes): readonly string[] {
  const units = fixedUnits(state);
  if (units.length === 0) return [];
  const id = (unit: string): string => `${pool}_${units.findIndex((one) => one.id === unit)}`;
  return [
    `  state ${pool} {`,
    ...units.map((unit) => `    state "${label(unitText(unit, notes[unit.id]))}" as ${id(unit.id)}`),
    ...units.filter(({ after }) => after.length === 0).map((unit) => `    [*] --> ${id(unit.id)}`),
    ...unitEdges(units, notes).map((edge) => {
      const text = edge.label === '' ? '' : ` : ${label(edge.label)}`;
      return `    ${id(edge.from)} --> ${id(edge.to)}${text}`;
    }),
    '  }',
  ];
}

function unitText({ id, after, work }: PoolUnit, note: UnitNote | undefined): string {
  const what = note?.what ?? (work.kind === 'choice' ? 'choice' : workText(work));
  // A node without dependencies has no edge to carry the label.
  const when = note === undefined || note.when === null || after.length > 0 ? '' : `, if ${note.when}`;
  return `${id}: ${what}${when}`;
}

function stateText(state: State, { agents }: Workflow): string {
  if (state.kind === 'end') return state.outcome === 'ok' ? state.name : `${state.name} (${state.outcome})`;
  const work = workText(state.work, agents);
  return work === '' ? state.name : `${state.name}: ${work}`;
}

/** Characters that mean something to Mermaid are written as entities. */
const label = (text: string): string =>
  oneLine(text, 90).replaceAll(/["#;:<>{}]/g, (character) => `#${character.codePointAt(0) ?? 0};`);
