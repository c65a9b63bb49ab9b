import type { ToolRun } from '../../core/effect.ts';
import type { ToolFinished } from '../../core/fact.ts';
import { isJsonObject } from '../../core/json.ts';
import type { Tool, ToolResult } from '../../tools/port.ts';
import { toolsFor } from '../../tools/tools-for.ts';
import { rootOf, type Performance } from './performance.ts';

const UNKNOWN =
  'The engine stopped while this call was under way, so its outcome is unknown. Look whether it took effect before you call it again.';

/** One tool call. Whatever goes wrong is told to the agent as the call's result. */
export async function runTool(performance: Performance, effect: ToolRun): Promise<ToolFinished> {
  const startedAt = performance.world.clock.now();
  const result = await resultOf(performance, effect);
  return {
    kind: 'tool.finished',
    task: effect.task,
    toolCall: effect.toolCall.id,
    content: result.content,
    isError: result.isError,
    ms: performance.world.clock.now() - startedAt,
  };
}

async function resultOf(performance: Performance, effect: ToolRun): Promise<ToolResult> {
  const { world, run, snapshot, signal } = performance;
  const { name, arguments: input } = effect.toolCall;
  const tool = findTool(performance, effect);
  if (tool === undefined) return { content: `There is no tool ${name} for you.`, isError: true };
  if (performance.isRepeat && tool.repeat === 'unsafe') return { content: UNKNOWN, isError: true };
  const folder = await world.folderFor(rootOf(run), snapshot.project);
  return tool.run(isJsonObject(input) ? input : {}, { folder, signal });
}

function findTool({ world, definition }: Performance, effect: ToolRun): Tool | undefined {
  const agent = definition.workflow.agents.find((one) => one.name === effect.agent);
  const role = agent === undefined ? undefined : definition.roles[agent.role];
  if (role === undefined) return undefined;
  return toolsFor(role, world.tools).tools.find((tool) => tool.spec.name === effect.toolCall.name);
}
