import { missingFiles } from '../files/missing-files.ts';
import type { EngineProgram } from '../../world.ts';
import { inPlace } from './in-place.ts';
import { filesSchema, programInput } from './program-input.ts';

/** `files.missing`: which of some files are not there, each with why. For a word to the person, before anybody begins. */
export const filesMissing: EngineProgram = async (performance, effect) => {
  const { files } = programInput(filesSchema, effect);
  return await inPlace(performance, effect, async ({ workspace }) => {
    const missing = await missingFiles(workspace.folder, files, performance.signal);
    return { output: { missing: [...missing].map(([path, why]) => ({ path, why })) } };
  });
};
