import { existsSync, realpathSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { Fault, isFault, type Problem } from '../../core/fault.ts';
import { findAssets } from '../../dialects/shipped.ts';
import { pathInProject } from '../config/project.ts';
import { findWorkflow } from './find-workflow.ts';
import { isTrusted, type ProjectView } from './project-trust.ts';
import { refuseBroken } from './refuse-broken.ts';
import { loadLibrary } from './workflow-library.ts';

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

/** Whatever `findWorkflow` would open. */
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
