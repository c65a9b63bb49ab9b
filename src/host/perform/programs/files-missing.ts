import { missingFiles } from '../files/missing-files.ts';
import type { EngineProgram } from '../../world.ts';
import { inPlace } from './in-place.ts';
import { filesSchema, programInput } from './program-input.ts';

/** `files.missing`: a notice about missing files, before work begins; null if all exist. */
export const filesMissing: EngineProgram = async (performance, effect) => {
  const { files } = programInput(filesSchema, effect);
  return await inPlace(performance, effect, async ({ workspace }) => {
    const missing = await missingFiles(workspace.folder, Object.keys(files), performance.signal);
    const notices = [...missing].map(([path, why]) => `${why} The input of ${files[path] ?? ''} names it.`);
    return { output: { notice: notices.length === 0 ? null : notices.join(' ') } };
  });
};
