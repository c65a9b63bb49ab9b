import { isPartialName } from '../../lib/held-file.ts';
import { isControlName } from '../project-files.ts';
import type { LeaveOut } from '../store/port.ts';
import { createIgnoreRules, type IgnoreFile, wildmatch } from './ignore-rules.ts';
import type { ProjectSource, WorkspaceSettings } from '../port.ts';
import type { TreeId } from '../../core/model/ids.ts';
import {
  type BytePath,
  type WrittenPath,
  nameIn,
  foldersAbove,
  folderOf,
  toWritten,
  fromWritten,
} from '../byte-path.ts';

/**
 * What the snapshots of a run leave out. Fixed when the run begins: an agent that edits a `.gitignore` changes what git tells
 * it, not what can be undone.
 */
export interface FrozenRules {
  readonly source: ProjectSource;
  /** The tree they were made for: what the run began with. */
  readonly began: TreeId;
  /** The weakest first. Bases count from the top of the repository. */
  readonly files: readonly IgnoreFile[];
  /** Where the project lies below the top of its repository, with a slash at its end; mostly empty. */
  readonly prefix: BytePath;
  readonly ignoreCase: boolean;
  /** Ignored files that are copied anyway. */
  readonly bring: NonNullable<WorkspaceSettings['ignored']>;
  /** Paths that the rules would leave out although they belong to the project, such as tracked files. */
  readonly keep: readonly BytePath[];
}

/** The rules as the store asks for them. What was answered once is remembered, since the answer can never change. */
export function leaveOutBy(rules: FrozenRules): LeaveOut {
  const isIgnored = ignoredBy(rules);
  const kept = new Set(rules.keep);
  const above = new Set(rules.keep.flatMap(foldersAbove));
  const decide: LeaveOut = (path, isFolder) => {
    if (isEngineName(path)) return true;
    if (kept.has(path) || (isFolder && above.has(path))) return false;
    return isIgnored(path, isFolder);
  };
  const answers = [new Map<BytePath, boolean>(), new Map<BytePath, boolean>()] as const;
  return (path, isFolder) => {
    const known = answers[isFolder ? 1 : 0];
    const answer = known.get(path) ?? decide(path, isFolder);
    if (known.size < MAX_ANSWERS) known.set(path, answer);
    return answer;
  };
}

const MAX_ANSWERS = 200_000;

/** Names of control folders, and of half-written files of a process that died. */
export function isEngineName(path: BytePath): boolean {
  const name = nameIn(path);
  // Names that could be one of these begin with a dot, or with a byte that some disks leave out.
  const first = name.charCodeAt(0);
  return (first === DOT || first > 0x7f) && (isControlName(Buffer.from(name, 'latin1')) || isPartialName(name));
}

const DOT = 0x2e;

/** The paths of a project that its own rules would leave out. */
export function exceptionsFrom(rules: FrozenRules, paths: Iterable<BytePath>): readonly BytePath[] {
  const isIgnored = ignoredBy(rules);
  return [...paths].filter((path) => isIgnored(path, false));
}

function ignoredBy(rules: FrozenRules): LeaveOut {
  const { isIgnored } = createIgnoreRules(rules.files, rules);
  return withBrought((path, isFolder) => isIgnored(`${rules.prefix}${path}`, isFolder), rules.bring);
}

interface FrozenFile extends Omit<FrozenRules, 'keep'> {
  readonly format: 1;
  readonly keep: readonly WrittenPath[];
}

/** Texts are bytes in a string: Latin-1, which JSON keeps exactly. */
export function writeRules(rules: FrozenRules): string {
  const file: FrozenFile = { format: 1, ...rules, keep: rules.keep.map(toWritten) };
  return `${JSON.stringify(file)}\n`;
}

export function readRules(text: string): FrozenRules {
  const { format: _format, keep, ...rest } = JSON.parse(text) as FrozenFile;
  return { ...rest, keep: keep.map(fromWritten) };
}

/**
 * What is left out when some ignored files are copied anyway. Patterns are written as in a `.gitignore` and count from
 * the project's folder. A plain name does not reach into an ignored folder: `.env.test` must not search all installed
 * packages.
 */
export function withBrought(isIgnored: LeaveOut, bring: 'skip' | 'copy' | readonly string[]): LeaveOut {
  if (bring === 'copy') return () => false;
  if (bring === 'skip' || bring.length === 0) return isIgnored;
  const patterns = bring.map((pattern) => Buffer.from(pattern).toString('latin1'));
  const paths = patterns.filter((pattern) => pattern.replace(/\/$/, '').includes('/'));
  const ways = paths.filter((pattern) => !pattern.startsWith('!')).map(namesOf);
  const all = createIgnoreRules([{ base: '', text: patterns.join('\n') }]);
  const deep = createIgnoreRules([{ base: '', text: paths.join('\n') }]);

  function isBrought(path: BytePath, isFolder: boolean): boolean {
    const folder = folderOf(path);
    if (folder === '' || !isIgnored(folder, true)) return all.isIgnored(path, isFolder);
    return isBrought(folder, true) || deep.isIgnored(path, isFolder);
  }

  return (path, isFolder) =>
    isIgnored(path, isFolder) &&
    !isBrought(path, isFolder) &&
    !(isFolder && ways.some((names) => leadsThrough(names, path)));
}

function namesOf(pattern: string): readonly string[] {
  return pattern.replace(/^\//, '').replace(/\/$/, '').split('/');
}

/** Whether something below the folder could match. */
function leadsThrough(names: readonly string[], folder: BytePath): boolean {
  const own = folder.split('/');
  for (const [at, name] of own.entries()) {
    const pattern = names[at];
    if (pattern === '**') return true;
    if (pattern === undefined || !wildmatch(pattern, name)) return false;
  }
  return own.length < names.length;
}
