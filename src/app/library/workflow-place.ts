import { existsSync, realpathSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { Fault, isFault, type Problem } from '../../core/model/fault.ts';
import { findAssets } from '../../formats/load-assets.ts';
import { pathInProject } from '../config/project.ts';
import { findWorkflow, refuseBroken } from './find-workflow.ts';
import { isTrusted, type ProjectView } from './project-trust.ts';
import { loadLibrary } from './workflow-library.ts';
import type { Parameter, Workflow } from '../../core/model/workflow.ts';
import type { JsonObject } from '../../core/model/json.ts';
import type { InputField, PlacedProblem, RolePage } from '../../protocol/web/workflow-page.ts';
import type { Definition } from '../../core/model/definition.ts';
import { findRolePrompt } from '../../source/agent-types/role-prompt.ts';
import { draftOf } from '../../source/checked.ts';
import { readProjectTypes, rolePlaces } from './project-roles.ts';
import { familyOf } from '../../formats/families.ts';

/** Where a workflow is that a page asks for. */
export interface WorkflowPlace {
  /** Null: the first of the file. */
  readonly name: string | null;
  /** Null for one that is in no file. */
  readonly path: string | null;
  readonly origin: 'project' | 'shipped';
}

const SOURCE = /\.(?:json|ya?ml|[cm]?[jt]s)$/i;
const CODE = /\.[cm]?[jt]s$/i;

/** By name, `FILE` or `FILE#NAME`. WORKFLOW_UNKNOWN where there is none. */
export async function placeOf(text: string, view: ProjectView): Promise<WorkflowPlace> {
  const cut = text.lastIndexOf('#');
  const file = cut === -1 ? text : text.slice(0, cut);
  if (isFile(file, cut !== -1, view)) return { ...fileIn(file, view), name: cut === -1 ? null : text.slice(cut + 1) };
  const library = await loadLibrary(view);
  const own = library.own.find(({ name }) => name === text);
  if (own === undefined) {
    const broken = brokenFile(() => refuseBroken(text, library, view.caller.folder));
    if (broken !== null) return { name: text, path: resolve(view.caller.folder, broken), origin: 'project' };
  }
  const found = own ?? library.shipped.find(({ name }) => name === text) ?? (await findWorkflow(text, view)).workflow;
  const path = found.file === undefined ? null : resolve(view.caller.folder, found.file);
  return { name: text, path, origin: own === undefined ? 'shipped' : 'project' };
}

/** Whether `findWorkflow` would open it. */
const isFile = (file: string, isPlaced: boolean, { caller }: ProjectView): boolean =>
  /[/\\]/.test(file) || SOURCE.test(file) || (isPlaced && existsSync(resolve(caller.folder, file)));

function brokenFile(refuse: () => void): string | null {
  try {
    refuse();
    return null;
  } catch (error) {
    if (!isFault(error)) throw error;
    return error.problems.find(({ file }) => file !== undefined)?.file ?? null;
  }
}

/** A page shows workflow files of the project and of Troupe, and no other file of the machine. */
function fileIn(file: string, { project, caller }: ProjectView): Pick<WorkflowPlace, 'path' | 'origin'> {
  const path = resolve(caller.folder, file);
  const shipped = join(findAssets(), 'workflows');
  const real = existsSync(path) ? realpathSync(path) : null;
  const isIn = (folder: string): boolean => existsSync(folder) && real?.startsWith(realpathSync(folder) + sep) === true;
  const named = project.config.workflows.some((place) => path === place || path.startsWith(place + sep));
  if (isIn(shipped)) return { path, origin: 'shipped' };
  if (real !== null && SOURCE.test(path) && (named || isIn(project.root))) return { path, origin: 'project' };
  throw new Fault('WORKFLOW_UNKNOWN', `There is no workflow file "${file}" in this project.`, {
    hint: 'See what can be run here with: troupe workflows',
  });
}

/** To read a module is to run it: a look at a page is no word of the user that it may. */
export async function refuseCode(path: string, view: ProjectView): Promise<Problem | null> {
  if (!CODE.test(path)) return null;
  const isOwn = path.startsWith(join(view.project.folder, 'workflows') + sep);
  if (isOwn && (await isTrusted(view))) return null;
  const file = pathInProject(path, view.caller.folder);
  return {
    code: isOwn ? 'PROJECT_UNTRUSTED' : 'MODULE_UNREAD',
    message: 'This is code, which is not run to look at it.',
    severity: 'error',
    file,
    hint: isOwn ? 'Read it; then: troupe trust' : `See it with: troupe graph ${file}, or troupe check ${file}`,
  };
}

export interface ListedWorkflow {
  readonly name: string;
  readonly description: string;
  readonly inputs: readonly string[];
  readonly origin: 'project' | 'shipped';
  readonly file: string | null;
}

export function listedWorkflows(library: {
  readonly own: readonly Workflow[];
  readonly shipped: readonly Workflow[];
}): readonly ListedWorkflow[] {
  const own = whole(library.own).map((workflow) => listed(workflow, 'project'));
  // What runs under a name is the project's, also where lists leave it out.
  const names = new Set(library.own.map((workflow) => workflow.name));
  const shipped = whole(library.shipped).filter((workflow) => !names.has(workflow.name));
  return [...own, ...shipped.map((workflow) => listed(workflow, 'shipped'))];
}

/** Without those that are only parts of another, as phases and stages are, or say so. */
function whole(workflows: readonly Workflow[]): readonly Workflow[] {
  const names = new Set(workflows.map(({ name }) => name));
  const isPart = (workflow: Workflow): boolean =>
    !familyOf(workflow).hasPlainNames && names.has(partOf(workflow)) && workflow.name.includes('/');
  return workflows.filter((workflow) => workflow.internal !== true && !isPart(workflow));
}

const partOf = ({ name }: Workflow): string => name.split('/')[0] ?? '';

function listed(workflow: Workflow, origin: ListedWorkflow['origin']): ListedWorkflow {
  const { name, description, file } = workflow;
  return { name, description, inputs: workflow.inputs.map((input) => input.name), origin, file: file ?? null };
}

/** The form that starts a run. */
export function inputFields(workflow: Workflow | null, text: string | null): readonly InputField[] {
  if (workflow === null) return [];
  const written = text === null ? {} : familyOf(workflow).writtenDefaults?.(text, workflow);
  return workflow.inputs.map((input, index) => ({
    name: input.name,
    type: input.type,
    description: input.description,
    isRequired: input.required,
    default: defaultOf(input, { ...workflow.data, ...written }),
    choices: input.type === 'boolean' ? ['true', 'false'] : [],
    isLong: isLong(input, index),
  }));
}

/** A variable of the same name is what counts where nothing is given. */
function defaultOf({ name, required }: Parameter, values: JsonObject): string | null {
  const value = required || !Object.hasOwn(values, name) ? null : (values[name] ?? null);
  if (value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The task itself, and whatever has parts. */
const isLong = ({ type }: Parameter, index: number): boolean =>
  type === 'object' || ((type === 'string' || type === 'any') && index === 0);

/** Problems as a page shows them: where they stand, and at which state of the drawing. */
export function placedProblems(problems: readonly Problem[], workflow: Workflow | null): readonly PlacedProblem[] {
  return problems.map((problem) => ({
    severity: problem.severity,
    code: problem.code,
    message: problem.message,
    hint: problem.hint ?? null,
    file: problem.file ?? null,
    line: problem.at?.line ?? null,
    column: problem.at?.column ?? null,
    state: workflow === null ? null : stateOf(problem, workflow),
  }));
}

/** The last state that begins before it, in the same file; what is known to stand elsewhere is about none. */
function stateOf({ at, file, path }: Problem, workflow: Workflow): string | null {
  if (at === undefined || (file !== undefined && workflow.file !== undefined && file !== workflow.file)) return null;
  if (path !== undefined && !/(?:^|[.\]])(?:states|phases|stages)\b/.test(path)) return null;
  const before = Object.values(workflow.states)
    .flatMap((state) => (state.at === undefined ? [] : [{ name: state.name, line: state.at.line }]))
    .filter(({ line }) => line <= at.line);
  const last = Math.max(...before.map(({ line }) => line));
  return before.find(({ line }) => line === last)?.name ?? null;
}

/** The agents of a workflow, their prompts, and the files these are in. */
export async function rolePages({ roles }: Definition, { project }: ProjectView): Promise<readonly RolePage[]> {
  const types = draftOf(await readProjectTypes([project.root])) ?? {};
  const places = [...rolePlaces(project, [project.root]).toReversed(), join(findAssets(), 'roles')];
  return await Promise.all(
    Object.entries(roles).map(async ([name, role]) => {
      const lines = await findRolePrompt(role, places);
      const written = lines.find(({ origin }) => origin !== null)?.origin?.file;
      const type = Object.hasOwn(types, name) ? types[name]?.files[0] : undefined;
      return { name, role, prompt: role.systemMessage, file: written ?? type ?? null };
    }),
  );
}
