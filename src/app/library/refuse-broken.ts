import { readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { Fault, type Problem } from '../../core/fault.ts';
import { pathInProject } from '../config/project.ts';
import type { ProjectView } from './project-trust.ts';
import { ownWorkflowFiles, type WorkflowLibrary } from './workflow-library.ts';

/**
 * A workflow whose file cannot be read is not unknown, and a shipped one of the same name is not what was meant: what is wrong
 * with the file is told.
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

/** One in a module of the project is there, but nobody may load the module before the person trusts it. */
export async function refuseUntrusted(name: string, view: ProjectView): Promise<void> {
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
  const text = textOf(resolve(folder, file));
  const key = /\.[cm]?[jt]s$/i.test(file) ? MODULE_NAME : DOCUMENT_NAME;
  return [...text.matchAll(key)].some(([, found]) => found === name);
}

const DOCUMENT_NAME = /["']?workflow_name["']?\s*:\s*["']?([\w-]+)/g;
const MODULE_NAME = /\bname["']?\s*:\s*["'`]([\w-]+)/g;

const withoutEnding = (file: string): string => basename(file).replace(/\.[^.]*$/, '');

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** For whoever looks for a workflow that is nowhere: it may be in a file that cannot be read. */
export function brokenHint(problems: readonly Problem[]): string {
  return problems.some(({ severity }) => severity === 'error')
    ? ' Files with errors were passed over; it may be in one of them.'
    : '';
}
