import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { programFolder } from '../../../tools/command-environment.ts';
import type { Box } from '../../../sandbox/port.ts';
import type { ForwarderPlan } from './forwarder.ts';
import { openNetworkGate } from './gate.ts';
import type { Reach } from './reach.ts';

/** A program for a box without network, which still gets to where it may. */
export interface ReachingProgram {
  readonly argv: readonly string[];
  readonly box: Box;
  /** Only asked for where the box has no network. */
  readonly reach?: Reach;
}

/** What is to be started in its place, and what has to be closed when it has ended. */
export interface GatedProgram extends Pick<ReachingProgram, 'argv' | 'box'> {
  readonly close: () => Promise<void>;
}

/** `variables`: further ones of the program itself, which nothing around it has. */
export async function gatedProgram(
  { argv, box, reach = [] }: ReachingProgram,
  variables: Readonly<Record<string, string>>,
): Promise<GatedProgram> {
  if (box.network || reach.length === 0) {
    return { argv, box: { ...box, env: { ...box.env, ...variables } }, close: () => Promise.resolve() };
  }
  const { folder, ways, environment, close } = await openNetworkGate(reach);
  const plan: ForwarderPlan = { ways, env: { ...environment, ...variables } };
  const seen = [folder, dirname(FORWARDER)].map((path) => ({ path, access: 'read' as const }));
  return {
    argv: [process.execPath, '--no-warnings', FORWARDER, JSON.stringify(plan), ...argv],
    box: { ...box, folders: [...programFolder(process.execPath, box.hidden), ...seen, ...box.folders] },
    close,
  };
}

/** Run from sources the forwarder is a source too; in a bundle it lies beside the bundle. */
const FORWARDER = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './forwarder.ts' : './client-forwarder.cjs', import.meta.url),
);
