import { constants, existsSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../lib/make-folder.ts';
import { HOST_ID } from '../../sandbox/bubblewrap/drop-root.ts';
import { defaultLevel, describeSandbox, findSandbox, sandboxHint } from '../../sandbox/find-sandbox.ts';
import { PROGRAMS } from '../../sandbox/declared/system-paths.ts';
import type { FoundLevel, FoundSandboxes } from '../../sandbox/found-level.ts';
import { EMPTY_CONFIG } from '../config/config.ts';
import { journalAddress, openProject } from '../config/project.ts';
import { storeHome, withStore, type OpenStore } from '../world/store.ts';
import type { Caller } from '../caller.ts';
import type { DoctorFinding } from './finding.ts';
import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { systemProgram } from '../../lib/process-tree.ts';
import type { Problem } from '../../core/model/fault.ts';
import { type CheckedDatabase, inspectJournal, isDamage } from '../../journal/sqlite/verify.ts';
import { counted } from '../../protocol/amounts.ts';
import { problemText } from '../../protocol/problem-text.ts';

/** Tries every sandbox again to see which work here, and caches the result for the next runs. */
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

/** The sandbox that a run here would use. An unreadable configuration is reported by its own check. */
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

/** Describes what a command can see. */
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
  if (level !== 'bubblewrap') return 'Agents that are programs have the whole network, regardless of their role.';
  return 'Agents that are programs reach their own endpoint only, unless their role has network: true.';
}

/** Checks the file system features that workspaces, diffs and merges use. */
export async function examineFiles(home: string): Promise<readonly DoctorFinding[]> {
  return [await examineGit(), await examineReflinks(home)];
}

async function examineGit(): Promise<DoctorFinding> {
  const program = systemProgram('git');
  const about = 'git';
  if (program === '') {
    return {
      level: 'warning',
      about,
      text: 'not installed: projects are plain folders, and there is no diff or merge',
    };
  }
  const { stdout } = await promisify(execFile)(program, ['--version'], { encoding: 'utf8', env: {} });
  return { level: 'ok', about, text: `${stdout.trim().replace(/^git version /, '')} (${program})` };
}

/** Tried with a file of our own: only the file system itself knows. */
async function examineReflinks(home: string): Promise<DoctorFinding> {
  makeFolder(home, 0o700);
  const folder = await mkdtemp(join(home, 'doctor-'));
  try {
    await writeFile(join(folder, 'one'), 'x'.repeat(8192));
    const isShared = await copyFile(join(folder, 'one'), join(folder, 'two'), constants.COPYFILE_FICLONE_FORCE).then(
      () => true,
      () => false,
    );
    const text = isShared
      ? 'large files are shared between workspaces (reflinks)'
      : 'no reflinks here: large files are copied for each workspace';
    return { level: 'ok', about: 'files', text };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Reads every record and checks it against the hash chain. */
export async function examineJournalOf(caller: Caller): Promise<readonly DoctorFinding[]> {
  const address = await journalAddress(caller);
  return address === null ? await examineJournal(storeHome(caller)) : await withStore(caller, examineShared);
}

async function examineShared({ shared }: OpenStore): Promise<readonly DoctorFinding[]> {
  if (shared === undefined) return [];
  const about = 'journal';
  const { address, version, runs, problems } = await shared.inspect();
  const alive = (await shared.workers()).filter(({ isAlive }) => isAlive).length;
  const text = `${address} (PostgreSQL ${version}), ${counted(runs, 'run')}, ${counted(alive, 'worker')} alive`;
  if (problems.length === 0) return [{ level: 'ok', about, text: `${text}, every record verified` }];
  return [text, ...problems.map((problem) => problemText(problem).trim())].map((line) => ({
    level: 'error',
    about,
    text: line,
  }));
}

export async function examineJournal(home: string): Promise<readonly DoctorFinding[]> {
  const about = 'journal';
  const { headProblems, databaseProblems, headFile, database } = await inspectJournal(home);
  const problems = [...headProblems, ...databaseProblems];
  if (problems.length > 0) return damageFindings(problems, database);
  if (database === null) return [{ level: 'ok', about, text: `${home} (no runs yet)` }];
  const whole: DoctorFinding = { level: 'ok', about, text: `${home}, every record verified` };
  if (headFile?.kind !== 'missing' || database.head.number === 0) return [whole];
  return [whole, { level: 'warning', about, text: HEAD_MISSING }];
}

const HEAD_MISSING =
  'journal.head is missing: a lost end of the journal would not show. The next command that writes makes it again.';

function damageFindings(problems: readonly Problem[], database: CheckedDatabase | null): readonly DoctorFinding[] {
  const about = 'journal';
  const findings = problems.map((problem): DoctorFinding => ({
    level: 'error',
    about,
    text: problemText(problem).trim(),
  }));
  if (!problems.some(isDamage)) return findings;
  const readable =
    database === null ? [] : [`${database.wholeRuns} of ${counted(database.runs, 'run')} can be read whole.`];
  const advice = [...readable, 'Nothing was changed. What can be done: troupe doctor --repair'].join(' ');
  return [...findings, { level: 'error', about, text: advice }];
}
