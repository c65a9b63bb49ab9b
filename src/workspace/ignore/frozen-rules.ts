import type { BytePath, WrittenPath } from '../byte-path.ts';
import { folderOf, fromWritten, toWritten } from '../byte-path.ts';
import { isPartialName } from '../../lib/held-file.ts';
import { isControlName } from '../project-files.ts';
import type { LeaveOut } from '../store/port.ts';
import { withBrought } from './bring-rules.ts';
import type { IgnoreFile } from './ignore-file.ts';
import { createIgnoreRules } from './ignore-rules.ts';
import type { ProjectSource, WorkspaceSettings } from '../port.ts';
import type { TreeId } from '../../core/ids.ts';

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
  /** Ignored files that come along all the same. */
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

/** What steers programs, and what a dying process left half written. */
export function isEngineName(path: BytePath): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
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

export function foldersAbove(path: BytePath): readonly BytePath[] {
  const folders: BytePath[] = [];
  for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder)) folders.push(folder);
  return folders;
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
