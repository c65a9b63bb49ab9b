import { readFile } from 'node:fs/promises';
import { Fault } from '../core/model/fault.ts';
import { exceptionsFrom, type FrozenRules, leaveOutBy, readRules, writeRules } from './ignore/frozen-rules.ts';
import type { RunPlace } from './run-place.ts';
import type { EntryMap, LeaveOut, TreeStore } from './store/port.ts';
import { join } from 'node:path';
import type { TreeId } from '../core/model/ids.ts';
import { type BytePath, pathText, folderOf } from './byte-path.ts';
import type { ProjectSource, WorkspaceSettings } from './port.ts';
import { gitFacts, type GitFacts } from './private-git/git-facts.ts';
import { isIgnored } from './project-files.ts';
import { PLAIN_RULES } from './project-state.ts';
import { isProjectId, projectElsewhere } from './travel/project-id.ts';
import type { IgnoreFile } from './ignore/ignore-rules.ts';
import { replaceFile } from '../lib/replace-file.ts';

/** The ignore rules of a run: gathered once, and the same for all its workspaces while its folder exists. */
export async function runRules(place: RunPlace, request: RulesRequest): Promise<RunRules> {
  const text = await readFile(place.rules, 'utf8').catch(() => null);
  if (text === null && isProjectId(request.project)) throw projectElsewhere(request.project);
  const rules = text === null ? await gatherOnce(place, request) : parse(place.rules, text);
  return { rules, leaveOut: leaveOutBy(rules) };
}

export interface RunRules {
  readonly rules: FrozenRules;
  readonly leaveOut: LeaveOut;
}

async function gatherOnce(place: RunPlace, request: RulesRequest): Promise<FrozenRules> {
  const rules = await gatherRules(request);
  await keepRules(place, writeRules(rules));
  return rules;
}

export const keepRules = (place: RunPlace, text: string): Promise<void> => replaceFile(place.rules, text);

function parse(path: string, text: string): FrozenRules {
  try {
    return readRules(text);
  } catch (cause) {
    throw new Fault(
      'WORKSPACE_RULES_DAMAGED',
      `The list of what snapshots of this run leave out cannot be read: ${path}.`,
      {
        hint: 'Remove the file; the rules are then taken from what the run began with.',
        cause,
      },
    );
  }
}

/** Gathers the ignore rules of a run that begins with this tree: those in the tree, and the user's own. */
async function gatherRules(request: RulesRequest): Promise<FrozenRules> {
  const { store, tree } = request;
  const facts = await ownRepository(request);
  const entries = await store.entries(tree);
  const files = facts === null ? PLAIN_RULES : await gitRules(request, { facts, entries });
  const source: ProjectSource = facts === null ? 'plain' : 'git';
  const rules: FrozenRules = {
    source,
    began: tree,
    files,
    prefix: facts?.prefix ?? '',
    keep: [],
    ignoreCase: /^(?:true|yes|on|1)$/i.test(facts?.settings['core.ignorecase'] ?? ''),
    bring: request.ignored ?? 'skip',
  };
  const paths = [...entries].filter(([, { kind }]) => kind !== 'folder').map(([path]) => path);
  return { ...rules, keep: exceptionsFrom(rules, paths) };
}

export interface RulesRequest {
  readonly project: string;
  readonly store: TreeStore;
  readonly tree: TreeId;
  readonly ignored?: WorkspaceSettings['ignored'];
  /** For who asks git anyway. */
  readonly facts?: () => Promise<GitFacts | null>;
}

/** The repository that a project belongs to: not one that lies around it and ignores it. */
async function ownRepository({ project, facts }: RulesRequest): Promise<GitFacts | null> {
  const found = await (facts?.() ?? gitFacts(project));
  if (found === null || found.prefix === '') return found;
  return (await isIgnored(project)) ? null : found;
}

interface GitSources {
  readonly facts: GitFacts;
  readonly entries: EntryMap;
}

async function gitRules({ store }: RulesRequest, { facts, entries }: GitSources): Promise<readonly IgnoreFile[]> {
  const [own, shared, ...above] = await Promise.all(
    [facts.excludesFile, facts.exclude, ...namesAbove(facts)].map(textOf),
  );
  const files: IgnoreFile[] = [
    { base: '', text: own ?? '' },
    { base: '', text: shared ?? '' },
    ...above.map((text, at) => ({ base: basesAbove(facts.prefix)[at] ?? '', text })),
  ];
  for (const [path, entry] of entries) {
    if (entry.kind !== 'file' || !(path === NAME || path.endsWith(`/${NAME}`))) continue;
    const folder = folderOf(path);
    const base = `${facts.prefix}${folder === '' ? '' : `${folder}/`}`;
    files.push({ base, text: (await store.read(entry.blob)).toString('latin1') });
  }
  return files;
}

const NAME = '.gitignore';

async function textOf(path: string): Promise<string> {
  return (await readFile(path).catch(() => Buffer.alloc(0))).toString('latin1');
}

/** The folders from the top of the repository down to the one the project lies in. */
function basesAbove(prefix: BytePath): readonly BytePath[] {
  const names = prefix.split('/').slice(0, -1);
  return names.map((_, at) =>
    names
      .slice(0, at)
      .map((name) => `${name}/`)
      .join(''),
  );
}

function namesAbove({ top, prefix }: GitFacts): readonly string[] {
  return basesAbove(prefix).map((base) => join(top, pathText(base), NAME));
}
