import { stripVTControlCharacters } from 'node:util';
import type { Demand, Evidence } from '../../../core/record/agent-fact.ts';
import { commandFailure, type ShellResult } from '../../../tools/shell.ts';
import type { Workspace } from '../../../workspace/port.ts';
import { missingFiles } from '../files/missing-files.ts';
import type { World } from '../../world.ts';
import { filled } from '../commands/filled-command.ts';
import { refuseFullDisk } from '../tools/run-tool.ts';

export interface EvidenceOrder {
  readonly demand: Demand;
  /** The agent's workspace, reserved for the caller. */
  readonly workspace: Workspace;
  /** Cancels the check; the run's own signal does too. */
  readonly signal?: AbortSignal;
  /** For each command. */
  readonly timeoutMs?: number;
}

export interface EvidenceFound {
  readonly evidence: readonly Evidence[];
  /** All that is missing, as text for the agent; null if nothing is. */
  readonly missing: string | null;
}

/** A whole test suite may take long; a hanging one must not hold the agent forever. */
const COMMAND_MS = 15 * 60 * 1000;

/** How often a check is repeated because files changed during it. */
const MOST_CHECKS = 2;

/**
 * What the engine checks itself before it accepts `complete` (L4): the promised files, every command run again, and the tree
 * with which that began. Everything is checked, so that the agent learns all problems at once. An agent that is still
 * working can write during the check, so that no single tree passed it: then it is checked again. If the agent still writes,
 * the returned tree differs from the workspace's, and a later comparison shows that.
 */
export async function checkEvidence(context: Witness, order: EvidenceOrder): Promise<EvidenceFound> {
  const { workspace } = order;
  let tree = await workspace.record();
  for (let checks = 1; ; checks += 1) {
    const { evidence, missing } = await checkOnce(context, order);
    const found: EvidenceFound = { evidence: [...evidence, { kind: 'tree', tree }], missing };
    if (missing !== null || checks === MOST_CHECKS) return found;
    const now = await workspace.record();
    if (now === tree) return found;
    tree = now;
  }
}

async function checkOnce(context: Witness, order: EvidenceOrder): Promise<EvidenceFound> {
  const { demand, workspace } = order;
  const signal = AbortSignal.any([context.signal, ...(order.signal === undefined ? [] : [order.signal])]);
  const evidence: Evidence[] = [];
  const missing: string[] = [];
  const absent = await missingFiles(workspace.folder, demand.files, signal);
  for (const path of demand.files) evidence.push({ kind: 'file', path, isThere: !absent.has(path) });
  missing.push(...absent.values());
  for (const command of demand.commands) {
    const ran = await runAgain(context, command, { ...order, signal });
    evidence.push(ran.evidence);
    if (ran.problem !== null) missing.push(ran.problem);
  }
  return { evidence, missing: missing.length === 0 ? null : inWords(missing) };
}

/** The part of a context that checks need. */
export interface Witness {
  readonly world: Pick<World, 'shell' | 'clock' | 'hasOverlay'>;
  readonly signal: AbortSignal;
}

interface RanAgain {
  readonly evidence: Extract<Evidence, { kind: 'command' }>;
  readonly problem: string | null;
}

async function runAgain(
  { world }: Witness,
  command: string,
  { workspace, signal, timeoutMs = COMMAND_MS }: EvidenceOrder & { readonly signal: AbortSignal },
): Promise<RanAgain> {
  const startedAt = world.clock.now();
  // Files that a check writes are discarded if possible, so that the tree is the one that was checked.
  const access = (await world.hasOverlay?.()) === true ? 'throwaway' : 'write';
  const run = { place: workspace, access, network: false, signal, timeoutMs } as const;
  const result = await world.shell(filled(command, workspace.resources), run);
  signal.throwIfAborted();
  const problem = problemOf(command, result);
  if (problem !== null) refuseFullDisk(workspace);
  const output = tailOf(result.output, KEPT_CHARS);
  const ms = world.clock.now() - startedAt;
  return { evidence: { kind: 'command', command, exitCode: result.exitCode, output, ms }, problem };
}

function problemOf(command: string, result: ShellResult): string | null {
  const failure = commandFailure(result);
  if (failure === null) return null;
  const { exitCode } = result;
  const end = exitCode === null ? `has no exit code: ${failure.message}` : `ended with exit code ${exitCode}.`;
  const lines = tailOf(result.output, SHOWN_CHARS);
  return `\`${command}\`, run by the engine, ${end}${lines === '' ? '' : ` Its last lines:\n${indented(lines)}`}`;
}

/** Kept in the journal for people, and sent to the agent: the reason is at the end. */
const KEPT_CHARS = 8000;
const SHOWN_CHARS = 2000;

function tailOf(output: string, most: number): string {
  const text = stripVTControlCharacters(output).trimEnd();
  if (text.length <= most) return text;
  const tail = text.slice(-most);
  // Whole lines, unless there is only one.
  return `[…]\n${tail.slice(tail.indexOf('\n') + 1)}`.toWellFormed();
}

const indented = (text: string): string => text.replaceAll(/^/gm, '    ');

function inWords(missing: readonly string[]): string {
  const listed = missing.slice(0, MOST_LISTED).map((one) => `- ${one}`);
  const more = missing.length - listed.length;
  return ['This is missing:', ...listed, ...(more > 0 ? [`- … and ${more} more.`] : []), ''].join('\n');
}

const MOST_LISTED = 30;
