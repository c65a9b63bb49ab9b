import { basename, extname, join } from 'node:path';
import { readFileSync, statSync } from 'node:fs';
import type { Problem } from '../../core/model/fault.ts';
import { type Checked, checked, problemsOf } from '../checked.ts';
import { type FolderEntry, listFolder, readSourceFile } from '../read-source-file.ts';
import { problemReport, type ProblemReport } from '../problem-report.ts';
import { readDocument } from '../read-document.ts';
import { reportIssues } from '../schema-problems.ts';
import { closestName } from '../closest-name.ts';
import { MAX_SOURCE_BYTES } from '../source-error.ts';
import { layerHint, type MergedType, presetsSchema } from './parse-agent-type.ts';
import { type PromptLibrary, type PromptLine, promptLines } from './prompt-library.ts';
import { AGENT_MODES, isPartName } from './agent-mode.ts';

/**
 * Every run reads some thirty small files here, and reading them synchronously takes a tenth of the time of awaiting each.
 * Unusual files are left to the careful reader, which reports what is wrong.
 */
export async function readPromptFile(path: string): Promise<Checked<string>> {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile() !== true || found.size > MAX_SOURCE_BYTES) return await readSourceFile(path);
  try {
    return checked(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(path)), []);
  } catch {
    return await readSourceFile(path);
  }
}

/** The files of a folder `prompts`, and what must be checked once all types, presets and modes are known. */
interface FoundPrompts {
  readonly library: PromptLibrary;
  readonly files: readonly PromptFile[];
  /** Open until all layers are known. */
  readonly presets: ProblemReport | null;
  readonly problems: readonly Problem[];
}

interface PromptFile {
  readonly layer: string;
  /** Null: the whole layer. */
  readonly part: string | null;
  readonly path: string;
  readonly lines: readonly PromptLine[];
}

/** `LAYER.md`, `LAYER/PART.md` and `presets.yaml`. A missing folder holds no prompts. */
export async function loadPrompts(folder: string): Promise<FoundPrompts> {
  const entries = await listFolder(folder);
  const [files, presets] = await Promise.all([loadFiles(folder, entries), loadPresets(folder, entries)]);
  return {
    library: { layers: layersOf(files.found), presets: presets.found },
    files: files.found,
    presets: presets.report,
    problems: [...problemsOf(entries), ...files.problems, ...presets.problems],
  };
}

type Entries = Checked<readonly FolderEntry[]>;

interface FoundFiles {
  readonly found: readonly PromptFile[];
  readonly problems: readonly Problem[];
}

async function loadFiles(folder: string, entries: Entries): Promise<FoundFiles> {
  const all = entries.ok ? entries.value : [];
  const wholes = all.filter(isWords).map(({ name }) => loadFile(join(folder, name), stem(name), null));
  const parts = all.filter(({ isFolder }) => isFolder).map(({ name }) => loadParts(join(folder, name)));
  return joined(await Promise.all([...wholes, ...parts]));
}

async function loadParts(folder: string): Promise<FoundFiles> {
  const entries = await listFolder(folder);
  if (!entries.ok) return { found: [], problems: entries.problems };
  const files = entries.value.filter(isWords);
  const loaded = files.map(({ name }) => loadFile(join(folder, name), basename(folder), stem(name)));
  return joined(await Promise.all(loaded));
}

const isWords = ({ name, isFolder }: FolderEntry): boolean =>
  !isFolder && /\.md$/i.test(name) && stem(name).toLowerCase() !== 'readme';

const stem = (name: string): string => basename(name, extname(name));

async function loadFile(path: string, layer: string, part: string | null): Promise<FoundFiles> {
  const text = await readPromptFile(path);
  if (!text.ok) return { found: [], problems: text.problems };
  const lines = promptLines(text.value, path);
  const broken = lines.find((line) => line.text.includes('\0'));
  return { found: [{ layer, part, path, lines }], problems: broken === undefined ? [] : [notText(path, broken)] };
}

function notText(file: string, { origin }: PromptLine): Problem {
  const message = 'The file has a NUL character in it.';
  return { code: 'SOURCE_NOT_TEXT', message, severity: 'error', file, at: { line: origin?.line ?? 1, column: 1 } };
}

const joined = (all: readonly FoundFiles[]): FoundFiles => ({
  found: all.flatMap(({ found }) => found),
  problems: all.flatMap(({ problems }) => problems),
});

