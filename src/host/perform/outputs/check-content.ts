import type { ArtifactType } from '../../../core/record/artifact-fact.ts';
import { cleanJson } from '../../../core/evaluate/clean-json.ts';
import { EvaluationError } from '../../../core/evaluate/evaluation-error.ts';
import type { Problem } from '../../../core/model/fault.ts';
import type { Json } from '../../../core/model/json.ts';
import { shownPath } from '../../../lib/confined-path.ts';
import { readInFolder } from '../../../tools/folder-access.ts';
import { readPlan } from '../../../source/task-list.ts';
import { readDocument } from '../../../source/read-document.ts';
import type { FoundFile, FoundOutput } from './find-outputs.ts';
import type { OutputProblem } from './output-problem.ts';
import { orElse } from '../../../lib/or-else.ts';

/** The content of outputs that the engine reads. */
export interface CheckedContent {
  readonly problems: readonly OutputProblem[];
  /** The parsed JSON of single files, by the name of the output. */
  readonly content: Readonly<Record<string, Json>>;
}

/** Conditions read reports and plans, so their content is stored with the run and must be small. */
const MOST_JSON_BYTES = 256 * 1024;

/** Reports must be valid JSON, lists of tasks a valid plan, and a plan or report must not be empty. */
export async function checkContent(folder: string, outputs: readonly FoundOutput[]): Promise<CheckedContent> {
  const problems: OutputProblem[] = [];
  const content: Record<string, Json> = {};
  for (const output of outputs) {
    for (const file of output.files) {
      const read = await checkFile(folder, output, file);
      problems.push(...read.problems);
      if (output.owed.form === 'file' && read.value !== undefined) content[output.owed.name] = read.value;
    }
  }
  return { problems, content };
}

/** The same for a text that is no file yet: its problems as this file, a sentence each. */
export function textProblems(text: string, { path, type }: { path: string; type: ArtifactType }): readonly string[] {
  if (CODES[type] === undefined) return [];
  if (!/\.json$/i.test(path)) return text.trim() === '' ? [`${shownPath(path)} is empty.`] : [];
  const bytes = Buffer.byteLength(text);
  if (bytes > MOST_JSON_BYTES) return [tooLarge(path, bytes)];
  const parsed = parseText(text, path, type === 'plan' ? 'plan' : 'json');
  return 'why' in parsed ? parsed.why : [];
}

interface ReadFile {
  readonly problems: readonly OutputProblem[];
  readonly value?: Json;
}

async function checkFile(folder: string, { owed }: FoundOutput, file: FoundFile): Promise<ReadFile> {
  const code = owed.form === 'changed' ? undefined : CODES[owed.type];
  if (!/\.json$/i.test(file.path)) {
    const isMissing = code !== undefined && (await isBlank(folder, file));
    return { problems: isMissing ? [blank(owed.name, file)] : [] };
  }
  if (code === undefined && owed.form !== 'file') return { problems: [] };
  const parsed = await parseFile(folder, file, owed.type === 'plan' ? 'plan' : 'json');
  if ('value' in parsed) return { problems: [], value: parsed.value };
  if (code === undefined) return { problems: [] };
  return { problems: parsed.why.map((why) => ({ code, name: owed.name, path: file.path, why })) };
}

/** Types that must not be empty, with the code for an empty one. */
const CODES: Readonly<Partial<Record<ArtifactType, OutputProblem['code']>>> = {
  plan: 'PLAN_INVALID',
  report: 'REPORT_INVALID',
};

const blank = (name: string, { path }: FoundFile): OutputProblem => ({
  code: 'OUTPUT_MISSING',
  name,
  path,
  why: `${shownPath(path)} is empty.`,
});

async function isBlank(folder: string, { path, bytes }: FoundFile): Promise<boolean> {
  if (bytes > 1024) return false;
  return (await readInFolder(folder, path, 2048)).toString('utf8').trim() === '';
}

type Parsed = { readonly value: Json } | { readonly why: readonly string[] };

async function parseFile(folder: string, { path, bytes }: FoundFile, as: 'plan' | 'json'): Promise<Parsed> {
  if (bytes > MOST_JSON_BYTES) return { why: [tooLarge(path, bytes)] };
  const text = decoded(await readInFolder(folder, path, MOST_JSON_BYTES));
  return text === null ? { why: [`${shownPath(path)} is not UTF-8 text.`] } : parseText(text, path, as);
}

function parseText(text: string, path: string, as: 'plan' | 'json'): Parsed {
  if (as === 'json') return parseJson(text, path);
  const plan = readPlan(text, path);
  return plan.ok ? { value: plan.value.document } : { why: plan.problems.map((problem) => placed(problem, path)) };
}

const tooLarge = (path: string, bytes: number): string =>
  `${shownPath(path)} has ${bytes} bytes; at most ${MOST_JSON_BYTES} are read.`;

function decoded(bytes: Buffer): string | null {
  // The decoder removes a byte order mark.
  return orElse(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes), null);
}

/** JSON.parse reports no positions, and the parser that does is stricter than JSON: it only locates the error. */
function parseJson(text: string, path: string): Parsed {
  try {
    return { value: cleanJson(JSON.parse(text)) ?? null };
  } catch (error) {
    if (error instanceof EvaluationError) return { why: [`${shownPath(path)} cannot be used: ${error.message}`] };
    const read = readDocument(text, { file: 'report.json' });
    const located = read.ok ? [] : read.problems.map((problem) => placed(problem, path));
    return { why: located.length > 0 ? located : [`${shownPath(path)} is not JSON.`] };
  }
}

/** `outputs/report.json:3:7: a comma is expected`, so that an editor finds it. */
function placed({ at, message, path: where }: Problem, path: string): string {
  const place = at === undefined ? '' : `:${at.line}:${at.column}`;
  const key = where === undefined || where === '' ? '' : ` (${where})`;
  return `${shownPath(path)}${place}: ${message}${key}`;
}
