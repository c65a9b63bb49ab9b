import type { Position } from '../../../core/model/fault.ts';
import type { Workflow } from '../../../core/model/workflow.ts';
import type { PlacedAgent } from '../../../source/model-parts.ts';
import type { Origin } from '../../../source/problem-report.ts';
import type { SourcePath } from '../../../source/place.ts';
import type { PhasePlan } from '../rules/phase-state.ts';
import type { PhaseSpec } from './phase-list.ts';
import type { PlacedReference } from './phase-script.ts';

/** A phase with its places in the file. */
export interface PlacedPhase {
  readonly spec: PhaseSpec;
  readonly references: readonly PlacedReference[];
  readonly origin: Origin;
}

/** A phase as it was lowered, with the places of its file at its agents. */
export function withPlaces(workflow: Workflow, phase: PlacedPhase): Workflow {
  return { ...workflow, agents: workflow.agents.map((agent, index) => placed(agent, index, phase)) };
}

/** Its type, its actor and each fallback have separate lines. */
function placed(agent: PlacedAgent, index: number, { spec, origin }: PlacedPhase): PlacedAgent {
  const at = origin.locate(index === 0 ? spec.typePath : [...spec.path, 'fallback', index - 1]);
  const actorAt = agent.actor === undefined ? undefined : origin.locate([...spec.path, 'actor']);
  return { ...agent, ...(at === undefined ? {} : { at }), ...(actorAt === undefined ? {} : { actorAt }) };
}

/** Texts for messages while it runs. */
export function phasePlaces({ spec, references, origin }: PlacedPhase): Pick<PhasePlan, 'templates' | 'timeoutText'> {
  const templates = [...Map.groupBy(references, ({ text }) => text)].map(([text, group]) => {
    const [{ phase, output, below } = { phase: '', output: '', below: [] }] = group;
    const places = [...new Set(group.map(({ path }) => placeText(origin, path)))].join(', ');
    const lenient = below.length === 0 ? '' : `${phase}.output.${output}?.${below.join('.')}`;
    return [text, { phase, output, below, places, lenient }] as const;
  });
  const { timeoutMs } = spec;
  const place = placeText(origin, [...spec.path, 'timeout']);
  const timeoutText = timeoutMs === null ? '' : ` of ${timeoutMs / 1000} s (${place})`;
  return { templates: Object.fromEntries(templates), timeoutText };
}

function placeText({ file, locate }: Origin, path: SourcePath): string {
  const at: Position | undefined = locate(path, 'key');
  return at === undefined ? file : `${file}:${at.line}`;
}
