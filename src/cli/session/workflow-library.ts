import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Fault, type Problem } from '../../core/fault.ts';
import type { Role } from '../../core/role.ts';
import type { Workflow } from '../../core/workflow.ts';
import { loadWorkflowFile, loadWorkflowFolder, type FolderContent } from '../../dialects/load-workflows.ts';
import { loadRoles, loadRolesFile } from '../../dialects/roles/load-roles.ts';
import { mergeRoles } from '../../dialects/roles/merge-roles.ts';
import type { RoleParts } from '../../dialects/roles/role-part.ts';
import { loadShipped } from '../../dialects/shipped.ts';
import type { Checked } from '../../dialects/source/checked.ts';
import { shownPath } from '../config/project.ts';
import { isTrusted, type ProjectView } from './project-trust.ts';

/** Every workflow and role that can be named here. */
export interface WorkflowLibrary {
  readonly shipped: readonly Workflow[];
  /** The project's own; they win over shipped ones of the same name. */
  readonly own: readonly Workflow[];
  readonly roles: Readonly<Record<string, Role>>;
  /** What is wrong with the project's workflow files. One bad file does not keep the others from being used. */
  readonly problems: readonly Problem[];
}

export async function loadLibrary(view: ProjectView): Promise<WorkflowLibrary> {
  const [shipped, own, roles] = await Promise.all([loadShipped(), ownWorkflows(view), ownRoles(view)]);
  return { shipped: shipped.workflows, ...own, roles: mergeRoles(shipped.roles, ...roles) };
}

async function ownWorkflows(view: ProjectView): Promise<{ readonly own: readonly Workflow[]; readonly problems: readonly Problem[] }> {
  const { config, folder } = view.project;
  const places = [...config.workflows, join(folder, 'workflows')];
  const contents = await Promise.all(places.map((path) => workflowsAt(path, view)));
  return {
    own: contents.flatMap((content) => content.workflows),
    problems: contents.flatMap((content) => content.problems),
  };
}

async function workflowsAt(path: string, view: ProjectView): Promise<FolderContent> {
  const shown = shownPath(path, view.terminal.folder);
  const isOwnFolder = path === join(view.project.folder, 'workflows');
  if (!isOwnFolder) return isFile(path) ? await loadFiles([path], view) : await loadWorkflowFolder(shown);
  const [documents, modules] = await Promise.all([loadWorkflowFolder(shown), loadTrustedModules(path, view)]);
  return {
    workflows: [...documents.workflows, ...modules.workflows],
    problems: [...documents.problems, ...modules.problems],
  };
}

const MODULE = /(?<!\.test|\.d)\.[cm]?[jt]s$/;

/** Importing a module runs it, so those found in the project count only once the person trusts it. */
async function loadTrustedModules(folder: string, view: ProjectView): Promise<FolderContent> {
  const names = isFolder(folder) ? readdirSync(folder) : [];
  const files = names.filter((name) => MODULE.test(name) && !name.startsWith('.')).toSorted();
  if (files.length === 0 || !(await isTrusted(view))) return { workflows: [], problems: [] };
  return await loadFiles(files.map((name) => join(folder, name)), view);
}

async function loadFiles(files: readonly string[], view: ProjectView): Promise<FolderContent> {
  const results = await Promise.all(files.map((file) => loadFile(file, view)));
  return {
    workflows: results.flatMap((result) => (result.ok ? result.value : [])),
    problems: results.flatMap((result) => (result.ok ? result.warnings : result.problems)),
  };
}

/** One file that a person named; a module among them may import `troupe` wherever it lies. */
export async function loadFile(path: string, view: ProjectView): Promise<Checked<readonly Workflow[]>> {
  if (MODULE.test(path)) {
    const { offerOwnPackage } = await import('./own-package.ts');
    offerOwnPackage();
  }
  return await loadWorkflowFile(path, { file: shownPath(path, view.terminal.folder) });
}

/** Layers from the farthest to the nearest. */
async function ownRoles({ project }: ProjectView): Promise<readonly RoleParts[]> {
  const places = [...project.config.roles.toReversed(), join(project.folder, 'roles')];
  const results = await Promise.all(places.map((path) => (isFile(path) ? rolesOfFile(path) : loadRoles(path))));
  const problems = results.flatMap((result) => (result.ok ? [] : result.problems));
  if (problems.length > 0) throw new Fault('ROLES_INVALID', 'The roles of the project have errors.', { problems });
  return results.flatMap((result) => (result.ok ? [result.value] : []));
}

async function rolesOfFile(path: string): Promise<Checked<RoleParts>> {
  const found = await loadRolesFile(path);
  if (!found.ok) return found;
  return { ...found, value: Object.fromEntries(found.value.map(({ name, part }) => [name, part])) };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
