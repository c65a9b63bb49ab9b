import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { z } from 'zod';
import type { LentFolder, Sandbox, SandboxedResult, SandboxedRun } from '../../sandbox/port.ts';
import { programFolder } from '../command-environment.ts';

/** What a project's tools run in. */
export interface ToolBox {
  /** Asked for with the first start. */
  readonly sandbox: () => Promise<Sandbox>;
  /** The project itself, and where the engine keeps its own files. */
  readonly hidden: readonly string[];
  /** The engine's own; what is on the list is handed on. */
  readonly environment: NodeJS.ProcessEnv;
  readonly ownPackage: OwnPackage;
}

/** What `import … from 'troupe'` gives a tool. */
export interface OwnPackage {
  readonly entry: string;
  /** All that is read to load it. */
  readonly folders: readonly string[];
}

/**
 * Starts the runner with Node in the sandbox. All that the tool prints, on whatever output, is the output. What the runner
 * replies is among the error output, where the programs that build the box may say something too.
 */
export async function startRunner(words: RunnerWords, box: ToolBox, run: RunnerRun): Promise<SandboxedResult> {
  const sandbox = await box.sandbox();
  const runner = runnerFile();
  const { entry, folders } = box.ownPackage;
  const readable = [dirname(runner), ...folders].filter((path) => existsSync(path));
  const lent: readonly LentFolder[] = [
    ...programFolder(process.execPath, box.hidden),
    ...readable.map((path) => ({ path, access: 'read' as const })),
  ];
  const node = [process.execPath, '--no-warnings', runner, entry];
  return await sandbox.run(['/bin/sh', '-c', REPLIES_APART, 'sh', ...node, ...words], {
    ...run,
    folders: [...lent, ...run.folders],
    hidden: box.hidden,
    maxOutputBytes: MAX_REPLY_BYTES,
  });
}

export type RunnerWords = readonly ['describe', ...files: string[]] | readonly ['call', file: string];

export type RunnerRun = Omit<SandboxedRun, 'hidden' | 'maxOutputBytes' | 'mergeErrors'>;

/** Descriptor 4 is where replies go. */
const REPLIES_APART = 'exec 4>&2 2>&1; exec "$@"';

/** More than the longest answer takes, written as JSON. */
const MAX_REPLY_BYTES = 4 * 1024 * 1024;

/** Run from sources the runner is a source too; in a bundle it lies beside the bundle. */
function runnerFile(): string {
  return fileURLToPath(
    new URL(import.meta.url.endsWith('.ts') ? './runner.ts' : './own-tool-runner.js', import.meta.url),
  );
}

/** The lines of JSON that have the shape of a reply. */
export function repliesIn<Reply>({ errorOutput }: SandboxedResult, shape: z.ZodType<Reply>): readonly Reply[] {
  return errorOutput.split('\n').flatMap((line) => {
    const parsed = shape.safeParse(jsonOf(line));
    return parsed.success ? [parsed.data] : [];
  });
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** What the tool printed, as a tail to a sentence; its end alone, since the reason stands there. */
export function printed({ output }: SandboxedResult): string {
  const text = output.trim();
  if (text === '') return '';
  return ` It printed:\n${text.length > MAX_PRINTED ? `[…]${text.slice(-MAX_PRINTED)}` : text}`;
}

const MAX_PRINTED = 4000;

/** How a process ended that should have replied first. */
export function endOf({ exitCode, signal }: SandboxedResult): string {
  return exitCode === null ? `ended by ${signal ?? 'a signal'}` : `exit code ${exitCode}`;
}
