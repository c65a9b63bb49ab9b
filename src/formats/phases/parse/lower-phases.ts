import {
  DEFAULT_LIMITS,
  type Parameter,
  type PoolUnit,
  type State,
  type UnitWork,
  type Workflow,
} from '../../../core/model/workflow.ts';
import type { Json } from '../../../core/model/json.ts';
import type { Origin, ProblemReport } from '../../../source/problem-report.ts';
import { code, endState, script, to, workState } from '../../../source/model-parts.ts';
import type { SourcePath } from '../../../source/place.ts';
import type { PhaseFile } from './phase-list.ts';
import type { PhasePart } from './phase-part.ts';

/** A file that an input names by its path, without a template: it should be there when the run begins. */
interface NamedFile {
  readonly path: string;
  /** The phase, and where its file says so. */
  readonly where: string;
}

/** Those that no phase makes. */
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

/** What an output may turn out to be. */
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
  const notice = `() => {
    const where = ${JSON.stringify(Object.fromEntries(where))};
    const told = result.missing.map(({ path, why }) => why + ' The input of ' + where[path] + ' names it.');
    if (told.length > 0) this.common_data.notices = [...(this.common_data.notices ?? []), told.join(' ')];
  }`;
  const input = code(`({ files: ${JSON.stringify(where.map(([path]) => path))} })`);
  return [
    workState(
      LOOKING,
      { kind: 'compute', program: 'files.missing', input },
      { transitions: [to(next, null, notice)], on: { failed: [to(next)], crashed: [to(next)] } },
    ),
  ];
}

export const LOOKING = 'inputs';

/** How the phases of a file run together. */
export interface PhasesLowering {
  readonly file: PhaseFile;
  readonly report: ProblemReport;
  readonly inputs: readonly Parameter[];
  /** By phase: the workflow it became, whether it has files of its own, and the script of its templates. */
  readonly parts: ReadonlyMap<
    string,
    { readonly workflow: string; readonly isApart: boolean; readonly script: string }
  >;
  /** Which further phases a phase waits for, because they look at the same thing again. */
  readonly waits: ReadonlyMap<string, readonly string[]>;
  /** Files that should be there when it begins. */
  readonly named: readonly NamedFile[];
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
    dialect: 'phases',
    inputs,
    output: null,
    data: { vars: {}, phases: {}, inputs: {}, units: [], way: null, problem: null },
    contexts: [],
    agents: [],
    start: 'start',
    states: Object.fromEntries(states.map((state) => [state.name, state])),
    limits: DEFAULT_LIMITS,
    onFailure: head.on_failure === 'keep' ? 'keep' : 'rollback',
    file: report.origin.file,
  };
}

/** A feature has the name it was given, or one made from the request. */
function beginning({ inputs, file, named }: PhasesLowering): State {
  const names = JSON.stringify(inputs.map(({ name }) => name));
  const given = file.head.inputs ?? [];
  const defaults = Array.isArray(given)
    ? []
    : Object.entries(given).flatMap(([name, about]) =>
        typeof about === 'string' || about.default === undefined ? [] : [[name, about.default]],
      );
  const source = `() => {
    const d = this.common_data;
    const defaults = ${JSON.stringify(Object.fromEntries(defaults))};
    const vars = Object.fromEntries(${names}.map((name) => [name, d[name] ?? defaults[name] ?? null]));
    const slug = String(vars.user_request ?? '').replace(/[^A-Za-z0-9]+/g, '_').replace(/^_+|_+$/g, '').toLowerCase();
    vars.feature_name = vars.feature_name ?? (slug.slice(0, 40).replace(/_+$/, '') || 'feature');
    d.vars = vars;
  }`;
  const first = named.length === 0 ? 'phases' : LOOKING;
  const next = file.route === null ? first : 'route';
  return workState('start', { kind: 'none' }, { enter: script(source), transitions: [to(next)] });
}

