import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Shell } from '../../src/tools/shell.ts';
import { bareTransactions } from './bare-transactions.ts';
import { git } from './source-project.ts';
import { VERIFY } from './review-team.ts';

/** What a reviewed run left on the disk and had done there. */
export interface Deeds {
  readonly transactions: number;
  readonly textBytes: number;
  /** Workspaces that were made. */
  readonly made: number;
  /** Turns after which files were recorded. */
  readonly recorded: number;
  /** Trees of all implementations that were put before the reviewers, with their diffs. */
  readonly packed: number;
  readonly diffs: number;
  readonly commands: number;
  readonly merges: number;
}

interface Alone {
  readonly folder: string;
  readonly project: string;
  readonly shell: Shell;
}

/** The same by hand, one after the other: bare transactions, plain git, and the command in its sandbox. */
export async function doAlone(deeds: Deeds, { folder, project, shell }: Alone): Promise<void> {
  const bare = bareTransactions(join(folder, 'bare.db'), Math.round(deeds.textBytes / deeds.transactions));
  bare.write(deeds.transactions);
  bare.close();
  const places = Array.from({ length: deeds.made }, (_, at) => join(folder, `place-${at}`));
  for (const place of places) git(project, 'worktree', 'add', '-q', '--detach', '-f', place, 'HEAD');
  const [first = project] = places;
  for (let at = 0; at < deeds.recorded; at += 1) {
    const place = places[at % 3] ?? first;
    write(place, 'src/bech32.ts', at);
    write(place, 'test/more.test.ts', at);
    git(place, 'add', '-A');
    git(place, 'write-tree');
  }
  for (let at = 0; at < deeds.diffs; at += 1) git(places[at % 3] ?? first, 'diff', '--cached', 'HEAD');
  for (let at = 0; at < deeds.packed; at += 1) pack(places, join(folder, `pack-${at}`));
  for (let at = 0; at < deeds.commands; at += 1) await verifyAlone(shell, first);
  for (let at = 0; at < deeds.merges; at += 1) {
    git(first, '-c', 'user.name=bench', '-c', 'user.email=bench@example.invalid', 'commit', '-qm', 'work');
    git(first, 'merge-tree', '--write-tree', 'HEAD~1', 'HEAD');
  }
  for (const place of places) git(project, 'worktree', 'remove', '-f', place);
}

function write(place: string, path: string, round: number): void {
  mkdirSync(dirname(join(place, path)), { recursive: true });
  writeFileSync(join(place, path), `export const value = ${round};\n`.repeat(60));
}

/** All implementations as folders of one tree, on the disk. */
function pack(places: readonly string[], target: string): void {
  for (const [at, place] of places.slice(0, 3).entries()) {
    git(place, 'checkout-index', '-a', '-f', `--prefix=${target}/impl_${at + 1}/`);
  }
}

/** The command in its sandbox, and nothing else. */
export async function verifyAlone(shell: Shell, folder: string): Promise<void> {
  const { exitCode } = await shell(VERIFY, {
    place: { folder, environment: {}, folders: [] },
    access: 'write',
    network: false,
    signal: new AbortController().signal,
  });
  if (exitCode !== 0) throw new Error(`${VERIFY} ended with ${exitCode}.`);
}
