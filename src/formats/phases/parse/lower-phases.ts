import {
  DEFAULT_LIMITS,
  type Parameter,
  type PoolUnit,
  type State,
  type UnitWork,
  type Workflow,
} from '../../../core/model/workflow.ts';
import type { Json, JsonObject } from '../../../core/model/json.ts';
import type { Origin, ProblemReport } from '../../../source/problem-report.ts';
import { byName, code, endState, goTo, leadsTo, script, to, workState } from '../../../source/model-parts.ts';
import type { SourcePath } from '../../../source/place.ts';
import type { PhaseFile } from './phase-list.ts';
import { resultsFor } from './lower-phase.ts';
import type { PhasePart } from './phase-part.ts';

/** A file that an input names by its path, without a template: it should be there when the run begins. */
interface NamedFile {
  readonly path: string;
  /** The phase, and where its file says so. */
  readonly where: string;
}

/** Named files that no phase makes. */
export function namedFiles(parts: readonly PhasePart[], { file, locate }: Origin): readonly NamedFile[] {
  const made = parts.flatMap(({ owed }) => owed.flatMap(({ path }) => (path === null ? [] : [patternOf(path)])));
  return parts.flatMap(({ spec, key }) =>
    Object.entries(spec.input)
      .flatMap(([name, value]) => textsIn(value, [...spec.path, 'input', name]))
      .filter(({ text }) => key === spec.id && isPath(text) && !made.some((pattern) => pattern.test(text)))
      .map(({ text, path }) => {
        const at = locate(path);
        return { path: text, where: `"${spec.id}"${at === undefined ? '' : ` (${file}:${at.line})`}` };
      }),
  );
}

interface PlacedText {
  readonly text: string;
  readonly path: SourcePath;
}

function textsIn(value: Json, path: SourcePath): readonly PlacedText[] {
  if (typeof value === 'string') return [{ text: value, path }];
  if (!Array.isArray(value)) return [];
  return (value as readonly Json[]).flatMap((one, index) =>
    typeof one === 'string' ? [{ text: one, path: [...path, index] }] : [],
  );
}

/** With a folder and an ending: much else that is written has a dot or a slash in it. */
const isPath = (text: string): boolean =>
  /^(?:\.\/)?[\w@-][\w.@-]*(?:\/[\w.@-]+)+\.[A-Za-z][A-Za-z0-9]{0,7}$/.test(text);

/** Matches the possible values of an output. */
function patternOf(path: string): RegExp {
  const plain = path.replace(/^\.\//, '');
  const parts = plain.split(/\$\{[^}]*\}|\*+|\?/).map((part) => part.replaceAll(/[.+^(){}|[\]\\$]/g, String.raw`\$&`));
  return new RegExp(`^(?:\\./)?${parts.join('.*')}(?:/.*)?$`);
}

/** The state that looks for the files which the author names; a word to the person, and the run goes on. */
function lookingAhead(files: readonly NamedFile[], next: string): readonly State[] {
  if (files.length === 0) return [];
  const where = [...Map.groupBy(files, ({ path }) => path)].map(
    ([path, group]) => [path, group.map((one) => one.where).join(', ')] as const,
  );
  const input = code(`({ files: ${JSON.stringify(Object.fromEntries(where))} })`);
  const notice = 'this.common_data.notices = [...(common_data.notices ?? []), result.notice]';
  return [
    workState(
      LOOKING,
      { kind: 'compute', program: 'phases.missing', input },
      {
        transitions: [to(next, 'result.notice !== null', notice), to(next)],
        on: { failed: [to(next)], crashed: [to(next)] },
      },
    ),
  ];
}

export const LOOKING = 'inputs';

/** How the phases of a file run together. */
export interface PhasesLowering {
  readonly file: PhaseFile;
  readonly report: ProblemReport;
  readonly inputs: readonly Parameter[];
  /** By phase: its workflow, whether it has its own files, and the script of its templates. */
  readonly parts: ReadonlyMap<
    string,
    { readonly workflow: string; readonly isApart: boolean; readonly script: string }
  >;
  /** Which further phases a phase waits for, because they look at the same thing again. */
  readonly waits: ReadonlyMap<string, readonly string[]>;
  /** Files that should be there when it begins. */
  readonly named: readonly NamedFile[];
  /** By phase: those whose results it is handed. */
  readonly reads: ReadonlyMap<string, readonly string[]>;
  /** The phases that loop, in the order of the file: their repeated or fixed results are newer. */
  readonly looping: readonly string[];
}

