import { existsSync } from 'node:fs';
import { questPlace, QuestWriter, type QuestWriterOptions } from '../quest/app/quest-writer.ts';
import type { readModule } from '../stages/app/read-module.ts';
import { keepModulesOf } from '../stages/programs/kept-module.ts';

// Parts of the families for the application. A further family is a line here.

/** Keeps the files that a family writes for its runs equal to their journals. */
export type FamilyFiles = Pick<QuestWriter, 'heard' | 'touched' | 'close'>;

export const createFamilyFiles = (options: QuestWriterOptions): FamilyFiles => new QuestWriter(options);

/** The file of a run for tools, or null. It is removed with the files of the run when those are pruned. */
export function writtenFile(home: string, root: string): string | null {
  const { json } = questPlace(home, root);
  return existsSync(json) ? json : null;
}

/** A fork continues with the code of its origin. */
export const keepCode = keepModulesOf;

/** Reads the content of a module of workflows. */
export const readModuleCode: typeof readModule = async (path, hash, folder) =>
  await (await import('../stages/app/read-module.ts')).readModule(path, hash, folder);
