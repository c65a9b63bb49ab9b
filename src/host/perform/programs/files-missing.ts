import { missingFiles } from '../files/missing-files.ts';
import type { EngineProgram } from '../../world.ts';
import { inPlace } from './in-place.ts';
import { filesSchema, programInput } from './program-input.ts';

/** `files.missing`: a notice about files that are not there, before anybody begins; null where all are. */
export const filesMissing: EngineProgram = async (performance, effect) => {
  const { files } = programInput(filesSchema, effect);
  return await inPlace(performance, effect, async ({ workspace }) => {
    const missing = await missingFiles(workspace.folder, Object.keys(files), performance.signal);
    const told = [...missing].map(([path, why]) => `${why} The input of ${files[path] ?? ''} names it.`);
    return { output: { notice: told.length === 0 ? null : told.join(' ') } };
  });
};
