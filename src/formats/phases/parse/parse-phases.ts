import type { PhasePart } from './phase-part.ts';
import type { Json } from '../../../core/model/json.ts';
import type { Parameter, Workflow } from '../../../core/model/workflow.ts';
import { validateWorkflow } from '../../../core/check/validate.ts';
import { drafted, hasErrors, type Drafted } from '../../../source/checked.ts';
import { keepDrawing } from '../../../source/drawing.ts';
import { problemReport, type Origin, type ProblemReport } from '../../../source/problem-report.ts';
import type { SourcePath } from '../../../source/place.ts';
import { checkInputs, checkPhases } from './check-phases.ts';
import { phaseNotes } from './draw-phases.ts';
import { castName, castsFor } from './phase-casts.ts';
import { lowerPhase } from './lower-phase.ts';
import { lowerPhases, namedFiles, SIMPLE } from './lower-phases.ts';
import { declaredOutputs, type DeclaredOutput } from './owed-outputs.ts';
import { circleIn, hasCompany, type PhaseFile, phaseOf, type PhaseSpec } from './phase-list.ts';
import { phaseScript } from './phase-script.ts';
import { loopOf, readsOf, waitsOf } from './phase-loops.ts';
import { readPhaseFile } from './read-phase-file.ts';
import { phasePlaces, type PlacedPhase, withPlaces } from './placed-phase.ts';
import { foundInEach } from '../../../source/parse-each.ts';

/** A phase file (PH1, PH2), one or a list of them: the workflows, or everything that is wrong with it. */
export function parsePhases(document: Json, origin: Origin): Drafted<readonly Workflow[]> {
  const report = problemReport(origin);
  return drafted(foundInEach(document, report, parseOne), report.sorted());
}

function parseOne(document: Json, base: SourcePath, report: ProblemReport): readonly Workflow[] {
  const found = report.problems.length;
  const file = readPhaseFile(document, base, report);
  if (file === null) return [];
  const inputs = inputsOf(file);
  const names = { phases: file.phases.map(({ id }) => id), variables: inputs.map(({ name }) => name) };
  const parts = [...file.phases, ...simpleOf(file)].map((spec) => partOf(spec, { file, report, names }));
  const hasSoundInputs = checkInputs(file, base, report);
  const waits = waitsOf(parts);
  checkPhases({ file, parts, waits }, report);
  // Invalid names would be code.
  if (!hasSoundInputs) return [];
  const byId = new Map(parts.map((part) => [part.key, part]));
  // A cycle of loops is reported already, and would call itself without end.
  const isCircle = circleIn(file.phases) !== null;
  const loops = new Map(parts.map((part) => [part.key, isCircle ? null : loopOf(part, byId, file)]));
  const children = parts.map((part) =>
    withPlaces(lowerPhase({ ...part, loop: loops.get(part.key) ?? null }), placedPhase(part, report)),
  );
  // For a simple task the existence of its file is computed anyway.
  const named = file.route === null ? namedFiles(parts, report.origin) : [];
  const reads = new Map(parts.map((part) => [part.key, readsOf(part, byId, file)]));
  const looping = file.phases.map(({ id }) => id).filter((id) => (loops.get(id) ?? null) !== null);
  const whole = lowerPhases({ file, report, inputs, parts: byId, waits, named, reads, looping });
  const notes = phaseNotes(parts.map((part) => ({ spec: part.spec, loop: loops.get(part.key) ?? null })));
  keepDrawing(whole, { workflow: whole, units: notes });
  // The same errors would show up again as unreachable states.
  if (hasErrors(report.problems.slice(found))) return [whole, ...children];
  for (const workflow of [whole, ...children]) report.add(validateWorkflow(workflow));
  return [whole, ...children];
}

/** The inputs: the request, a name for the feature, and those that the author declared. */
function inputsOf({ head, phases, route }: PhaseFile): readonly Parameter[] {
  const asksFor = (name: string): boolean =>
    route === null && new RegExp(`\\$\\{[^}]*\\b${name}\\b`).test(JSON.stringify(phases.map(readIn)));
  const own = Array.isArray(head.inputs)
    ? head.inputs.map((name) => [name, ''] as const)
    : Object.entries(head.inputs ?? {});
  return [
    {
      name: 'user_request',
      type: 'string',
      description: 'What is wanted, in your own words',
      required: asksFor('user_request'),
    },
    {
      name: 'feature_name',
      type: 'string',
      description: 'A short name that files are called by; made from the request by default',
      required: false,
    },
    ...own
      .filter(([name]) => name !== 'user_request' && name !== 'feature_name')
      .map(([name, about]): Parameter => {
        const given = typeof about === 'string' ? { description: about } : about;
        const { description = '', required = given.default === undefined } = given;
        return { name, type: 'any', description, required };
      }),
  ];
}

const readIn = ({ input, output, condition, instructions, context, criteria }: PhaseSpec): Json => ({
  input,
  output,
  condition,
  instructions,
  context,
  criteria: criteria.filter((one) => typeof one === 'string' || 'files' in one),
});

/** The one agent that does a simple task alone. */
function simpleOf({ route, phases }: PhaseFile): readonly PhaseSpec[] {
  if (route === null) return [];
  const { agent, input, path } = route;
  const spec = phaseOf({ agent_type: agent, input, output: { artifacts: [] } }, { id: SIMPLE, dependsOn: [], path });
  return [{ ...spec, timeoutMs: phases[0]?.timeoutMs ?? null }];
}

const placedPhase = ({ spec, read }: Pick<PhasePart, 'spec' | 'read'>, { origin }: ProblemReport): PlacedPhase => ({
  spec,
  references: read.references,
  origin,
});

interface Around {
  readonly file: PhaseFile;
  readonly report: ProblemReport;
  readonly names: { readonly phases: readonly string[]; readonly variables: readonly string[] };
}

function partOf(spec: PhaseSpec, { file, report, names }: Around): PhasePart {
  const { owed: declared, known } = declaredOutputs(spec.output, spec.id);
  const owed = declared.map((one) => (spec.id === SIMPLE ? withChanged(one, file) : one));
  const read = phaseScript(spec, owed, names);
  const isSimple = spec.id === SIMPLE;
  const shown = isSimple ? { ...spec, id: 'execution' } : spec;
  return {
    key: spec.id,
    spec: shown,
    places: phasePlaces(placedPhase({ spec: shown, read }, report)),
    workflow: `${file.head.name ?? ''}/${spec.id}`,
    file: report.origin.file,
    at: report.origin.locate(spec.path),
    script: read.source,
    owed,
    known,
    from: spec.dependsOn,
    isApart: !isSimple && hasCompany(spec, file.phases),
    timeoutRetries: file.head.errors?.timeout_retries ?? 1,
    toolTries: file.head.errors?.tool_tries,
    reportsOverlap: file.head.report_overlap === true,
    roleOf: (type) => castName(type, spec.mode),
    casts: castsFor([spec.agentType, ...spec.fallback], spec.mode),
    read,
  };
}

/** A simple task names its file: a role that may write must change that one. */
function withChanged(output: DeclaredOutput, { route }: PhaseFile): DeclaredOutput {
  const path = route?.input['file'];
  if (typeof path !== 'string' || path.trim() === '' || READERS.has(route?.agent ?? '')) return output;
  return { ...output, path };
}

const READERS: ReadonlySet<string> = new Set(['planning', 'research', 'verification']);
