import * as z from 'zod/mini';
import { isJsonObject, type Json, type JsonObject, jsonText } from '../../../core/model/json.ts';
import { PathRefused, shownPath } from '../../../lib/confined-path.ts';
import { readInFolder } from '../../../tools/folder-access.ts';
import { locateFunction } from '../../../workspace/locate-function.ts';
import type { EngineProgram } from '../../../host/world.ts';
import { inPlace } from '../../../host/perform/commands/in-place.ts';
import { anyJson, programInput } from '../../../host/perform/commands/program-input.ts';
import { seeFile } from '../../../host/perform/outputs/seen-file.ts';

const routeSchema = z.object({
  /** A path, or a list of them. */
  file: anyJson,
  function: anyJson,
  /** Text, or any other value: its texts are searched. */
  request: z.optional(anyJson),
});

type RouteInput = z.infer<typeof routeSchema>;

/**
 * `phases.route`: whether a request needs no plan, decided by what the engine finds and never by a claim: one file is named
 * and exists, and the named function, if any, occurs in it exactly once.
 */
export const routeFacts: EngineProgram = async (context, effect) => {
  const input = programInput(routeSchema, effect);
  const facts = await inPlace(context, effect, async ({ workspace }) => await factsOf(workspace.folder, input));
  return { output: facts, kept: facts };
};

async function factsOf(folder: string, input: RouteInput): Promise<JsonObject> {
  const name = jsonText(input.function).trim();
  const named = name === '' ? null : name;
  const file = await namedFile(folder, input);
  if (file.why !== null) {
    const missing = { named, found: 0, lines: [] };
    return { isSimple: false, reasons: [file.why], file: { named: file.path, isPresent: false }, function: missing };
  }
  const { path } = file;
  const { lines, reasons } = named === null ? { lines: [], reasons: [] } : await functionIn(folder, path, named);
  return {
    isSimple: named === null || lines.length === 1,
    reasons: [`${shownPath(path)} is the one file that is named, and it is there.`, ...reasons],
    file: { named: path, isPresent: true },
    function: { named, found: lines.length, lines },
  };
}

/** The one file, or why there is none. */
type NamedFile = { readonly path: string; readonly why: null } | { readonly path: string | null; readonly why: string };

async function namedFile(folder: string, { file, request }: RouteInput): Promise<NamedFile> {
  const given = textsIn(file).filter((path) => path !== '');
  const found = given.length > 0 ? given : await filesIn(folder, textsIn(requestIn(request ?? null)).join('\n'));
  const [only] = found;
  if (only === undefined) return { path: null, why: 'No file is named that is there.' };
  if (found.length > 1) {
    return { path: null, why: `${found.length} files are named: ${found.map((path) => shownPath(path)).join(', ')}.` };
  }
  const seen = await seeFile(folder, only);
  return seen.kind === 'file' ? { path: seen.path, why: null } : { path: only, why: seen.why };
}

/** Values given separately are not part of the request. */
function requestIn(request: Json): Json {
  if (!isJsonObject(request)) return request;
  const { file: _file, function: _function, ...rest } = request;
  return rest;
}

/** All texts in a value. */
function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value.trim()];
  if (Array.isArray(value)) return value.flatMap((one: Json) => textsIn(one));
  return isJsonObject(value) ? Object.values(value).flatMap(textsIn) : [];
}

/** A longer request is not simple, so the rest is not searched for paths. */
const MOST_WORDS = 2000;

/** The parts of a request that are paths of files. */
async function filesIn(folder: string, request: string): Promise<readonly string[]> {
  const tokens = request.split(/[\s,;'"`()<>{}|]+/).slice(0, MOST_WORDS);
  const found = new Set<string>();
  for (const word of new Set(
    tokens.map((each) => each.replace(/^[[]+|[\]:.!?]+$/g, '').replace(/:\d+(?::\d+)?$/, '')),
  )) {
    if (!/[./]/.test(word)) continue;
    const seen = await seeFile(folder, word);
    if (seen.kind === 'file') found.add(seen.path);
  }
  return [...found];
}

const MOST_BYTES = 2 * 1024 * 1024;

/** The lines in which it is defined, and a description of that. */
interface Sought {
  readonly lines: readonly number[];
  readonly reasons: readonly string[];
}

async function functionIn(folder: string, file: string, name: string): Promise<Sought> {
  try {
    const text = (await readInFolder(folder, file, MOST_BYTES)).toString('utf8');
    if (text.includes('\0')) return { lines: [], reasons: [`${shownPath(file)} is not text.`] };
    const lines = locateFunction(text, name);
    return { lines, reasons: [inWords(name, file, lines)] };
  } catch (error) {
    if (error instanceof PathRefused) return { lines: [], reasons: [error.message] };
    throw error;
  }
}

function inWords(name: string, file: string, lines: readonly number[]): string {
  const shown = shownPath(name);
  if (lines.length === 0) return `${shown} is not found in ${shownPath(file)}.`;
  if (lines.length === 1) return `${shown} is found once, in line ${lines[0]}.`;
  return `${shown} is found ${lines.length} times in ${shownPath(file)}, in lines ${lines.join(', ')}.`;
}
