import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'acorn';
import { Fault, type Position, type Problem } from '../../../core/model/fault.ts';
import type { ModuleContent } from '../parse/module-content.ts';
import { reachedFiles } from '../../../workspace/reached-files.ts';
import { pathInProject } from '../../../app/config/project.ts';
import { ModuleThreadError, moduleThread } from '../programs/module-thread.ts';
import type { ThreadError } from '../programs/module-worker.ts';

/** Loads a module in a separate thread, so that one that never finishes loading can be stopped. */
export async function readModule(path: string, hash: string, folder: string): Promise<ModuleContent> {
  const full = resolve(path);
  try {
    return (await moduleThread({ path: full, hash, keptIn: null }).give({ kind: 'describe' })) as ModuleContent;
  } catch (error) {
    if (!(error instanceof ModuleThreadError)) throw error;
    const { origin } = error;
    const problem = origin === null ? unfinished(error, path, folder) : thrown(origin, path, folder);
    throw new Fault('MODULE_FAILED', problem.message, { problems: [problem] });
  }
}

const FAILED = { code: 'MODULE_FAILED', severity: 'error' } as const;

function unfinished({ message }: ModuleThreadError, path: string, folder: string): Problem {
  const file = pathInProject(path, folder);
  const hint = 'Loading it runs the code outside its functions; only declare things there.';
  return { ...FAILED, message: `The module cannot be loaded: it ${message}.`, file, hint };
}

function thrown(error: ThreadError, path: string, folder: string): Problem {
  const place = placeIn(error, path);
  const file = pathInProject(place.file, folder);
  const at = place.at === undefined ? {} : { at: place.at };
  const hint = hintFor(error);
  const message = `The module cannot be loaded: ${error.message}`;
  return { ...FAILED, message, file, ...at, ...(hint === undefined ? {} : { hint }) };
}

interface Place {
  readonly file: string;
  readonly at?: Position;
}

function placeIn({ name, stack }: ThreadError, path: string): Place {
  const files = reachedFiles(path);
  // Node says where in a line above the error, or in the first frame that is the user's.
  for (const [, file = '', line = '', column = '1'] of stack.matchAll(
    /(?:file:\/\/)?(\/[^\s():]+):(\d+)(?::(\d+))?/g,
  )) {
    if (files.includes(file)) return { file, at: { line: Number(line), column: Number(column) } };
  }
  return (name === 'SyntaxError' ? files.map(syntaxPlace).find((place) => place !== null) : null) ?? { file: path };
}

/** Node does not report the place of a syntax error in JavaScript. */
function syntaxPlace(file: string): Place | null {
  if (!/\.[cm]?js$/.test(file)) return null;
  try {
    parse(readFileSync(file, 'utf8'), { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true });
    return null;
  } catch (error) {
    const { loc } = error as { readonly loc?: { readonly line: number; readonly column: number } };
    return loc === undefined ? null : { file, at: { line: loc.line, column: loc.column + 1 } };
  }
}

function hintFor({ message }: ThreadError): string | undefined {
  if (!/Cannot find (?:package|module)|not defined by "exports"/.test(message)) return undefined;
  return /troupe/.test(message)
    ? 'Did you mean "troupe/stages" (stage workflows) or "troupe" (defineWorkflow)? These two can be imported.'
    : undefined;
}
