import { pathInProject } from '../config/project.ts';
import { problemText } from '../../protocol/problem-text.ts';
import type { DefinitionNow } from './definition-change.ts';
import type { DefinitionChange } from './definition-diff.ts';

/** What became of the files a run began with, in a sentence; `folder` is where the reader stands. */
export function changeSentence({ state, file, files }: DefinitionNow, folder: string): string {
  const named = (paths: readonly string[]): string => paths.map((path) => pathInProject(path, folder)).join(', ');
  const own = file === null ? 'this version of troupe' : pathInProject(file, folder);
  switch (state) {
    case 'same':
      return `as ${own} has it`;
    case 'gone':
      return `${own} is gone`;
    case 'broken':
      return `${files.length === 0 ? own : named(files)} has errors now`;
    case 'unread':
      return `the code of ${own} has changed`;
    default:
      return `${files.length === 0 ? own : named(files)} changed since it began`;
  }
}

/** A line for each thing that is another one now, or that is wrong. */
export function definitionChangeLines({ changes, fault }: DefinitionNow): readonly string[] {
  if (fault === undefined) return changes.map(changeLine);
  return fault.problems.length === 0 ? [`${fault.code}: ${fault.message}`] : fault.problems.map(problemText);
}

const MOST = 8;

function changeLine({ of, name, how, what }: DefinitionChange): string {
  const subject = of === 'settings' ? `setting ${name}` : subjectOf(of, name);
  if (what.length === 0) return `${subject} ${how}`;
  const more = what.length > MOST ? `, and ${what.length - MOST} more` : '';
  return `${subject}: ${what.slice(0, MOST).join(', ')}${more}`;
}

/** What a phase or a stage runs as is called by the workflow it belongs to and by its own name. */
function subjectOf(of: DefinitionChange['of'], name: string): string {
  const cut = name.lastIndexOf('/');
  return of === 'workflow' && cut > 0
    ? `"${name.slice(cut + 1)}" of workflow "${name.slice(0, cut)}"`
    : `${of} "${name}"`;
}
