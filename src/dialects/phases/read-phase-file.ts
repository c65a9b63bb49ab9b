import type { ZodMiniType } from 'zod/mini';
import type { z } from 'zod/mini';
import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { ProblemReport } from '../source/problem-report.ts';
import { reportIssues } from '../source/schema-problems.ts';
import type { SourcePath } from '../source/source-path.ts';
import { phaseOf, type PhaseFile, type PhaseSpec } from './phase-list.ts';
import { agentFileSchema, parallelSchema, phasesSchema, simpleSchema } from './phases-schema.ts';

/** One of the four forms a phase file may have, told apart by its keys; null when its shape is wrong, which is told. */
export function readPhaseFile(document: Json, base: SourcePath, report: ProblemReport): PhaseFile | null {
  const read = <T extends ZodMiniType>(schema: T): z.infer<T> | null => {
    const parsed = schema.safeParse(document);
    if (parsed.success) return parsed.data;
    reportIssues(parsed.error.issues, { schema, document, base }, report);
    return null;
  };
  const fields = isJsonObject(document) ? document : {};
  if ('orchestration' in fields) return parallel(read(parallelSchema), base);
  if ('workflow' in fields) return simple(read(simpleSchema), base);
  if (isJsonObject(fields['agent'])) return single(read(agentFileSchema), base);
  return sequence(read(phasesSchema), base);
}

type Read<T extends ZodMiniType> = z.infer<T> | null;

function sequence(document: Read<typeof phasesSchema>, base: SourcePath): PhaseFile | null {
  if (document === null) return null;
  const { phases, ...head } = document;
  const specs = phases.map(({ id, depends_on: dependsOn = [], ...fields }, index) =>
    phaseOf(fields, { id, dependsOn, path: [...base, 'phases', index] }),
  );
  return { head, phases: specs, route: null, optional: new Set() };
}

function parallel(document: Read<typeof parallelSchema>, base: SourcePath): PhaseFile | null {
  if (document === null) return null;
  const { orchestration, ...head } = document;
  const { parallel_agents: agents, aggregation_phase: last, aggregation } = orchestration;
  const path = [...base, 'orchestration'];
  const specs = agents.map(({ id, depends_on: dependsOn = [], ...fields }, index) =>
    phaseOf(fields, { id, dependsOn, path: [...path, 'parallel_agents', index] }),
  );
  if (last === undefined) return { head, phases: specs, route: null, optional: new Set() };
  const { id = 'aggregation', ...fields } = last;
  const place = { id, dependsOn: specs.map((spec) => spec.id), path: [...path, 'aggregation_phase'] };
  const optional = new Set(aggregation === 'optional' ? [id] : []);
  return { head, phases: [...specs, phaseOf(fields, place)], route: null, optional };
}

function single(document: Read<typeof agentFileSchema>, base: SourcePath): PhaseFile | null {
  if (document === null) return null;
  const { agent, ...head } = document;
  const { type, ...fields } = agent;
  const place = { id: type, dependsOn: [], path: [...base, 'agent'] };
  return {
    head: { ...head, name: head.name ?? `${type} alone` },
    phases: [phaseOf({ ...fields, agent_type: type }, place)],
    route: null,
    optional: new Set(),
  };
}

/** Where one agent is not enough the whole way is gone: a plan, the work, a check, and mending. */
function simple(document: Read<typeof simpleSchema>, base: SourcePath): PhaseFile | null {
  if (document === null) return null;
  const { workflow: _workflow, agent, input, timeout, ...head } = document;
  const given = input as JsonObject;
  const time = timeout === undefined ? {} : { timeout };
  const at = (id: string, dependsOn: readonly string[]) => ({ id, dependsOn, path: [...base, 'input'] });
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
