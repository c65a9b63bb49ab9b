import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem } from '../../core/fault.ts';
import { pathInProject } from '../config/project.ts';
import { checkProjectRoles, checkWorkflowFile } from '../library/check-file.ts';
import { readProjectRoles } from '../library/project-roles.ts';
import type { ProjectView } from '../library/project-trust.ts';
import { loadLibrary, ownWorkflowFiles } from '../library/workflow-library.ts';
import { problemText } from '../../protocol/problem-text.ts';
import type { DoctorFinding } from './finding.ts';

/** The project's own roles and workflows: read and checked, never run, so nobody has to trust them for it. */

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
  // Those of roles are told as such; and what a folder is told of again is the same.
  const told = new Set(checkProjectRoles(await readProjectRoles(view), view).map(placeText));
  const found = [...checks.flatMap(({ problems }) => problems), ...library.problems];
  const problems = found.filter((problem) => told.size < told.add(placeText(problem)).size);
  const text = `${library.own.length} of the project, ${library.shipped.length} shipped`;
  return [
    ...problems.map((problem) => finding('workflows', problem)),
    ...unlessBroken('workflows', problems, text),
    ...withheld.map((path) => unseen(pathInProject(path, view.caller.folder))),
  ];
}

/** What makes a problem the same, whoever tells it with which hint. */
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
