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
import { loadOnce } from '../../load-once.ts';
import { holding } from '../commands/holding.ts';
import type { WorkspaceRequest } from '../files/workspace-writer.ts';
import { changesIn } from '../files/run-changes.ts';
import { runSubAgent, type PaidResult } from '../turn/run-sub-agent.ts';
import { offeredSpecs } from './offered-tools.ts';
import type { EffectContext } from '../../world.ts';
import { conflictService } from '../files/settle-conflict.ts';
import { tryTool, type Tried } from './try-tool.ts';
import { turnTool } from './turn-tools.ts';
import { whoSpeaks, type Speaker } from '../turn/who-speaks.ts';
import { roomIn } from '../windows/request-size.ts';

/** One tool call. Errors are reported to the agent as the call's result. */
export async function runTool(context: EffectContext, effect: ToolRun): Promise<ToolFinished> {
  const startedAt = context.world.clock.now();
  const result = await resultOf(context, effect);
  return {
    kind: 'tool.finished',
    task: effect.task,
    toolCall: effect.toolCall.id,
    content: await bounded(context, effect, result.content),
    isError: result.isError,
    ms: context.world.clock.now() - startedAt,
    ...(result.refused === undefined ? {} : { refused: result.refused }),
    ...(result.tries === undefined ? {} : { tries: result.tries }),
    ...(result.spent === undefined ? {} : { spent: result.spent }),
  };
}

/** Smaller if the model's window is small. */
async function bounded(context: EffectContext, effect: ToolRun, content: string): Promise<string> {
  const { agent, role } = whoSpeaks(context, effect);
  const { window } = await context.world.actorFor(role, agent.actor ?? role.actor);
  const usable = window === undefined ? Infinity : roomIn(window, context.snapshot).usable;
  const tokens = Math.min(RESULT_TOKENS, Math.floor(usable * RESULT_SHARE));
  // Before it is cut: half a secret is not recognised.
  const clean = context.world.secrets?.redact(content) ?? content;
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

async function resultOf(context: EffectContext, effect: ToolRun): Promise<ToolResult & Partial<PaidResult> & Tried> {
  const speaker = whoSpeaks(context, effect);
  const { agent, role } = speaker;
  const own = turnTool(speaker, effect.toolCall.name);
  if (own !== null) return await runOwn(context, { speaker, tool: own, effect });
  const tool = toolNamed(context, speaker, effect.toolCall.name);
  if ('reason' in tool) return { content: tool.reason, isError: true, refused: tool.code };
  const use: Use = { tool, agent, role, effect };
  if (tool.spec.name === SUB_AGENT_TOOL) return await runSubAgent(context, use);
  const isAgain = context.isRepeat && tool.repeat === 'unsafe';
  if (isAgain && !(await isConfinedToFiles(context, use))) return { content: UNKNOWN, isError: true };
  const key = `${context.run}/${effect.task}/${effect.toolCall.id}`;
  const result = await tryTool(context, { tool, key }, () =>
    holding(context, agent.holds ?? [], () => inPlace(context, use)),
  );
  return isAgain && tool.onlyFiles !== true ? { ...result, content: `${REPEATED}\n${result.content}` } : result;
}

function toolNamed(context: EffectContext, speaker: Speaker, name: string): Tool | ToolRefusal {
  const { world } = context;
  const tool = world.tools.find(({ spec }) => spec.name === name);
  const usable = usableTools(world.tools, world.services);
  // A tool without its configuration reports itself what is missing.
  const tools = tool === undefined || usable.includes(tool) ? usable : [...usable, tool];
  const refusal = toolRefusal(speaker.role, tools, name);
  if (refusal !== null) {
    const offered = offeredSpecs(context, speaker).map((spec) => spec.name);
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
async function isConfinedToFiles({ world }: EffectContext, { tool, role }: Use): Promise<boolean> {
  if (!world.workspaces.keepsFiles || tool.access === 'talk') return false;
  if (tool.onlyFiles === true) return true;
  return role.network !== true && (await world.sandbox?.()) === 'bubblewrap';
}

/** Loaded with the first call: the validation of outputs is large, and most runs owe none. */
const turnTools = loadOnce(() => import('./run-turn-tool.ts'));

async function runOwn(
  context: EffectContext,
  { speaker, tool, effect }: { readonly speaker: Speaker; readonly tool: Tool; readonly effect: ToolRun },
): Promise<ToolResult> {
  const { runTurnTool } = await turnTools();
  const { id, arguments: input } = effect.toolCall;
  return await runTurnTool(context, { speaker, tool, input, id });
}

async function inPlace(context: EffectContext, use: Use): Promise<ToolResult> {
  const { places } = context;
  const { tool, role } = use;
  const request = requestFor(context, use);
  const writes = tool.access === 'write' || (tool.access === 'command' && (role.mode ?? 'write') === 'write');
  if (!writes) return await looking(context, use, request);
  return await places.write(context, request, async (writing) => {
    const { workspace, isAgain } = writing;
    if (isAgain && tool.repeat === 'unsafe' && !(await isConfinedToFiles(context, use)))
      return { content: LOST, isError: true };
    const result = await run(context, { ...use, conflicts: conflictService(context, writing) }, workspace);
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
async function looking(context: EffectContext, use: Use, request: WorkspaceRequest): Promise<ToolResult> {
  const workspace = await context.places.look(context, request);
  const result = await run(context, use, workspace);
  if (!result.isError || use.tool.access !== 'read' || (await workspace.isThere())) return result;
  return await run(context, use, await context.places.look(context, request));
}

/** On a full disk no agent could do better: the call is repeated when there is space. */
export function refuseFullDisk({ folder }: Workspace): void {
  const full = fullDiskAt(folder);
  if (full !== null) throw full;
}

const requestFor = ({ snapshot }: EffectContext, { agent, effect }: Use): WorkspaceRequest => ({
  name: workspaceOf(snapshot, agent),
  from: snapshot.workspace,
  task: effect.task,
  toolCall: effect.toolCall.id,
});

async function run(context: EffectContext, use: Use, workspace: Workspace): Promise<ToolResult> {
  const { tool, role, effect } = use;
  const { signal } = context;
  const { arguments: input } = effect.toolCall;
  await context.begin();
  return await tool.run(isJsonObject(input) ? input : {}, {
    folder: workspace.folder,
    signal,
    mode: role.mode ?? 'write',
    network: role.network === true,
    place: workspace,
    services: {
      ...servicesFor(context, workspace, requestFor(context, use)),
      ...(use.conflicts === undefined ? {} : { conflicts: use.conflicts }),
    },
  });
}

function servicesFor(context: EffectContext, place: Workspace, request: WorkspaceRequest): ToolServices {
  const { world } = context;
  const changes = changesIn(context, place);
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
      const { value, changed } = await context.places.onCopy(context, request, (copy) =>
        world.shell(command, { ...run, place: copy, access: 'write' }),
      );
      return { ...value, discarded: changed.map((path) => shownPath(Buffer.from(path, 'latin1'))) };
    },
  };
}
