import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { Fault } from '../../../core/model/fault.ts';
import type { StageModule } from '../parse/stage-plan.ts';
import { codeHash, reachedFiles } from '../../../workspace/reached-files.ts';
import { runPlace } from '../../../workspace/run-place.ts';
import type { ModulePlace } from './module-worker.ts';

/**
 * The module a run began with. Its files are kept with the run; while the original file is unchanged it is loaded instead, since its
 * imports lie next to it. The user who began the run agreed to exactly this code, by its hash.
 */
export function keptModule(home: string, root: string, module: StageModule): ModulePlace {
  const place = join(modulesOf(home, root), module.hash.slice(0, 32));
  if (hashAt(module.path) === module.hash) {
    keep(module.path, place);
    return { ...module, keptIn: null };
  }
  const copy = join(place, copyPath(module.path));
  if (hashAt(copy) !== module.hash) throw gone(module);
  return { path: copy, hash: module.hash, keptIn: place };
}

/** A fork continues with the same code. */
export function keepModulesOf(home: string, from: string, to: string): void {
  const kept = modulesOf(home, from);
  if (existsSync(kept)) cpSync(kept, modulesOf(home, to), { recursive: true });
}

const modulesOf = (home: string, root: string): string => join(runPlace(home, root).base, 'modules');

function hashAt(path: string): string | undefined {
  return existsSync(path) ? codeHash(path).hash : undefined;
}

/** Each file keeps its absolute path below the place, so that imports between them work. */
const copyPath = (path: string): string => relative('/', path);

function keep(path: string, place: string): void {
  if (existsSync(place)) return;
  mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
  const made = mkdtempSync(join(dirname(place), `.${basename(place)}-`));
  for (const file of reachedFiles(path)) {
    const copy = join(made, copyPath(file));
    mkdirSync(dirname(copy), { recursive: true });
    cpSync(file, copy);
  }
  try {
    renameSync(made, place);
  } catch (error) {
    rmSync(made, { recursive: true, force: true });
    // Another process was faster.
    if (!existsSync(place)) throw error;
  }
}

function gone({ path }: StageModule): Fault {
  return new Fault('MODULE_GONE', `The workflow's functions are no longer there as the run began with them: ${path}.`, {
    hint: 'Put the file back as it was and resume the run, or resume it with --definition new.',
    facts: { path },
  });
}
