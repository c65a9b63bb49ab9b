import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem } from '../../core/model/fault.ts';
import { pathInProject, type Project } from '../config/project.ts';
import { checkProjectRoles, checkWorkflowFile } from '../library/check-file.ts';
import { readProjectRoles } from '../library/project-roles.ts';
import type { ProjectView } from '../library/project-trust.ts';
import { loadLibrary, ownWorkflowFiles } from '../library/workflow-library.ts';
import { problemText } from '../../protocol/problem-text.ts';
import type { DoctorFinding } from './finding.ts';
import { gitFiles } from '../../workspace/project-files.ts';
import { missingFolder } from '../../workspace/setup/find-setup.ts';
import { missingPackagesLine } from '../results/missing-packages.ts';
import { lookAtServers } from '../world/look-at-servers.ts';
import type { Caller } from '../caller.ts';
import { counted } from '../../protocol/amounts.ts';

/** The project's own roles and workflows: read and checked but never run, so this needs no trust. */

export async function examineRoles(view: ProjectView): Promise<readonly DoctorFinding[]> {
  const read = await readProjectRoles(view);
  const problems = checkProjectRoles(read, view).filter((problem) => !mayBeOwnTool(problem, view));
  const text = `${read.own.length} of the project, ${Object.keys(read.roles).length} with the shipped ones`;
  return [...problems.map((problem) => finding('roles', problem)), ...unlessBroken('roles', problems, text)];
}

/** The tools of a project are code: what they are called is not known before they are loaded. */
const mayBeOwnTool = ({ code }: Problem, { project }: ProjectView): boolean =>
  code === 'TOOL_UNKNOWN' && existsSync(join(project.folder, 'tools'));

export async function examineWorkflows(view: ProjectView): Promise<readonly DoctorFinding[]> {
  const { files, withheld } = await ownWorkflowFiles(view);
  const checks = await Promise.all(files.map((file) => checkWorkflowFile(file, view)));
  const library = await loadLibrary(view);
  // Problems of roles have their own findings, and a file can be checked twice: show each problem once.
  const seen = new Set(checkProjectRoles(await readProjectRoles(view), view).map(placeText));
  const found = [...checks.flatMap(({ problems }) => problems), ...library.problems];
  const problems = found.filter((problem) => seen.size < seen.add(placeText(problem)).size);
  const text = `${library.own.length} of the project, ${library.shipped.length} shipped`;
  return [
    ...problems.map((problem) => finding('workflows', problem)),
    ...unlessBroken('workflows', problems, text),
    ...withheld.map((path) => unseen(pathInProject(path, view.caller.folder))),
  ];
}

/** Identifies a problem; hints may differ by reporter. */
const placeText = ({ file, at, code, message }: Problem): string => JSON.stringify([file, at, code, message]);

const finding = (about: string, problem: Problem): DoctorFinding => ({
  level: problem.severity,
  about,
  text: problemText(problem),
});

const unlessBroken = (about: string, problems: readonly Problem[], text: string): readonly DoctorFinding[] =>
  problems.some(({ severity }) => severity === 'error') ? [] : [{ level: 'ok', about, text }];

const unseen = (file: string): DoctorFinding => ({
  level: 'ok',
  about: 'workflows',
  text: `${file} is code, which is looked at once you trust the project: troupe trust`,
});

/** Whether commands in a workspace find the packages of the project. Outside of git nothing but `node_modules` is left out. */
export async function examineSetup({ root, config, powers }: Project): Promise<readonly DoctorFinding[]> {
  const { setup, ignored = 'skip' } = config.workspaces;
  if (setup !== undefined) return [{ level: 'ok', about: 'setup', text: `${setup}, in each new workspace` }];
  // One that the user has not agreed to is named with the trust of the project.
  if (powers.some(({ setting }) => setting === 'setup')) return [];
  const listed = await gitFiles(root);
  if (listed === null || ignored !== 'skip') return [];
  const missing = missingFolder(new Set(listed.map((path) => path.split('/', 1)[0] ?? '')));
  if (missing === null) return [];
  const { folder, lock, command } = missing;
  return [{ level: 'warning', about: 'setup', text: missingPackagesLine({ folder, lock, setup: command }) }];
}

/** Whether the MCP servers of agents can be used, and how many tools each has. */
export async function examineServers(project: Project, caller: Caller): Promise<readonly DoctorFinding[]> {
  const about = 'mcp';
  const { counts, problems } = await lookAtServers(project, caller);
  const usable = Object.entries(counts).map(([name, count]) => `${name}: ${counted(count, 'tool')}`);
  return [
    ...usable.map((text) => ({ level: 'ok' as const, about, text })),
    ...problems.map((text) => ({ level: 'error' as const, about, text })),
  ];
}
