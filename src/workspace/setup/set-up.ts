import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault } from '../../core/fault.ts';
import type { BytePath } from '../byte-path.ts';
import type { RunSetup, SetupRequest, SetupResult } from '../port.ts';
import type { LeaveOut, TreeEntry } from '../store/port.ts';
import { leftOutPaths } from './left-out-paths.ts';
import { bringFromCache, saveToCache } from './setup-cache.ts';
import { setupKey } from './setup-key.ts';

/**
 * Makes a new workspace ready for work, once: from what the same command made before, or by running it. True when files may
 * have changed. Only what snapshots leave out is kept; whatever else the command did is undone by the caller.
 */
export async function setUp(request: SetUpRequest): Promise<boolean> {
  const mark = join(request.kept, SETUP_MARK);
  if (existsSync(mark)) return false;
  const { command, folder, signal } = request.run;
  const cache = join(request.home, 'setup', setupKey(command, request.entries, request.scope));
  if (!(await bringFromCache(cache, folder, signal))) {
    const before = new Set(await leftOutPaths(folder, request.leaveOut));
    const result = await request.runSetup(request.run);
    signal?.throwIfAborted();
    if (result.exitCode !== 0) throw setupFailed(request.run, result);
    const paths = (await leftOutPaths(folder, request.leaveOut)).filter((path) => !before.has(path));
    if (request.mayCache && paths.length > 0) await saveToCache(cache, { folder, paths }, signal);
  }
  await writeFile(mark, `${command}\n`);
  return true;
}

export interface SetUpRequest {
  readonly home: string;
  readonly kept: string;
  /** Whose setup: what one project's command made is never given to another. */
  readonly scope: string;
  readonly entries: ReadonlyMap<BytePath, TreeEntry>;
  readonly leaveOut: LeaveOut;
  /** Only what ran on the user's own files is for others: on an agent's it could have been led to make anything. */
  readonly mayCache: boolean;
  readonly run: SetupRequest;
  readonly runSetup: RunSetup;
}

/** Tells that a workspace has been set up. */
export const SETUP_MARK = 'setup-done';

const SHOWN_LINES = 20;

function setupFailed({ command, network }: SetupRequest, { exitCode, output }: SetupResult): Fault {
  const lines = output.trimEnd().split('\n').slice(-SHOWN_LINES);
  const how = exitCode === null ? 'did not come to an end' : `ended with exit code ${exitCode}`;
  const where = network ? '' : ', without the network since agents have worked on these files';
  return new Fault('SETUP_FAILED', `The setup command \`${command}\` ${how}${where}:\n${lines.join('\n')}`, {
    hint: network ? WRONG_COMMAND : NEEDS_NETWORK,
    facts: { command, exitCode, network, lines },
  });
}

const WRONG_COMMAND = 'Try it in a fresh copy of the project; change setup in the configuration if it is wrong.';

/** What was made on the user's own files is kept by their lock files, so the way out leads over the project. */
const NEEDS_NETWORK =
  'If it has to fetch something: take the changed lock files over into the project and start a run from there, or let setup install from what is on this machine when the network is missing.';
