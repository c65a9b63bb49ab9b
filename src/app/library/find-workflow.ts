import type { ProblemCode } from '../../core/codes/problem-codes.ts';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { Fault, type Problem } from '../../core/model/fault.ts';
import type { Definition } from '../../core/model/definition.ts';
import type { Workflow } from '../../core/model/workflow.ts';
import { type Build, buildDefinition } from '../../formats/definition.ts';
import { loadWorkflowFolder } from '../../formats/load-workflows.ts';
import type { PlacedRole } from '../../source/roles/placed-role.ts';
import { type Checked, refusedSource, valueOrFault } from '../../source/checked.ts';
import { nameHint } from '../../source/closest-name.ts';
import { workflowsOfModule } from '../../source/workflow-module.ts';
import { pathInProject } from '../config/project.ts';
import { checkResources } from './check-resources.ts';
import { loadProjectRoles, withRolesBeside } from './project-roles.ts';
import type { ProjectView } from './project-trust.ts';
import { loadByFileName, loadFile, loadLibrary, ownWorkflowFiles, type WorkflowLibrary } from './workflow-library.ts';
import { calledWorkflows } from '../../core/check/call-graph.ts';
import { orElse } from '../../lib/or-else.ts';

/**
 * Reports the errors of a workflow's own file, instead of calling the workflow unknown or taking a shipped one of the same
 * name.
 */
export function refuseBroken(name: string, { own, problems }: WorkflowLibrary, folder: string): void {
  if (own.some((workflow) => workflow.name === name)) return;
  const errors = problems.filter(({ severity }) => severity === 'error');
  const files = new Set(errors.flatMap(({ file }) => (file !== undefined && holds(file, name, folder) ? [file] : [])));
  if (files.size === 0) return;
  const [first] = files;
  throw new Fault('WORKFLOW_INVALID', `The workflow "${name}" cannot be used: ${first} has errors.`, {
    problems: errors.filter(({ file }) => file !== undefined && files.has(file)),
    hint: `Correct it, then check it: troupe check ${first}`,
  });
}

/** The workflow may be in a module of the project, which is not loaded before the person trusts it. */
async function refuseUntrusted(name: string, view: ProjectView): Promise<void> {
  const { withheld } = await ownWorkflowFiles(view);
  const { folder } = view.caller;
  const file = withheld.find((path) => holds(path, name, folder));
  if (file === undefined) return;
  const shown = pathInProject(file, folder);
  throw new Fault(
    'PROJECT_UNTRUSTED',
    `The workflow "${name}" is in ${shown}, which is code you have not agreed to run.`,
    {
      hint: `Read it; then: troupe trust. Or run just this file: troupe start ${shown}`,
      facts: { file },
    },
  );
}

/** By the file's name, or by what stands in it; it cannot be asked as a workflow. */
function holds(file: string, name: string, folder: string): boolean {
  if (withoutEnding(file) === name) return true;
  const text = orElse(() => readFileSync(resolve(folder, file), 'utf8'), '');
  const key = /\.[cm]?[jt]s$/i.test(file) ? MODULE_NAME : DOCUMENT_NAME;
  return [...text.matchAll(key)].some(([, found]) => found === name);
}

