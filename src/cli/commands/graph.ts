import type { Definition } from '../../core/model/definition.ts';
import type { Workflow } from '../../core/model/workflow.ts';
import { drawingOf } from '../../source/drawing.ts';
import { cliRequest, flag, type Invocation, textOption, word } from '../invocation.ts';
import { openProject } from '../../app/config/project.ts';
import { linksOf } from '../../protocol/graph/edges.ts';
import { mermaid } from '../../app/library/graph/mermaid.ts';
import { xstate } from '../../app/library/graph/xstate.ts';
import { PROJECT } from '../../protocol/operations/project.ts';
import { findWorkflow } from '../../app/library/find-workflow.ts';

/** `troupe graph FILE`: the workflow as a picture for people, or as data for other tools. */
export async function graphCommand(invocation: Invocation): Promise<void> {
  const { terminal } = invocation;
  const { workflow: name, format } = cliRequest(PROJECT.graph.request, {
    workflow: word(invocation, 0),
    format: textOption(invocation, 'format') ?? (flag(invocation, 'json') ? 'json' : undefined),
  });
  const project = await openProject(terminal);
  const { workflow, definition } = await findWorkflow(name, { project, caller: terminal });
  const text = format === 'svg' ? await picture(definition) : drawn(workflow, format);
  terminal.stdout.write(`${text}\n`);
}

/** As the web page lays it out. */
async function picture({ workflow, library }: Definition): Promise<string> {
  const [{ drawScene, PLAIN }, { svg }] = await Promise.all([
    import('../../server/graph/draw-scene.ts'),
    import('../../app/library/graph/svg.ts'),
  ]);
  const scene = { run: null, workflow, drawing: drawingOf(workflow), library, story: null, prefix: '' };
  return svg(await drawScene(scene, PLAIN), workflow.name);
}

function drawn(workflow: Workflow, format: string): string {
  const drawing = drawingOf(workflow);
  if (format === 'mermaid') return mermaid(drawing.workflow, drawing.units);
  if (format === 'xstate') return JSON.stringify(xstate(drawing.workflow, drawing.units), null, 2);
  // The workflow that runs, and its author's version if that differs.
  const { links, units } = linksOf(drawing);
  const isSame = drawing.workflow === workflow && Object.keys(units).length === 0;
  return JSON.stringify({ kind: 'graph', ...workflow, ...(isSame ? {} : { drawn: { links, units } }) });
}
