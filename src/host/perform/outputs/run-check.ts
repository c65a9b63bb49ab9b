import { stripVTControlCharacters } from 'node:util';
import type { ComputeRun } from '../../../core/model/effect.ts';
import { commandFailure, type ShellResult, type ShellRun } from '../../../tools/shell.ts';
import type { Workspace } from '../../../workspace/port.ts';
import { commandLimit } from '../commands/command-limit.ts';
import { holding } from '../commands/holding.ts';
import type { EffectContext } from '../../world.ts';
import { filled } from '../commands/filled-command.ts';
import { refuseFullDisk } from '../tools/run-tool.ts';
import { workspaceRequest, type Held } from '../commands/in-place.ts';

/**
 * Runs a command that must succeed, on the files as the agent left them; null if it does, else why not. What it writes is
 * discarded: without an overlay, an agent that only reads gets a copy for it, and the files of one that writes are restored,
 * since a copy lacks ignored files, which tests often need.
 */
export async function runCheck(
  context: EffectContext,
  { effect, held, agent: name, command }: CheckOrder,
): Promise<string | null> {
  const { world, signal, places, definition } = context;
  const agent = definition.workflow.agents.find((one) => one.name === name);
  const mode = (agent === undefined ? undefined : definition.roles[agent.role]?.mode) ?? 'write';
  const run = async (place: Workspace, access: ShellRun['access']): Promise<ShellResult> => {
    const options = { place, access, network: false, signal, ...commandLimit(context, effect.task) };
    return await world.shell(filled(command, place.resources), options);
  };
  const result = await holding(context, agent?.holds ?? [], async () => {
    if ((await world.hasOverlay?.()) === true) return await run(held.workspace, 'throwaway');
    if (mode === 'write') return await puttingBack(held, () => run(held.workspace, 'write'));
    const request = workspaceRequest(context, effect);
    return (await places.onCopy(context, request, (copy) => run(copy, 'write'))).value;
  });
  signal.throwIfAborted();
  const why = whyNot(command, result);
  if (why !== null) refuseFullDisk(held.workspace);
  return why;
}

export interface CheckOrder {
  readonly effect: ComputeRun;
  readonly held: Held;
  /** The agent whose work is checked: its permissions apply, and its resources are held. */
  readonly agent: string;
  readonly command: string;
}

async function puttingBack<T>({ workspace, tree }: Held, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    if ((await workspace.record()) !== tree) await workspace.restore(tree);
  }
}

function whyNot(command: string, result: ShellResult): string | null {
  const failure = commandFailure(result);
  if (failure === null) return null;
  const { exitCode } = result;
  const end = exitCode === null ? `has no exit code: ${failure.message}` : `ended with exit code ${exitCode}.`;
  const lines = stripVTControlCharacters(result.output).trimEnd().slice(-SHOWN_CHARS).toWellFormed();
  return `\`${command}\`, run by the engine, ${end}${lines === '' ? '' : ` It ended with:\n${lines}`}`;
}

/** The reason is at the end. */
const SHOWN_CHARS = 2000;