/** One state in which all phases run, each as soon as those it depends on are done. */
export function lowerPhases(lowering: PhasesLowering): Workflow {
  const { file, report, inputs } = lowering;
  const { head } = file;
  const looking = lookingAhead(lowering.named, 'phases');
  const states = [beginning(lowering), ...looking, ...routed(lowering), phasesState(lowering), ...endings(file)];
  return {
    name: head.name ?? '',
    description: head.description ?? '',
    family: 'phases',
    inputs,
    output: null,
    data: { vars: {}, phases: {}, reading: null, way: null, verdict: null },
    contexts: [],
    agents: [],
    start: 'start',
    states: byName(states),
    limits: DEFAULT_LIMITS,
    onFailure: head.on_failure === 'keep' ? 'keep' : 'rollback',
    file: report.origin.file,
  };
}

/** The inputs of the run, with their defaults. */
function beginning({ inputs, file, named }: PhasesLowering): State {
  const given = file.head.inputs ?? [];
  const defaults = Array.isArray(given)
    ? []
    : Object.entries(given).flatMap(([name, about]) =>
        typeof about === 'string' || about.default === undefined ? [] : [[name, about.default]],
      );
  const declared = { names: inputs.map(({ name }) => name), defaults: Object.fromEntries(defaults) as JsonObject };
  const first = named.length === 0 ? 'phases' : LOOKING;
  const next = file.route === null ? first : 'route';
  const input = code(`(${JSON.stringify(declared)})`);
  return workState(
    'start',
    { kind: 'compute', program: 'phases.open', input, keeps: 'vars' },
    { transitions: [to(next)] },
  );
}

/** Whether one agent is enough is computed from the project, never from a model's answer (PH2). */
function routed({ file, parts, report }: PhasesLowering): readonly State[] {
  const { route } = file;
  if (route === null) return [];
  const at = report.origin.locate(route.path);
  const simple = parts.get(SIMPLE);
  if (simple === undefined) return [];
  return [
    workState(
      'route',
      { kind: 'compute', program: 'phases.route', input: code(ROUTED), keeps: 'way' },
      {
        // The request may contain templates: it gets the same values as the single agent.
        enter: script(simple.script),
        transitions: [to('simple', 'result.isSimple'), to('phases')],
        at,
      },
    ),
    workState('simple', { kind: 'call', workflow: simple.workflow, input: CHILD_INPUT }, { ...leadsTo('judge'), at }),
  ];
}

const ROUTED = `({ file: common_data.reading.inputs.file ?? null, function: common_data.reading.inputs.function ?? null,
  request: common_data.reading.inputs })`;

/** The part that does it all alone. */
export const SIMPLE = 'simple execution';

const CHILD_INPUT = { phases: code('({})'), vars: code('common_data.vars') };

function phasesState({ file, parts, waits, report, reads, looping }: PhasesLowering): State {
  const list = file.phases.map((spec): PoolUnit => {
    const { workflow = '', isApart = false } = parts.get(spec.id) ?? {};
    const work: UnitWork = {
      kind: 'call',
      workflow,
      input: { phases: code(handedTo(reads.get(spec.id) ?? [], looping)), vars: code('common_data.vars') },
      ...(isApart ? { workspace: 'own' } : {}),
    };
    return { id: spec.id, after: [...new Set([...spec.dependsOn, ...(waits.get(spec.id) ?? [])])], work };
  });
  return workState(
    'phases',
    {
      kind: 'pool',
      units: { kind: 'fixed', list },
      slots: file.head.max_parallel ?? list.length,
      join: { rule: 'all' },
      called: 'phases',
      grow: null,
    },
    {
      ...leadsTo('judge'),
      at: report.origin.locate(file.phases[0]?.path.slice(0, -1) ?? []),
    },
  );
}

/** The input of a phase: a loop has repeated other phases or fixed their files, and its last result counts. */
function handedTo(ids: readonly string[], looping: readonly string[]): string {
  const loops = looping.toReversed().map((loop) => `units[${JSON.stringify(loop)}]?.output?.rerun?.`);
  return resultsFor(ids, (id) => [...loops.map((loop) => `${loop}[${id}]`), `units[${id}]`]);
}

function endings({ optional }: PhaseFile): readonly State[] {
  const input = code(`({ optional: ${JSON.stringify([...optional])} })`);
  const output = 'common_data.verdict.output';
  const failure = 'common_data.verdict.problem';
  return [
    workState(
      'judge',
      { kind: 'compute', program: 'phases.judge', input, keeps: 'verdict' },
      { transitions: [goTo('done'), goTo('partial'), to('failed')] },
    ),
    endState('done', 'ok', { output }),
    endState('partial', 'partial', { output, failure }),
    endState('failed', 'failed', { output, failure }),
  ];
}
