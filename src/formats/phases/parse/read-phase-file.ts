import type { z, ZodMiniType } from 'zod/mini';
import { isJsonObject, type Json, type JsonObject } from '../../../core/model/json.ts';
import type { ProblemReport } from '../../../source/problem-report.ts';
import { reportIssues } from '../../../source/schema-problems.ts';
import type { SourcePath } from '../../../source/place.ts';
import { trim } from '../../../source/trim.ts';
import { type PhaseFile, phaseOf, type PhaseSpec } from './phase-list.ts';
import {
  agentFileSchema,
  aggregationSchema,
  parallelSchema,
  type PhaseDocument,
  phaseSchema,
  phasesSchema,
  simpleSchema,
} from './phases-schema.ts';

/** The usable part of a file with mistakes, so that the others are reported in the same pass; null if there is none. */
interface Salvaged<T> {
  readonly value: T;
  /** By phase: the refused keys. A missing value may be reported already. */
  readonly refused: ReadonlyMap<unknown, ReadonlySet<string>>;
}

type Rest<T extends ZodMiniType> = Salvaged<z.infer<T>> | null;

function salvagedSequence(document: Json): Rest<typeof phasesSchema> {
  if (!isJsonObject(document) || !Array.isArray(document['phases'])) return null;
  const refused = new Map<unknown, ReadonlySet<string>>();
  const phases = phasesIn(document['phases'] as readonly Json[], refused);
  const { phases: _phases, ...head } = headOf(phasesSchema, document);
  return phases.length === 0 ? null : { value: { name: '', ...head, phases }, refused };
}

function salvagedParallel(document: Json): Rest<typeof parallelSchema> {
  const given = isJsonObject(document) ? document['orchestration'] : null;
  if (!isJsonObject(document) || !isJsonObject(given) || !Array.isArray(given['parallel_agents'])) return null;
  const refused = new Map<unknown, ReadonlySet<string>>();
  const agents = phasesIn(given['parallel_agents'] as readonly Json[], refused);
  const last =
    'aggregation_phase' in given
      ? phaseIn(aggregationSchema, given['aggregation_phase'], { refused, standIn: 'nameless' })
      : [];
  if (agents.length === 0) return null;
  const { orchestration: _orchestration, ...head } = headOf(parallelSchema, document);
  const [aggregation] = last;
  const orchestration = {
    type: 'parallel' as const,
    parallel_agents: agents,
    ...(aggregation === undefined ? {} : { aggregation_phase: aggregation }),
  };
  return { value: { name: '', ...head, orchestration }, refused };
}

function salvagedSimple(document: Json): Rest<typeof simpleSchema> {
  return salvaged(simpleSchema, document, { name: '', workflow: 'simple_execution', agent: STAND_IN, input: {} });
}

function salvagedAgent(document: Json): Rest<typeof agentFileSchema> {
  const given = isJsonObject(document) ? document['agent'] : null;
  if (!isJsonObject(document) || !isJsonObject(given)) return null;
  const refused = new Map<unknown, ReadonlySet<string>>();
  const [agent] = phaseIn(agentFileSchema.shape.agent, given, { refused, standIn: '' });
  const { agent: _agent, ...head } = headOf(agentFileSchema, document);
  return agent === undefined ? null : { value: { ...head, agent }, refused };
}

/** A type that always exists, for a phase without one, which is reported already. */
const STAND_IN = 'execution';

function phasesIn(list: readonly Json[], refused: Map<unknown, ReadonlySet<string>>) {
  // Each keeps its place in the list.
  return list.flatMap((one, index) => phaseIn(phaseSchema, one, { refused, standIn: `nameless_${index + 1}` }));
}

/** An invalid id is kept, so that references to it are not reported as another mistake. */
function phaseIn<T extends object>(
  schema: ZodMiniType<T>,
  item: Json | undefined,
  { refused, standIn }: { readonly refused: Map<unknown, ReadonlySet<string>>; readonly standIn: string },
): readonly T[] {
  const given = isJsonObject(item) ? item : {};
  const { id } = given;
  const name = typeof id === 'string' && id !== '' ? id : undefined;
  const rest = salvaged(schema, given, { id: standIn, agent_type: STAND_IN, type: STAND_IN });
  if (rest === null) return [];
  const value = name === undefined || !('id' in rest.value) ? rest.value : { ...rest.value, id: name };
  const missing = Object.keys(given).filter((key) => !isSame(given[key], (value as JsonObject)[key]));
  refused.set(value, new Set(missing));
  return [value];
}

const isSame = (one: Json | undefined, other: Json | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** Missing or completely refused parts get a stand-in where the format needs one. */
function salvaged<T>(schema: ZodMiniType<T>, document: Json, standIns: JsonObject): Salvaged<T> | null {
  if (!isJsonObject(document)) return null;
  const shape = shapeOf(schema);
  const needed = Object.entries(standIns).filter(([key]) => shape[key]?.safeParse(undefined).success === false);
  const kept = needed.map(([key, value]) => [key, accepts(shape[key], document[key]) ? document[key] : value]);
  const rest = trim(schema, { ...document, ...(Object.fromEntries(kept) as JsonObject) });
  return rest === null ? null : { value: rest.value, refused: new Map() };
}

const shapeOf = (schema: ZodMiniType): Readonly<Record<string, ZodMiniType>> =>
  (schema as ZodMiniType & { readonly shape?: Readonly<Record<string, ZodMiniType>> }).shape ?? {};

const accepts = (schema: ZodMiniType | undefined, value: Json | undefined): boolean =>
  schema !== undefined && value !== undefined && schema.safeParse(value).success;

/** The keys at the top that are as they must be. */
function headOf<T>(schema: ZodMiniType<T>, document: JsonObject): Partial<T> {
  const shape = shapeOf(schema);
  const fit = Object.entries(document).filter(([key, value]) => accepts(shape[key], value));
  return Object.fromEntries(fit) as Partial<T>;
}

/** One of the four forms of a phase file, recognised by its keys; null with a problem if it is none of them. */
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

/** If one agent is not enough, there are all phases: a plan, the work, a check, and fixes. */
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
