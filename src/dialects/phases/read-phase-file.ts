import type { ZodMiniType } from 'zod/mini';
import type { z } from 'zod/mini';
import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { ProblemReport } from '../source/problem-report.ts';
import { reportIssues } from '../source/schema-problems.ts';
import type { SourcePath } from '../source/source-path.ts';
import { phaseOf, type PhaseFile, type PhaseSpec } from './phase-list.ts';
import { agentFileSchema, parallelSchema, phasesSchema, simpleSchema, type PhaseDocument } from './phases-schema.ts';
import { salvagedAgent, salvagedParallel, salvagedSequence, salvagedSimple, type Salvaged } from './salvage-phases.ts';

/** One of the four forms a phase file may have, told apart by its keys; null when nothing can be made of it, which is told. */
export function readPhaseFile(document: Json, base: SourcePath, report: ProblemReport): PhaseFile | null {
  const read = <T>(schema: ZodMiniType<T>, salvage: (given: Json) => Salvaged<T> | null): Salvaged<T> | null => {
    const parsed = schema.safeParse(document);
    if (parsed.success) return { value: parsed.data, refused: new Map() };
    reportIssues(parsed.error.issues, { schema, document, base }, report);
    return salvage(document);
  };
  const fields = isJsonObject(document) ? document : {};
  if ('orchestration' in fields) return parallel(read(parallelSchema, salvagedParallel), base);
  if ('workflow' in fields) return simple(read(simpleSchema, salvagedSimple), base);
  if (isJsonObject(fields['agent'])) return single(read(agentFileSchema, salvagedAgent), base);
  return sequence(read(phasesSchema, salvagedSequence), base);
}

type Read<T extends ZodMiniType> = Salvaged<z.infer<T>> | null;

function sequence(read: Read<typeof phasesSchema>, base: SourcePath): PhaseFile | null {
  if (read === null) return null;
  const { phases, ...head } = read.value;
  const specs = listed(phases, [...base, 'phases'], read.refused);
  return { head, phases: specs, route: null, optional: new Set() };
}

function listed(
  phases: readonly PhaseDocument[],
  path: SourcePath,
  refused: Salvaged<unknown>['refused'],
): readonly PhaseSpec[] {
  return phases.map((phase, index) => {
    const { id, depends_on: dependsOn = [], ...fields } = phase;
    return phaseOf(fields, { id, dependsOn, path: [...path, index], lacks: refused.get(phase) ?? new Set() });
  });
}

function parallel(read: Read<typeof parallelSchema>, base: SourcePath): PhaseFile | null {
  if (read === null) return null;
  const { orchestration, ...head } = read.value;
  const { parallel_agents: agents, aggregation_phase: last, aggregation } = orchestration;
  const path = [...base, 'orchestration'];
  const specs = listed(agents, [...path, 'parallel_agents'], read.refused);
  if (last === undefined) return { head, phases: specs, route: null, optional: new Set() };
  const { id = 'aggregation', ...fields } = last;
  const place = {
    id,
    dependsOn: specs.map((spec) => spec.id),
    path: [...path, 'aggregation_phase'],
    lacks: read.refused.get(last) ?? new Set<string>(),
  };
  const optional = new Set(aggregation === 'optional' ? [id] : []);
  return { head, phases: [...specs, phaseOf(fields, place)], route: null, optional };
}

function single(read: Read<typeof agentFileSchema>, base: SourcePath): PhaseFile | null {
  if (read === null) return null;
  const { agent, ...head } = read.value;
  const { type, ...fields } = agent;
  const path = [...base, 'agent'];
  const place = { id: type, dependsOn: [], path, typePath: [...path, 'type'] };
  return {
    head: { ...head, name: head.name ?? `${type} alone` },
    phases: [phaseOf({ ...fields, agent_type: type }, place)],
    route: null,
    optional: new Set(),
  };
}

/** Where one agent is not enough the whole way is gone: a plan, the work, a check, and mending. */
function simple(read: Read<typeof simpleSchema>, base: SourcePath): PhaseFile | null {
  if (read === null) return null;
  const { workflow: _workflow, agent, input, timeout, ...head } = read.value;
  const given = input as JsonObject;
  const time = timeout === undefined ? {} : { timeout };
  const typePath = [...base, 'agent'];
  const at = (id: string, dependsOn: readonly string[]) => ({ id, dependsOn, path: [...base, 'input'], typePath });
  const spec = { plan: '${planning.output.plan}' };
  const phases: readonly PhaseSpec[] = [
    phaseOf(
      { agent_type: 'planning', input: given, output: { plan: 'specs/plan.md', tasks: 'specs/tasks.json' }, ...time },
      at('planning', []),
    ),
    phaseOf(
      {
        agent_type: agent,
        input: { ...given, ...spec, tasks: '${planning.output.tasks}' },
        output: { artifacts: [] },
        ...time,
      },
      at('execution', ['planning']),
    ),
    phaseOf(
      {
        agent_type: 'verification',
        input: { ...spec, artifacts: '${execution.output.artifacts}' },
        output: { report: 'outputs/verification_report.json' },
        ...time,
      },
      at('verification', ['execution']),
    ),
    phaseOf(
      {
        agent_type: 'fix',
        input: { errors: '${verification.output.report?.failures}', ...spec },
        output: { fixed_files: [] },
        condition: '${verification.output.report.tests_failed > 0}',
        max_iterations: 3,
        ...time,
      },
      at('fix', ['verification']),
    ),
  ];
  return { head, phases, route: { input: given, agent, path: [...base, 'input'] }, optional: new Set() };
}
