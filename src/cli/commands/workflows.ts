import { whole } from '../../protocol/whole-list.ts';
import { workflowPages } from '../../app/library/workflow-pages.ts';
import { listedWorkflows, type ListedWorkflow } from '../../app/library/listed-workflows.ts';
import type { Invocation } from '../command-spec.ts';
import { openProject } from '../../app/config/project.ts';
import { EXIT } from '../exit-code.ts';
import { flag } from '../invocation.ts';
import { loadLibrary } from '../../app/library/workflow-library.ts';
import { problemText } from '../../protocol/problem-text.ts';
import { oneLine } from '../../protocol/plain-text.ts';
import { table } from '../terminal/table.ts';

/** `troupe workflows`: what can be run here by name. */
export async function workflowsCommand(invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  const library = await loadLibrary({ project: await openProject(terminal), caller: terminal });
  const workflows = listedWorkflows(library);
  if (flag(invocation, 'json'))
    terminal.stdout.write(
      `${JSON.stringify({ kind: 'workflows', ...whole(await workflowPages(terminal).workflows(terminal.folder)) })}\n`,
    );
  else terminal.stdout.write(`${workflowsText(workflows, terminal.stdout.columns || 120)}\n`);
  for (const problem of library.problems) terminal.stderr.write(`${problemText(problem)}\n`);
  return EXIT.ok;
}

export function workflowsText(workflows: readonly ListedWorkflow[], width: number): string {
  const rows = workflows.map((one) => [one.name, one.origin, one.inputs.join(', '), oneLine(one.description, 200)]);
  return table([['WORKFLOW', 'FROM', 'INPUT', 'ABOUT'], ...rows], width);
}
