import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProjectTop, WardCommand, WardName } from './ward-command.ts';
import { wardOfNode } from './ward-of-node.ts';
import { wardOfOthers } from './ward-of-others.ts';
import { wardOfPython } from './ward-of-python.ts';

/**
 * What a project checks itself with, cheapest first: found in the files that say so, never guessed. An empty list means that
 * nothing was found, and nothing is checked.
 */
export async function findWard(project: string): Promise<readonly WardCommand[]> {
  const top = await readTop(project);
  const found = [...wardOfNode(top), ...wardOfPython(top), ...wardOfOthers(top)];
  const made = wardOfMake(top).filter(({ name }) => found.every((other) => other.name !== name));
  return [...found, ...made].sort((one, other) => ORDER.indexOf(one.name) - ORDER.indexOf(other.name));
}

const ORDER: readonly WardName[] = ['lint', 'types', 'test'];

const READ = [
  'package.json',
  'Makefile',
  'makefile',
  'GNUmakefile',
  'pyproject.toml',
  'setup.cfg',
  'tox.ini',
  'composer.json',
] as const;

/** Nobody writes more into such a file by hand. */
const MOST_BYTES = 1024 * 1024;

async function readTop(project: string): Promise<ProjectTop> {
  const names = new Set(await readdir(project).catch(() => []));
  const present = READ.filter((name) => names.has(name));
  const texts = new Map(await Promise.all(present.map(async (name) => [name, await readText(project, name)] as const)));
  return { names, text: (name) => new Map<string, string>(texts).get(name) ?? '' };
}

async function readText(project: string, name: string): Promise<string> {
  const path = join(project, name);
  try {
    const info = await stat(path);
    return info.isFile() && info.size <= MOST_BYTES ? await readFile(path, 'utf8') : '';
  } catch {
    return '';
  }
}

/** Targets by the names people give them; only where nothing else says how. */
function wardOfMake(top: ProjectTop): readonly WardCommand[] {
  const file = ['GNUmakefile', 'makefile', 'Makefile'].find((name) => top.text(name) !== '');
  if (file === undefined) return [];
  const targets = new Set(
    [...top.text(file).matchAll(/^([A-Za-z][\w-]*)[ \t]*:(?![:=])/gm)].map(([, name = '']) => name),
  );
  return Object.entries(TARGETS).flatMap(([name, words]): readonly WardCommand[] => {
    const target = words.find((word) => targets.has(word));
    return target === undefined ? [] : [{ name: name as WardName, command: `make ${target}`, from: file }];
  });
}

const TARGETS: Readonly<Record<WardName, readonly string[]>> = {
  lint: ['lint'],
  types: ['typecheck', 'types'],
  test: ['test', 'tests', 'check'],
};
