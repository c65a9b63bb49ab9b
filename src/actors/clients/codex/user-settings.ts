import { lstat, readFile } from 'node:fs/promises';

/** What of the user's own settings says which model is used and where it is. */
export interface ModelSettings {
  /** The settings of the top level, as they were written. */
  readonly top: string;
  /** The tables, as they were written. */
  readonly tables: string;
  /** Variables of the environment that hold the keys. */
  readonly variables: readonly string[];
}

/**
 * The user's choice of model and provider goes along; programs to be started, servers, hooks and trusted folders do not.
 * Read line by line: a setting that goes over several lines on the top level is left out.
 */
export async function readModelSettings(path: string): Promise<ModelSettings> {
  const found = await lstat(path).catch(() => null);
  if (found === null || found.size > LARGEST_BYTES) return NO_SETTINGS;
  return modelSettings(await readFile(path, 'utf8').catch(() => ''));
}

const LARGEST_BYTES = 256 * 1024;
export const NO_SETTINGS: ModelSettings = { top: '', tables: '', variables: [] };

export function modelSettings(text: string): ModelSettings {
  const top: string[] = [];
  const tables: string[] = [];
  let table: string | null = null;
  for (const line of text.split(/\r?\n/)) {
    const name = TABLE.exec(line)?.[1];
    if (name !== undefined) table = name;
    if (table === null && TOP_SETTING.test(line)) top.push(line);
    if (table !== null && PROVIDER_TABLE.test(table)) tables.push(line);
  }
  const variables = [...tables.join('\n').matchAll(KEY_VARIABLE)].map((match) => match[1] ?? '');
  return { top: top.join('\n'), tables: tables.join('\n').trim(), variables };
}

const TABLE = /^\s*\[+\s*([^\]]+?)\s*\]/;
const PROVIDER_TABLE = /^model_providers\./;
const TOP_SETTING =
  /^\s*(model|model_provider|model_reasoning_effort|model_verbosity|service_tier|openai_base_url)\s*=\s*("[^"]*"|'[^']*')\s*(#.*)?$/;
const KEY_VARIABLE = /^\s*env_key\s*=\s*["']([A-Za-z_][A-Za-z0-9_]*)["']/gm;
