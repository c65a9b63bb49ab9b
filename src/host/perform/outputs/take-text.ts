import type { OwedOutput } from '../../../core/record/artifact-fact.ts';
import type { Json } from '../../../core/model/json.ts';
import { PathRefused, shownPath } from '../../../lib/confined-path.ts';
import { plainPath, writeInFolder } from '../../../tools/folder-access.ts';
import { textProblems } from './check-content.ts';
import { leavesWorkspace } from './seen-file.ts';
import type { OutputTaking, TakenOutput } from './taken-output.ts';

const MOST_BYTES = 10 * 1024 * 1024;

/** Accepts the whole text of one file: written to the declared path only. */
export async function takeText({ workspace }: OutputTaking, owed: OwedOutput, content: Json): Promise<TakenOutput> {
  const path = owed.path ?? '';
  const text = textOf(content, path);
  if (text === null) return { code: 'OUTPUT_INVALID', why: ['Its content must be text: the whole text of the file.'] };
  const why = textProblems(text, { path, type: owed.type });
  if (why.length > 0) return { code: owed.type === 'plan' ? 'PLAN_INVALID' : 'REPORT_INVALID', why };
  const bytes = Buffer.byteLength(text);
  if (bytes > MOST_BYTES) {
    return { code: 'OUTPUT_INVALID', why: [`It has ${bytes} bytes; at most ${MOST_BYTES} are written.`] };
  }
  try {
    const { created } = await writeInFolder(workspace.folder, path, text);
    const paths = [plainPath(path)];
    return { paths, changed: paths, summary: `${created ? 'wrote' : 'replaced'} ${shownPath(path)} (${bytes} bytes).` };
  } catch (error) {
    if (!(error instanceof PathRefused)) throw error;
    return { code: leavesWorkspace(error) ? 'OUTPUT_OUTSIDE' : 'OUTPUT_INVALID', why: [error.message] };
  }
}

/** Some models give JSON as a value instead of text. */
function textOf(content: Json, path: string): string | null {
  if (typeof content === 'string') return content;
  return /\.json$/i.test(path) ? `${JSON.stringify(content, null, 2)}\n` : null;
}
