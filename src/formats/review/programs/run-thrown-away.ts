import { stripVTControlCharacters } from 'node:util';
import type { ComputeRun } from '../../../core/model/effect.ts';
import type { TreeId } from '../../../core/model/ids.ts';
import { commandFailure, type ShellResult, type ShellRun } from '../../../tools/shell.ts';
import type { Workspace } from '../../../workspace/port.ts';
import { commandLimit } from '../../../host/perform/commands/command-limit.ts';
import { holding } from '../../../host/perform/commands/holding.ts';
import type { EffectContext } from '../../../host/world.ts';
import { filled } from '../../../host/perform/commands/filled-command.ts';
import { refuseFullDisk } from '../../../host/perform/tools/run-tool.ts';

/** Result of one of the engine's own commands. */
export interface CommandEnd {
  readonly exitCode: number | null;
  readonly output: string;
  readonly ms: number;
  /** Why there is no exit code, such as that it took too long. */
  readonly problem: string | null;
}

export interface ThrownAway {
  readonly effect: ComputeRun;
  readonly agent: string;
  readonly workspace: Workspace;
  /** The content of the workspace. */
  readonly tree: TreeId;
  /** Its content while the command runs. */
  readonly during: TreeId;
  readonly command: string;
  readonly timeoutMs?: number | undefined;
}

/**
 * Runs a command in an agent's workspace, with other files in it while it runs. Its writes go to an overlay, and the files are put
 * back; without an overlay ignored files stay, since tests often need them.
 */
export async function runThrownAway(context: EffectContext, order: ThrownAway): Promise<CommandEnd> {
  const { world, definition } = context;
  const { workspace, tree, during } = order;
  const agent = definition.workflow.agents.find(({ name }) => name === order.agent);
  const hasOverlay = (await world.hasOverlay?.()) === true;
  return await holding(context, agent?.holds ?? [], async () => {
    try {
      if (during !== tree) await workspace.restore(during);
      return await runIn(context, { ...order, place: workspace, access: hasOverlay ? 'throwaway' : 'write' });
    } finally {
      if (during !== tree || (!hasOverlay && (await workspace.record()) !== tree)) await workspace.restore(tree);
    }
  });
}

export interface RunIn extends Pick<ThrownAway, 'effect' | 'command' | 'timeoutMs'> {
  readonly place: Workspace;
  readonly access: ShellRun['access'];
}

export async function runIn(context: EffectContext, order: RunIn): Promise<CommandEnd> {
  const { world, signal } = context;
  const { effect, command, place, access, timeoutMs } = order;
  const limit = timeoutMs === undefined ? commandLimit(context, effect.task) : { timeoutMs };
  const startedAt = world.clock.now();
  const options = { place, access, network: false, signal, maxOutputBytes: MOST_BYTES, ...limit };
  const result = await world.shell(filled(command, place.resources), options);
  signal.throwIfAborted();
  if (result.exitCode !== 0) refuseFullDisk(place);
  return endOf(result, world.clock.now() - startedAt);
}

const MOST_BYTES = 1024 * 1024;

function endOf(result: ShellResult, ms: number): CommandEnd {
  const output = stripVTControlCharacters(result.output).trimEnd().toWellFormed();
  const { exitCode } = result;
  return { exitCode, output, ms, problem: exitCode === null ? (commandFailure(result)?.message ?? null) : null };
}

/** The end of a text in whole lines: the reason stands there. */
export function outputTail(text: string, most: number): string {
  if (text.length <= most) return text;
  const tail = text.slice(-most);
  return `[…]\n${tail.slice(tail.indexOf('\n') + 1)}`.toWellFormed();
}