/** Whether one agent is enough is computed from what is there, never from what a model says (PH2). */
function routed({ file, parts, report }: PhasesLowering): readonly State[] {
  const { route } = file;
  if (route === null) return [];
  const at = report.origin.locate(route.path);
  const simple = parts.get(SIMPLE);
  if (simple === undefined) return [];
  const ended =
    "this.common_data.units = [{ id: 'execution', outcome, output: result, reason: failure?.message ?? null }]";
  const lost = [to('judge', null, `${ended}; this.common_data.problem = failure`)];
  return [
    workState(
      'route',
      { kind: 'compute', program: 'route.facts', input: code(ROUTED) },
      {
        // What is asked for may be written with templates: the same values as the one agent would be given.
        enter: script(simple.script),
        transitions: [
          to('simple', 'result.isSimple', 'this.common_data.way = result'),
          to('phases', null, 'this.common_data.way = result'),
        ],
        at,
      },
    ),
    workState(
      'simple',
      { kind: 'call', workflow: simple.workflow, input: CHILD_INPUT },
      {
        transitions: [to('done', null, ended)],
        on: { failed: lost, crashed: lost, timeout: lost, blocked: lost, partial: lost },
        at,
      },
    ),
  ];
}

/** A function that is no name is none that could be found. */
const ROUTED = `({
  file: common_data.inputs.file ?? null,
  function: common_data.inputs.function == null ? null : String(common_data.inputs.function),
  request: Object.fromEntries(Object.entries(common_data.inputs).filter(([name]) => name !== 'file' && name !== 'function')),
})`;

/** The part that does it all alone. */
export const SIMPLE = 'simple execution';

const CHILD_INPUT = { phases: code('({})'), vars: code('common_data.vars') };

function phasesState({ file, parts, waits, report }: PhasesLowering): State {
  const list = file.phases.map((spec): PoolUnit => {
    const { workflow = '', isApart = false } = parts.get(spec.id) ?? {};
    const work: UnitWork = {
      kind: 'call',
      workflow,
      input: { phases: code('units'), vars: code('common_data.vars') },
      ...(isApart ? { workspace: 'own' } : {}),
    };
    return { id: spec.id, after: [...new Set([...spec.dependsOn, ...(waits.get(spec.id) ?? [])])], work };
  });
  const kept = 'this.common_data.units = result.units';
  const judged = [to('judge', null, `${kept}; this.common_data.problem = failure`)];
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
      transitions: [to('done', null, kept)],
      on: { failed: judged, timeout: judged, crashed: judged, blocked: judged, partial: judged },
      at: report.origin.locate(file.phases[0]?.path.slice(0, -1) ?? []),
    },
  );
}

/** What went wrong for good takes everything back; work that only is not finished is kept, and called partial (PH6). */
function endings({ optional }: PhaseFile): readonly State[] {
  const judge = `() => {
    const d = this.common_data;
    const optional = ${JSON.stringify([...optional])};
    const lost = d.units.filter((one) => one.reason !== null && !['ok', 'skipped'].includes(one.outcome));
    const critical = lost.filter((one) => one.outcome !== 'partial' && !optional.includes(one.id));
    const [first] = critical.length > 0 ? critical : lost;
    d.critical = critical.length > 0;
    d.problem = { code: critical.length > 0 ? 'PHASE_FAILED' : 'PHASE_PARTIAL',
      message: first === undefined ? (d.problem?.message ?? '') : first.reason.startsWith('Phase "' + first.id + '"') ? first.reason
        : 'The phase ' + first.id + ' came out ' + first.outcome + ': ' + first.reason };
  }`;
  return [
    workState(
      'judge',
      { kind: 'none' },
      {
        enter: script(judge),
        transitions: [to('failed', 'common_data.critical'), to('partial')],
      },
    ),
    endState('done', 'ok', { output: SUMMARY }),
    endState('partial', 'partial', { output: SUMMARY, failure: 'common_data.problem' }),
    endState('failed', 'failed', { output: SUMMARY, failure: 'common_data.problem' }),
  ];
}

const SUMMARY = `({
  ...(common_data.way === null ? {} : { way: common_data.way }),
  phases: Object.fromEntries(common_data.units.map((one) => [one.id, { outcome: one.outcome, output: one.output?.output ?? null, reason: one.reason }])),
  artifacts: [...new Set(common_data.units.flatMap((one) => (one.output?.artifacts ?? []).map((made) => made.path)))],
})`;
