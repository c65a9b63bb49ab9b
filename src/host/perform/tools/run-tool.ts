import { REPEATED } from '../../../core/fold/cleared-result.ts';
import type { ToolRun } from '../../../core/model/effect.ts';
import type { ToolFinished } from '../../../core/record/call-fact.ts';
import { Fault } from '../../../core/model/fault.ts';
import { isJsonObject } from '../../../core/model/json.ts';
import { SUB_AGENT_TOOL } from '../../../core/fold/open-children.ts';
import type { Role } from '../../../core/model/role.ts';
import type { AgentSpec } from '../../../core/model/workflow.ts';
import { workspaceOf } from '../../../core/model/workspace-name.ts';
import { boundResult, RESULT_TOKENS } from '../../../tools/bound-result.ts';
import type { ToolRefusal } from '../../../tools/mode.ts';
import type { ConflictService, Tool, ToolResult, ToolServices } from '../../../tools/port.ts';
import { toolRefusal, usableTools, withAdvice } from '../../../tools/tools-for.ts';
import { fullDiskAt } from '../../../workspace/store/store-fault.ts';
import type { Workspace } from '../../../workspace/port.ts';
import { shownPath } from '../../../lib/confined-path.ts';
import { holding } from '../commands/holding.ts';
import type { WorkspaceRequest } from '../files/writing.ts';
import { changesIn } from '../files/run-changes.ts';
import { runSubAgent, type PaidResult } from '../turn/run-sub-agent.ts';
import { offeredSpecs } from './offered-tools.ts';
import type { Performance } from '../../world.ts';
import { conflictService } from '../files/settle-conflict.ts';
import { tryTool, type Tried } from './try-tool.ts';
import { turnTool } from './turn-tools.ts';
import { whoSpeaks, type Speaker } from '../turn/who-speaks.ts';
import { roomIn } from '../windows/request-size.ts';

/** One tool call. Errors are reported to the agent as the call's result. */
export async function runTool(performance: Performance, effect: ToolRun): Promise<ToolFinished> {
  const startedAt = performance.world.clock.now();
  const result = await resultOf(performance, effect);
  return {
    kind: 'tool.finished',
    task: effect.task,
    toolCall: effect.toolCall.id,
    content: await bounded(performance, effect, result.content),
    isError: result.isError,
    ms: performance.world.clock.now() - startedAt,
    ...(result.refused === undefined ? {} : { refused: result.refused }),
    ...(result.tries === undefined ? {} : { tries: result.tries }),
    ...(result.spent === undefined ? {} : { spent: result.spent }),
  };
}

/** Smaller if the model's window is small. */
async function bounded(performance: Performance, effect: ToolRun, content: string): Promise<string> {
  const { agent, role } = whoSpeaks(performance, effect);
  const { window } = await performance.world.actorFor(role, agent.actor ?? role.actor);
  const usable = window === undefined ? Infinity : roomIn(window, performance.snapshot).usable;
  const tokens = Math.min(RESULT_TOKENS, Math.floor(usable * RESULT_SHARE));
  // Before it is cut: half a secret is not recognised.
  const clean = performance.world.secrets?.redact(content) ?? content;
  return boundResult(clean, { tool: effect.toolCall.name, input: effect.toolCall.arguments, tokens });
}

const RESULT_SHARE = 0.15;

interface Use {
  readonly tool: Tool;
  readonly agent: AgentSpec;
  readonly role: Role;
  readonly effect: ToolRun;
  /** For agents that write. */
  readonly conflicts?: ConflictService;
}

async function resultOf(performance: Performance, effect: ToolRun): Promise<ToolResult & Partial<PaidResult> & Tried> {
  const speaker = whoSpeaks(performance, effect);
  const { agent, role } = speaker;
  const own = turnTool(speaker, effect.toolCall.name);
  if (own !== null) return await runOwn(performance, { speaker, tool: own, effect });
  const tool = toolNamed(performance, speaker, effect.toolCall.name);
  if ('reason' in tool) return { content: tool.reason, isError: true, refused: tool.code };
  const use: Use = { tool, agent, role, effect };
  if (tool.spec.name === SUB_AGENT_TOOL) return await runSubAgent(performance, use);
  const isAgain = performance.isRepeat && tool.repeat === 'unsafe';
  if (isAgain && !(await isConfinedToFiles(performance, use))) return { content: UNKNOWN, isError: true };
  const key = `${performance.run}/${effect.task}/${effect.toolCall.id}`;
  const result = await tryTool(performance, { tool, key }, () =>
    holding(performance, agent.holds ?? [], () => inPlace(performance, use)),
  );
  return isAgain && tool.onlyFiles !== true ? { ...result, content: `${REPEATED}\n${result.content}` } : result;
}

function toolNamed(performance: Performance, speaker: Speaker, name: string): Tool | ToolRefusal {
  const { world } = performance;
  const tool = world.tools.find(({ spec }) => spec.name === name);
  const usable = usableTools(world.tools, world.services);
  // A tool without its configuration reports itself what is missing.
  const tools = tool === undefined || usable.includes(tool) ? usable : [...usable, tool];
  const refusal = toolRefusal(speaker.role, tools, name);
  if (refusal !== null) {
    const offered = offeredSpecs(performance, speaker).map((spec) => spec.name);
    return withAdvice(refusal, name, offered);
  }
  if (tool === undefined) throw new Fault('INTERNAL', `The tool ${name} is gone.`);
  return tool;
}

