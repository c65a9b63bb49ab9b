import { whole } from '../../protocol/whole-list.ts';
import { workflowPages } from '../../app/library/workflow-pages.ts';
import { listedWorkflows, type ListedWorkflow } from '../../app/library/workflow-place.ts';
import { type Invocation } from '../invocation.ts';
import { openProject } from '../../app/config/project.ts';
import { loadLibrary } from '../../app/library/workflow-library.ts';
import { problemText } from '../../protocol/problem-text.ts';
import { oneLine } from '../../protocol/plain-text.ts';
import { table } from '../terminal/table.ts';
import { printAnswer } from '../terminal/terminal.ts';

/** `troupe workflows`: what can be run here by name. */
export async function workflowsCommand(invocation: Invocation): Promise<void> {
  const { terminal } = invocation;
  const library = await loadLibrary({ project: await openProject(terminal), caller: terminal });
  const workflows = listedWorkflows(library);
  const items = terminal.mode.json ? await workflowPages(terminal).workflows(terminal.folder) : [];
  const text = (): string => workflowsText(workflows, terminal.stdout.columns || 120);
  printAnswer(terminal, { kind: 'workflows', ...whole(items) }, text);
  for (const problem of library.problems) terminal.stderr.write(`${problemText(problem)}\n`);
}

export function workflowsText(workflows: readonly ListedWorkflow[], width: number): string {
  const rows = workflows.map((one) => [one.name, one.origin, one.inputs.join(', '), oneLine(one.description, 200)]);
  return table([['WORKFLOW', 'FROM', 'INPUT', 'ABOUT'], ...rows], width);
}
