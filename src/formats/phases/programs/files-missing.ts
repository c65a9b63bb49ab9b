import * as z from 'zod/mini';
import { missingFiles } from '../../../host/perform/files/missing-files.ts';
import type { EngineProgram } from '../../../host/world.ts';
import { inPlace } from '../../../host/perform/commands/in-place.ts';
import { programInput } from '../../../host/perform/commands/program-input.ts';

/** By path: the author's name for the file. */
const filesSchema = z.object({ files: z.record(z.string(), z.string()) });

/** `phases.missing`: a notice about missing files, before work begins; null if all exist. */
export const filesMissing: EngineProgram = async (context, effect) => {
  const { files } = programInput(filesSchema, effect);
  return await inPlace(context, effect, async ({ workspace }) => {
    const missing = await missingFiles(workspace.folder, Object.keys(files), context.signal);
    const notices = [...missing].map(([path, why]) => `${why} The input of ${files[path] ?? ''} names it.`);
    return { output: { notice: notices.length === 0 ? null : notices.join(' ') } };
  });
};