const UNKNOWN =
  'The engine stopped while this call was under way, so its outcome is unknown. Look whether it took effect before you call it again.';

/**
 * A tool that only writes files has no effect once the workspace is restored to its state before the call, and neither has a
 * program without network inside the sandbox: repeating it is safe.
 */
async function isConfinedToFiles({ world }: Performance, { tool, role }: Use): Promise<boolean> {
  if (!world.workspaces.keepsFiles || tool.access === 'talk') return false;
  if (tool.onlyFiles === true) return true;
  return role.network !== true && (await world.sandbox?.()) === 'bubblewrap';
}

/** Loaded with the first call: the validation of outputs is large, and most runs owe none. */
async function runOwn(
  performance: Performance,
  { speaker, tool, effect }: { readonly speaker: Speaker; readonly tool: Tool; readonly effect: ToolRun },
): Promise<ToolResult> {
  const { runTurnTool } = await import('./run-turn-tool.ts');
  const { id, arguments: input } = effect.toolCall;
  return await runTurnTool(performance, { speaker, tool, input, id });
}

async function inPlace(performance: Performance, use: Use): Promise<ToolResult> {
  const { places } = performance;
  const { tool, role } = use;
  const request = requestFor(performance, use);
  const writes = tool.access === 'write' || (tool.access === 'command' && (role.mode ?? 'write') === 'write');
  if (!writes) return await looking(performance, use, request);
  return await places.write(performance, request, async (writing) => {
    const { workspace, isAgain } = writing;
    if (isAgain && tool.repeat === 'unsafe' && !(await isConfinedToFiles(performance, use)))
      return { content: LOST, isError: true };
    const result = await run(performance, { ...use, conflicts: conflictService(performance, writing) }, workspace);
    if (tool.access === 'write') writing.touched(result.changed);
    if (result.isError) refuseFullDisk(workspace);
    return isAgain && tool.onlyFiles !== true ? { ...result, content: `${REMADE}\n${result.content}` } : result;
  });
}

const REMADE =
  '(The folder of the workspace was deleted while this call was under way. It was made again as it was before the call, without the files that git ignores, and the call was done again.)';

const LOST =
  'The folder of the workspace was deleted while this call was under way. Its files are again what they were before the call; whether it had other effects is not known. Look before you call it again.';

/** A file that is missing because the whole folder is gone is no answer: the folder is created again, and read again. */
async function looking(performance: Performance, use: Use, request: WorkspaceRequest): Promise<ToolResult> {
  const workspace = await performance.places.look(performance, request);
  const result = await run(performance, use, workspace);
  if (!result.isError || use.tool.access !== 'read' || (await workspace.isThere())) return result;
  return await run(performance, use, await performance.places.look(performance, request));
}

/** On a full disk no agent could do better: the call is repeated when there is space. */
export function refuseFullDisk({ folder }: Workspace): void {
  const full = fullDiskAt(folder);
  if (full !== null) throw full;
}

const requestFor = ({ snapshot }: Performance, { agent, effect }: Use): WorkspaceRequest => ({
  name: workspaceOf(snapshot, agent),
  from: snapshot.workspace,
  task: effect.task,
  toolCall: effect.toolCall.id,
});

async function run(performance: Performance, use: Use, workspace: Workspace): Promise<ToolResult> {
  const { tool, role, effect } = use;
  const { signal } = performance;
  const { arguments: input } = effect.toolCall;
  await performance.begin();
  return await tool.run(isJsonObject(input) ? input : {}, {
    folder: workspace.folder,
    signal,
    mode: role.mode ?? 'write',
    network: role.network === true,
    place: workspace,
    services: {
      ...servicesFor(performance, workspace, requestFor(performance, use)),
      ...(use.conflicts === undefined ? {} : { conflicts: use.conflicts }),
    },
  });
}

function servicesFor(performance: Performance, place: Workspace, request: WorkspaceRequest): ToolServices {
  const { world } = performance;
  const changes = changesIn(performance, place);
  const borrowable = place.folders.filter(({ access }) => access === 'read').map(({ path }) => path);
  return {
    ...world.services,
    git: { ...world.services?.git, borrowable },
    ...(changes === undefined ? {} : { changes }),
    shell: async (command, { mode, network, signal, timeoutMs }) => {
      const run = { network, signal, timeoutMs };
      if (mode === 'write') return await world.shell(command, { ...run, place, access: 'write' });
      if ((await world.hasOverlay?.()) !== false)
        return await world.shell(command, { ...run, place, access: 'throwaway' });
      const { value, changed } = await performance.places.onCopy(performance, request, (copy) =>
        world.shell(command, { ...run, place: copy, access: 'write' }),
      );
      return { ...value, discarded: changed.map((path) => shownPath(Buffer.from(path, 'latin1'))) };
    },
  };
}
