import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../lib/make-folder.ts';
import { HOST_ID } from '../../sandbox/bubblewrap/owner-map.ts';
import { defaultLevel, sandboxHint } from '../../sandbox/choose-sandbox.ts';
import { PROGRAMS } from '../../sandbox/declared/system-paths.ts';
import { describeSandbox } from '../../sandbox/describe-sandbox.ts';
import { findSandbox } from '../../sandbox/find-sandbox.ts';
import type { FoundLevel, FoundSandboxes } from '../../sandbox/found-level.ts';
import { EMPTY_CONFIG } from '../config/config.ts';
import { openProject } from '../config/project.ts';
import { storeHome } from '../world/store.ts';
import type { Caller } from '../caller.ts';
import type { DoctorFinding } from './finding.ts';

/** Which sandboxes work here: each is tried out anew. What was found is kept for the next runs. */
export async function examineSandbox(caller: Caller): Promise<readonly DoctorFinding[]> {
  const home = storeHome(caller);
  makeFolder(home, 0o700);
  const all = await findSandbox({
    scratch: join(home, 'sandbox'),
    cacheFile: join(home, 'sandbox.json'),
    fresh: true,
  });
  const { wish, readable } = await settingsHere(caller);
  const wanted = wish === 'best' ? all.levels.find(({ failures }) => failures.length === 0)?.level : wish;
  return sandboxFindings(all, { wanted: wanted ?? 'none', readable });
}

/** As a run here would have it. A configuration that cannot be read is told where it is looked at. */
async function settingsHere(caller: Caller): Promise<{ wish: string; readable: readonly string[] }> {
  const config = await openProject(caller).then(
    (project) => project.config,
    () => EMPTY_CONFIG,
  );
  const wish = caller.environment['TROUPE_SANDBOX'] || (config.sandbox ?? defaultLevel());
  return { wish, readable: config.readable };
}

export function sandboxFindings(all: FoundSandboxes, use: SandboxUse): readonly DoctorFinding[] {
  return all.levels.map((found) => ({ about: 'sandbox', ...judged(found, all, use) }));
}

export interface SandboxUse {
  /** The level that commands run in. */
  readonly wanted: string;
  /** Further folders that a box shows. */
  readonly readable: readonly string[];
}

/** Only the level that commands are run in makes the difference between well and not. */
function judged(
  found: FoundLevel,
  all: FoundSandboxes,
  { wanted, readable }: SandboxUse,
): Omit<DoctorFinding, 'about'> {
  if (found.level !== wanted) return { level: 'ok', text: describeSandbox(found) };
  const text = `${describeSandbox(found)} (used for commands)`;
  if (found.failures.length > 0) {
    return { level: 'error', text: `${text}\nCommands are refused.\n${sandboxHint(found.level, all)}` };
  }
  const lines = [text, ...shownText(found, readable), reachText(found)];
  return { level: found.level === 'none' ? 'warning' : 'ok', text: lines.join('\n') };
}

/** What a command finds, and what it does not. */
function shownText({ level, identity }: FoundLevel, readable: readonly string[]): readonly string[] {
  if (level === 'none') return [];
  const root = identity === 'mapped' ? [`Commands of root have the user id ${HOST_ID} on this machine.`] : [];
  return [
    `It shows ${[...readable, ...PROGRAMS.filter((path) => existsSync(path))].join(', ')}, parts of /etc, programs on the path and what a run lends.`,
    'Everything else is not there. Folders to show as well: readable in your configuration.',
    ...root,
  ];
}

function reachText({ level }: FoundLevel): string {
  if (level !== 'bubblewrap') return 'Agents that are programs have the whole network, whatever their role says.';
  return 'Agents that are programs reach their own endpoint only, unless their role has network: true.';
}
