import { basename, extname, join } from 'node:path';
import type { Problem } from '../../core/fault.ts';
import { problemsOf, type Checked } from '../source/checked.ts';
import { listFolder, type FolderEntry } from '../source/list-folder.ts';
import { problemReport, type ProblemReport } from '../source/problem-report.ts';
import { readDocument } from '../source/read-document.ts';
import { reportIssues } from '../source/schema-problems.ts';
import { presetsSchema } from './agent-type-schema.ts';
import type { PromptLibrary } from './prompt-library.ts';
import { promptLines, type PromptLine } from './prompt-line.ts';
import { readWords } from './read-words.ts';

/** The words of a folder `prompts`, and what has to be looked at once everything that they could be for is known. */
export interface FoundPrompts {
  readonly library: PromptLibrary;
  readonly files: readonly PromptFile[];
  /** Open until all layers are known. */
  readonly presets: ProblemReport | null;
  readonly problems: readonly Problem[];
}

export interface PromptFile {
  readonly layer: string;
  /** Null: the whole layer. */
  readonly part: string | null;
  readonly path: string;
  readonly lines: readonly PromptLine[];
}

/** `LAYER.md`, `LAYER/PART.md` and `presets.yaml`. A folder that does not exist holds no words. */
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
  const text = await readWords(path);
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
  const text = await readWords(path);
  const read = text.ok ? readDocument(text.value, { file: path }) : text;
  if (!read.ok) return { found: new Map(), report: null, problems: read.problems };
  const { document, locate } = read.value;
  const report = problemReport({ file: path, locate });
  const parsed = presetsSchema.safeParse(document);
  if (!parsed.success) reportIssues(parsed.error.issues, { schema: presetsSchema, document }, report);
  return { found: new Map(Object.entries(parsed.data ?? {})), report, problems: [] };
}
