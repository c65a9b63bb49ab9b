import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { OURS, type Interpreter } from '../conformance/interpreter.ts';

/** A defect: in one file of the core, one piece of text replaced by another. */
export interface Mutant {
  readonly what: string;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

export interface Planted {
  readonly interpreter: Interpreter;
  remove(): Promise<void>;
}

const CORE = fileURLToPath(new URL('../../src/core/', import.meta.url));

/** Copies the core, plants the defect in the copy, and loads it. Refuses when the text is not there exactly once. */
export async function plant(mutant: Mutant): Promise<Planted> {
  const { loaded, remove } = await plantAnd(mutant, load);
  return { interpreter: loaded, remove };
}

/** The same for whatever of the core `load` takes from the copy. */
export async function plantAnd<T>(
  mutant: Mutant,
  load: (folder: string) => Promise<T>,
): Promise<{ readonly loaded: T; readonly remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'troupe-mutant-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    await cp(CORE, folder, { recursive: true, filter: isSource });
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    await change(join(folder, mutant.file), mutant);
    return { loaded: await load(folder), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Folders and sources, without their tests; a tsconfig would point out of the copy. */
const isSource = (path: string): boolean => !path.endsWith('.test.ts') && !path.endsWith('.json');

async function change(path: string, { file, find, replace }: Mutant): Promise<void> {
  const source = await readFile(path, 'utf8');
  const found = source.split(find).length - 1;
  if (found !== 1) throw new Error(`${file} should have this exactly once, and has it ${found} times: ${find}`);
  await writeFile(
    path,
    source.replace(find, () => replace),
  );
}

/** Where the functions of an interpreter stand. */
const FILES = ['start.ts', 'step.ts', 'recover.ts', 'fold.ts', 'fork.ts', 'rewind.ts', 'step-end.ts'];

async function load(folder: string): Promise<Interpreter> {
  const module = (name: string) => import(/* @vite-ignore */ pathToFileURL(join(folder, name)).href) as Promise<object>;
  const modules = await Promise.all(FILES.map(module));
  const all: Readonly<Record<string, unknown>> = Object.assign({}, ...modules);
  for (const name of Object.keys(OURS)) {
    if (typeof all[name] !== 'function') throw new Error(`The copied core has no ${name}.`);
  }
  return all as unknown as Interpreter;
}