const DOCUMENT_NAME = /["']?workflow_name["']?\s*:\s*["']?([\w-]+)/g;
const MODULE_NAME = /\bname["']?\s*:\s*["'`]([\w-]+)/g;

const withoutEnding = (file: string): string => basename(file).replace(/\.[^.]*$/, '');

/** A workflow that is not found may be in a file that cannot be read. */
function brokenHint(problems: readonly Problem[]): string {
  return problems.some(({ severity }) => severity === 'error')
    ? ' Files with errors were passed over; it may be in one of them.'
    : '';
}

type Roles = Readonly<Record<string, PlacedRole>>;

export interface FoundWorkflow {
  readonly workflow: Workflow;
  readonly definition: Definition;
  /** All roles that can be named, with where they were written. */
  readonly roles: Roles;
  readonly warnings: readonly Problem[];
}

/** Resolves `NAME`, `FILE` or `FILE#NAME` to a workflow with all that a run of it needs. */
export async function findWorkflow(text: string, view: ProjectView): Promise<FoundWorkflow> {
  const named = namedFile(text, view.caller.folder);
  const roles = await loadProjectRoles(view, named?.path);
  const built = await (named === null ? byName(text, view, roles) : byFile(named, view, roles));
  return found(built, view, roles);
}

/** The same for a workflow that a program defined. What it calls is looked for in what it brings along, then in the project. */
export async function foundWorkflow(workflow: Workflow, view: ProjectView): Promise<FoundWorkflow> {
  const roles = await loadProjectRoles(view);
  const own = [...workflowsOfModule({ default: workflow }), workflow];
  const alone = buildDefinition(workflow.name, own, roles);
  if (!lacksWorkflow(alone)) return found(alone, view, roles);
  const library = await loadLibrary(view);
  return found(buildDefinition(workflow.name, [...library.shipped, ...library.own, ...own], roles), view, roles);
}

function found(built: Checked<Definition>, view: ProjectView, roles: Roles): FoundWorkflow {
  const definition = valueOrFault(built, 'WORKFLOW_INVALID');
  const all = [definition.workflow, ...Object.values(definition.library)];
  const few = checkResources(all, view.project.config.workspaces.resources ?? {}).filter(isWarning);
  return { workflow: definition.workflow, definition, roles, warnings: [...(built.ok ? built.warnings : []), ...few] };
}

const isWarning = ({ severity }: Problem): boolean => severity === 'warning';

interface NamedFile {
  readonly path: string;
  readonly name: string | null;
}

function namedFile(text: string, folder: string): NamedFile | null {
  const cut = text.lastIndexOf('#');
  const file = cut === -1 ? text : text.slice(0, cut);
  const path = resolve(folder, file);
  const looksLikeFile = /[/\\]|\.(json|ya?ml|[cm]?[jt]s)$/i.test(file) || (cut !== -1 && existsSync(path));
  return looksLikeFile ? { path, name: cut === -1 ? null : text.slice(cut + 1) } : null;
}

async function byName(name: string, view: ProjectView, roles: Roles): Promise<Checked<Definition>> {
  const isSupplied = view.project.supplied?.workflows?.some((workflow) => workflow.name === name) === true;
  const likely = isSupplied ? [] : await loadByFileName(name, view);
  const built = likely.length === 0 ? null : buildDefinition(name, likely, roles);
  if (built !== null && !lacksWorkflow(built)) return built;
  const library = await loadLibrary(view);
  const all = [...library.shipped, ...library.own];
  const known = all.map((workflow) => workflow.name);
  refuseBroken(name, library, view.caller.folder);
  if (known.includes(name)) return buildDefinition(name, all, roles);
  await refuseUntrusted(name, view);
  throw new Fault('WORKFLOW_UNKNOWN', `There is no workflow named "${name}".`, {
    problems: library.problems.filter((problem) => problem.severity === 'error'),
    hint: `${nameHint(name, known) ?? 'See them with: troupe workflows'}${brokenHint(library.problems)}`,
  });
}

async function byFile(named: NamedFile, view: ProjectView, roles: Roles): Promise<Checked<Definition>> {
  const inFile = valueOrFault(await loadFile(named.path, view), 'WORKFLOW_INVALID');
  const main = named.name ?? inFile[0]?.name ?? '';
  const names = inFile.map((workflow) => workflow.name);
  if (!names.includes(main)) {
    throw new Fault('WORKFLOW_UNKNOWN', `The file has no workflow named "${main}".`, {
      hint: nameHint(main, names) ?? '',
    });
  }
  return await definitionInFile(main, inFile, { path: named.path, view, roles });
}

export interface FileSurroundings {
  readonly path: string;
  readonly view: ProjectView;
  readonly roles: Roles;
  /** How a definition is made; by default a whole one. */
  readonly build?: Build;
}

/** Looks for called workflows and roles in the file, then in the project, then in the file's folder. */
export async function definitionInFile(
  main: string,
  inFile: readonly Workflow[],
  surroundings: FileSurroundings,
): Promise<Checked<Definition>> {
  const built = await definitionWith(main, inFile, surroundings);
  if (!lacks(built, 'ROLE_UNKNOWN')) return built;
  const roles = await withRolesBeside(surroundings.path, surroundings.roles);
  const again = await definitionWith(main, inFile, { ...surroundings, roles });
  return again.ok ? again : refusedSource(again.problems.map((problem) => withPlaces(problem, surroundings)));
}

/** Adds, for a file outside the project, where its roles would be found. */
function withPlaces(problem: Problem, { path, view }: FileSurroundings): Problem {
  if (problem.code !== 'ROLE_UNKNOWN') return problem;
  const beside = dirname(path);
  const places = [join(view.project.folder, 'roles'), join(beside, '.troupe', 'roles'), join(beside, 'roles')];
  const shown = [...new Set(places)].map((place) => pathInProject(place, view.caller.folder)).join(', ');
  const where = `Roles are looked for in ${shown}.`;
  return { ...problem, hint: problem.hint === undefined ? where : `${problem.hint} ${where}` };
}

async function definitionWith(
  main: string,
  inFile: readonly Workflow[],
  { path, view, roles, build = buildDefinition }: FileSurroundings,
): Promise<Checked<Definition>> {
  const alone = build(main, inFile, roles);
  if (!lacksWorkflow(alone)) return alone;
  const { shipped, own } = await loadLibrary(view);
  const built = build(main, [...shipped, ...own, ...inFile], roles);
  if (!lacksWorkflow(built)) return built;
  const beside = await loadWorkflowFolder(dirname(path));
  return build(main, [...shipped, ...beside.workflows, ...own, ...inFile], roles);
}

const lacksWorkflow = (built: Checked<Definition>): boolean => lacks(built, 'WORKFLOW_UNKNOWN');

function lacks(built: Checked<Definition>, code: ProblemCode): boolean {
  return !built.ok && built.problems.some((problem) => problem.code === code);
}

/** A workflow that merges into the run that started it cannot be started by itself: it would work, and then fail. */
export async function refusePart(workflow: Workflow, view: ProjectView): Promise<void> {
  const state = homeMergeOf(workflow);
  if (state === null) return;
  const library = await loadLibrary(view);
  const all = new Map([...library.shipped, ...library.own].map((one) => [one.name, one]));
  const wholes = [...all.values()].filter(
    (one) => homeMergeOf(one) === null && calledWorkflows(one, all).some(({ name }) => name === workflow.name),
  );
  const names = wholes.map(({ name }) => name).join(', ');
  throw new Fault(
    'WORKFLOW_IS_PART',
    `${workflow.name} is a part of ${names === '' ? 'other workflows' : names}: its state ${state} merges into the run that started it, and here no run does.`,
    { hint: names === '' ? 'Start a workflow that calls it.' : `Start ${names} instead.` },
  );
}

/** The state that merges into the run above; null where none does. */
function homeMergeOf({ states }: Workflow): string | null {
  const found = Object.entries(states).find(
    ([, state]) =>
      state.kind === 'work' &&
      state.work.kind === 'merge' &&
      state.work.agent === null &&
      state.work.unit === undefined,
  );
  return found?.[0] ?? null;
}
