import { isJsonObject, type Json } from '../../core/json.ts';

/** The file that a tool call is about, by what tools call their argument for it; null where it names none. */
export function calledFile(given: Json | undefined): string | null {
  if (given === undefined || !isJsonObject(given)) return null;
  for (const name of FILE_ARGUMENTS) {
    const value = given[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return null;
}

const FILE_ARGUMENTS = ['path', 'file', 'file_path', 'filePath', 'filename', 'notebook_path'];
