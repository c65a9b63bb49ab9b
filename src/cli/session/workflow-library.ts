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
import { shownPath, type Project } from '../config/project.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { isTrusted } from './project-trust.ts';

export interface ProjectView {
  readonly project: Project;
  readonly terminal: Terminal;
}

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
  if (!isFolder(path)) return await workflowsOfFiles([path], view, path === join(view.project.folder, 'workflows'));
  const [documents, modules] = await Promise.all([loadWorkflowFolder(shown), modulesOf(path, view)]);
  return {
    workflows: [...documents.workflows, ...modules.workflows],
    problems: [...documents.problems, ...modules.problems],
  };
}

const MODULE = /(?<!\.test|\.d)\.[cm]?[jt]s$/;

/** Importing a module runs it, so those found in a folder count only once the person trusts the project. */
async function modulesOf(folder: string, view: ProjectView): Promise<FolderContent> {
  const files = readdirSync(folder).filter((name) => MODULE.test(name) && !name.startsWith('.')).toSorted();
  if (files.length === 0 || !(await isTrusted(view))) return { workflows: [], problems: [] };
  return await workflowsOfFiles(files.map((name) => join(folder, name)), view);
}

async function workflowsOfFiles(files: readonly string[], view: ProjectView, mayBeMissing = false): Promise<FolderContent> {
  const workflows: Workflow[] = [];
  const problems: Problem[] = [];
  for (const file of mayBeMissing ? [] : files) {
    const result = await loadFile(file, view);
    if (result.ok) workflows.push(...result.value);
    problems.push(...(result.ok ? result.warnings : result.problems));
  }
  return { workflows, problems };
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