function layersOf(files: readonly PromptFile[]): PromptLibrary['layers'] {
  const names = new Set(files.map(({ layer }) => layer));
  return new Map(
    [...names].map((name) => {
      const own = files.filter(({ layer }) => layer === name);
      const parts = own.flatMap(({ part, lines }) => (part === null ? [] : [[part, lines] as const]));
      return [name, { whole: own.find(({ part }) => part === null)?.lines ?? null, parts: new Map(parts) }];
    }),
  );
}

const PRESETS = /^presets\.(?:ya?ml|json)$/i;

interface FoundPresets {
  readonly found: PromptLibrary['presets'];
  readonly report: ProblemReport | null;
  readonly problems: readonly Problem[];
}

async function loadPresets(folder: string, entries: Entries): Promise<FoundPresets> {
  const name = (entries.ok ? entries.value : []).find((entry) => !entry.isFolder && PRESETS.test(entry.name))?.name;
  if (name === undefined) return { found: new Map(), report: null, problems: [] };
  const path = join(folder, name);
  const text = await readPromptFile(path);
  const read = text.ok ? readDocument(text.value, { file: path }) : text;
  if (!read.ok) return { found: new Map(), report: null, problems: read.problems };
  const { document, locate } = read.value;
  const report = problemReport({ file: path, locate });
  const parsed = presetsSchema.safeParse(document);
  if (!parsed.success) reportIssues(parsed.error.issues, { schema: presetsSchema, document }, report);
  return { found: new Map(Object.entries(parsed.data ?? {})), report, problems: [] };
}

export interface Known {
  readonly library: PromptLibrary;
  readonly types: readonly MergedType[];
}

/** Reports files that no prompt uses, and presets of missing layers: a misspelt name would silently change nothing. */
export function checkPrompts(prompts: readonly FoundPrompts[], known: Known): readonly Problem[] {
  const used = usedNames(known);
  return prompts.flatMap((found) => {
    checkPresets(found, known.library);
    return [
      ...found.problems,
      ...(found.presets?.sorted() ?? []),
      ...found.files.flatMap((file) => fileProblem(file, used) ?? []),
    ];
  });
}

function checkPresets({ presets: report, library: own }: FoundPrompts, library: PromptLibrary): void {
  for (const [preset, layers] of own.presets) {
    if (!isPartName(preset)) {
      const hint = 'Use small letters, digits, dashes and underscores.';
      report?.error('NAME_INVALID', `"${preset}" cannot be the name of a preset.`, {
        path: [preset],
        part: 'key',
        hint,
      });
    }
    for (const [index, layer] of layers.entries()) {
      if (library.layers.has(layer)) continue;
      const where = { path: [preset, index], hint: layerHint(layer, library) };
      report?.error('LAYER_UNKNOWN', `There is no layer named "${layer}".`, where);
    }
  }
}

interface Used {
  readonly layers: readonly string[];
  /** Types and presets. */
  readonly parts: readonly string[];
}

function usedNames({ library, types }: Known): Used {
  const layers = new Set([...library.presets.values(), ...types.map(({ settings }) => settings.layers ?? [])].flat());
  const parts = new Set([...types.map(({ name }) => name), ...library.presets.keys()]);
  return { layers: [...layers], parts: [...parts] };
}

function fileProblem({ layer, part, path }: PromptFile, used: Used): Problem | null {
  const here = { severity: 'error', file: path, at: { line: 1, column: 1 } } as const;
  if (!used.layers.includes(layer)) {
    const meant = closestName(layer, used.layers);
    return {
      ...here,
      code: 'LAYER_UNUSED',
      message: `No preset and no type uses a layer named "${layer}", so this text would never be used.`,
      hint: meant === undefined ? 'Name it under "layers" of a type, or in presets.yaml.' : `Did you mean "${meant}"?`,
    };
  }
  // Of two equally near names the one in the same case is meant.
  const known = isPartName(part ?? '') ? [...used.parts, ...AGENT_MODES] : [...AGENT_MODES, ...used.parts];
  if (part === null || known.includes(part)) return null;
  const meant = closestName(part, known);
  return {
    ...here,
    code: 'PROMPT_PART_UNKNOWN',
    message: `"${part}" is not a type, preset or mode, so this text would never be used.`,
    hint: meant === undefined ? `There are: ${known.join(', ')}.` : `Did you mean "${meant}"?`,
  };
}
