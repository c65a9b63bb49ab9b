import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../../core/fault.ts';
import type { BytePath } from '../byte-path.ts';
import type { RunSetup, SetupRequest, SetupResult } from '../port.ts';
import type { LeaveOut, TreeEntry } from '../store/port.ts';
import { foreignPaths, isFolderAt, isText, knownPaths } from './foreign-paths.ts';
import { madeParts } from './made-parts.ts';
import { SETUP_MARK } from './made-paths.ts';
import type { MadePaths } from './made-paths.ts';
import { bringFromCache, saveToCache } from './setup-cache.ts';
import { setupKey } from './setup-key.ts';

/**
 * Makes a new workspace ready for work, once: from what the same command made before, or by running it. Null when
 * nothing was done. What was not there before stays, in the workspace alone; what it did to files of the tree the caller undoes.
 */
export async function setUp(request: SetUpRequest): Promise<'ran' | 'brought' | null> {
  if (existsSync(join(request.kept, SETUP_MARK))) return null;
  const { command, folder, signal } = request.run;
  const cache = join(request.home, 'setup', setupKey(command, request.entries, request.scope));
  const known = knownPaths(request.entries);
  const brought = await bringFromCache(cache, folder, signal);
  const made = brought ?? (await runAndSave(request, cache, known));
  // What the rules leave out anyway has no need of a name.
  const named = made.filter((path) => !request.leaveOut(path, isFolderAt(folder, path)));
  await request.made.keep(command, await madeParts(folder, named), folder);
  return brought === null ? 'ran' : 'brought';
}

export interface SetUpRequest {
  readonly home: string;
  readonly kept: string;
  /** Whose setup: what one project's command made is never given to another. */
  readonly scope: string;
  readonly entries: ReadonlyMap<BytePath, TreeEntry>;
  readonly leaveOut: LeaveOut;
  readonly made: MadePaths;
  /** Only what ran on the user's own files is for others: on an agent's it could have been led to make anything. */
  readonly mayCache: boolean;
  readonly run: SetupRequest;
  readonly runSetup: RunSetup;
}

async function runAndSave(
  request: SetUpRequest,
  cache: string,
  known: ReadonlySet<BytePath>,
): Promise<readonly BytePath[]> {
  const { folder, signal } = request.run;
  const before = new Set(await foreignPaths(folder, known));
  const result = await request.runSetup(request.run);
  signal?.throwIfAborted();
  if (result.exitCode !== 0) throw setupFailed(request.run, result);
  const made = (await foreignPaths(folder, known)).filter((path) => !before.has(path));
  const paths = made.filter(isText);
  if (request.mayCache && paths.length === made.length && made.length > 0) {
    await saveToCache(cache, { folder, paths }, signal);
  }
  return made;
}

const SHOWN_LINES = 20;

function setupFailed({ command, network, run }: SetupRequest, { exitCode, output }: SetupResult): Fault {
  const lines = output.trimEnd().split('\n').slice(-SHOWN_LINES);
  const how = exitCode === null ? 'did not come to an end' : `ended with exit code ${exitCode}`;
  const where = network ? '' : ', without the network since agents have worked on these files';
  return new Fault('SETUP_FAILED', `The setup command \`${command}\` ${how}${where}:\n${lines.join('\n')}`, {
    hint: [
      ...(network ? [] : [NEEDS_NETWORK]),
      `Mend it (setup in the configuration, or what it needs) and go on with: troupe resume ${run}`,
      `Or go on without it: troupe resume ${run} --no-setup`,
    ].join('\n'),
    facts: { command, exitCode, network, lines },
  });
}

/** What was made on the user's own files is kept by their lock files, so the way out leads over the project. */
const NEEDS_NETWORK =
  'If it has to fetch something: take the changed lock files over into the project and start a run from there, or let setup install from what is on this machine when the network is missing.';
