import type { Workflow } from '../../core/workflow.ts';
import type { Invocation } from '../command-spec.ts';
import { openProject } from '../config/project.ts';
import { EXIT } from '../exit-code.ts';
import { mermaid } from '../graph/mermaid.ts';
import { xstate } from '../graph/xstate.ts';
import { flag, textOption, word } from '../invocation.ts';
import { findWorkflow } from '../session/find-workflow.ts';

/** `troupe graph FILE`: the workflow as a picture for people, or as data for other tools. */
export async function graphCommand(invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  const project = await openProject(terminal);
  const { workflow } = await findWorkflow(word(invocation, 0) ?? '', { project, terminal });
  const format = textOption(invocation, 'format') ?? (flag(invocation, 'json') ? 'json' : 'mermaid');
  terminal.stdout.write(`${drawn(workflow, format)}\n`);
  return EXIT.ok;
}

function drawn(workflow: Workflow, format: string): string {
  if (format === 'mermaid') return mermaid(workflow);
  return JSON.stringify(format === 'xstate' ? xstate(workflow) : workflow, null, 2);
}
