import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { LentFolder, SandboxedResult, SandboxedRun } from '../../sandbox/port.ts';
import { commandEnvironment, programFolder, programFolders } from '../command-environment.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type { Json } from '../../core/model/json.ts';
import { pathInside } from '../../sandbox/file-space.ts';
import { CANCELLED, refusedTool } from '../define-tool.ts';
import type { Mode, ToolAccess } from '../mode.ts';
import type { McpService, ToolContext, ToolResult } from '../port.ts';
import { thrownAway } from '../shell.ts';
import { MAX_CONTENT } from '../tool-answer.ts';
import { Fault } from '../../core/model/fault.ts';
import { orElse } from '../../lib/or-else.ts';

/** The box of a project's tools. */
export interface ToolBox extends McpService {
  readonly ownPackage: OwnPackage;
}

/** The module that `import … from 'troupe'` gives a tool. */
export interface OwnPackage {
  readonly entry: string;
  /** All that is read to load it. */
  readonly folders: readonly string[];
}

/**
 * Starts the runner with Node in the sandbox. Everything the tool prints is the output. The runner's replies are in the error
 * output, where the programs that build the box may write too.
 */
async function startRunner(args: RunnerArgs, box: ToolBox, run: RunnerRun): Promise<SandboxedResult> {
  const sandbox = await box.sandbox();
  const runner = runnerFile();
  const { entry, folders } = box.ownPackage;
  const readable = [dirname(runner), ...folders].filter((path) => existsSync(path));
  const lent: readonly LentFolder[] = [
    ...programFolder(process.execPath, box.hidden),
    ...readable.map((path) => ({ path, access: 'read' as const })),
  ];
  const node = [process.execPath, '--no-warnings', runner, entry];
  return await sandbox.run(['/bin/sh', '-c', REPLIES_APART, 'sh', ...node, ...args], {
    ...run,
    folders: [...lent, ...run.folders],
    hidden: box.hidden,
    maxOutputBytes: MAX_REPLY_BYTES,
  });
}

export type RunnerArgs = readonly ['describe', ...files: string[]] | readonly ['call', file: string];

export type RunnerRun = Omit<SandboxedRun, 'hidden' | 'maxOutputBytes' | 'mergeErrors'>;

/** Descriptor 4 is where replies go. */
const REPLIES_APART = 'exec 4>&2 2>&1; exec "$@"';

/** More than the longest answer takes, written as JSON. */
const MAX_REPLY_BYTES = 4 * 1024 * 1024;

/** Run from sources the runner is a source too; in a bundle it is next to the bundle. */
function runnerFile(): string {
  return fileURLToPath(
    new URL(import.meta.url.endsWith('.ts') ? './runner.ts' : './own-tool-runner.js', import.meta.url),
  );
}

/** The lines of JSON that have the shape of a reply. */
function repliesIn<Reply>({ errorOutput }: SandboxedResult, shape: z.ZodType<Reply>): readonly Reply[] {
  return errorOutput.split('\n').flatMap((line) => {
    const parsed = shape.safeParse(jsonOf(line));
    return parsed.success ? [parsed.data] : [];
  });
}

function jsonOf(line: string): unknown {
  return orElse(() => JSON.parse(line), undefined);
}

/** The end of the tool's output, which has the reason, to append to a message. */
function printed({ output }: SandboxedResult): string {
  const text = output.trim();
  if (text === '') return '';
  return ` It printed:\n${text.length > MAX_PRINTED ? `[…]${text.slice(-MAX_PRINTED)}` : text}`;
}

const MAX_PRINTED = 4000;

/** How a process ended that should have replied first. */
function endOf({ exitCode, signal }: SandboxedResult): string {
  return exitCode === null ? `ended by ${signal ?? 'a signal'}` : `exit code ${exitCode}`;
}

/** One call of a project's tool, in its own process that ends with it. Every error is an answer. */
export async function callTool(call: ProjectToolCall, input: Input, context: ToolContext): Promise<ToolResult> {
  const { folder, signal, mode = 'write', network = false } = context;
  const { file, access, box, timeoutMs = CALL_MS } = call;
  const lent = accessTo(access, mode);
  // Commands can run on a copy instead; a tool would need to know its path.
  if (lent === 'throwaway' && !(await box.sandbox()).hasOverlay)
    return refusedTool(needsOverlay(mode), 'MODE_NEEDS_OVERLAY');
  const place = await placeOf(context);
  try {
    const env = commandEnvironment(box.environment);
    const result = await startRunner(['call', file], box, {
      cwd: folder,
      env: { ...env, ...place.environment, GIT_CEILING_DIRECTORIES: dirname(folder) },
      folders: [
        ...programFolders(env, box.hidden),
        ...place.folders,
        { path: dirname(file), access: 'read' },
        { path: folder, access: lent },
      ],
      network,
      signal,
      timeoutMs,
      stdin: JSON.stringify({ input, folder: pathInside(folder), mode, network }),
    });
    return toolResult(result, timeoutMs);
  } finally {
    await place.dispose();
  }
}

export interface ProjectToolCall {
  readonly file: string;
  readonly access: ToolAccess;
  readonly box: ToolBox;
  readonly timeoutMs?: number;
}

type Input = Readonly<Record<string, Json>>;

const CALL_MS = 120_000;

function accessTo(access: ToolAccess, mode: Mode): LentFolder['access'] {
  if (access === 'read' || access === 'talk') return 'read';
  return mode === 'write' ? 'write' : 'throwaway';
}

const needsOverlay = (mode: Mode): string =>
  `Your role is in mode "${mode}", where what a tool writes is thrown away, and on this machine that cannot be done for a tool of the project. Use other tools, or say in your answer what should be run.`;

interface CallPlace extends NonNullable<ToolContext['place']> {
  readonly dispose: () => Promise<void>;
}

/** Without a given place, home and temporary folder are made for this one call. */
async function placeOf({ place }: ToolContext): Promise<CallPlace> {
  if (place !== undefined) return { ...place, dispose: () => Promise.resolve() };
  const made = await mkdtemp(join(tmpdir(), 'tool-'));
  return {
    environment: { HOME: made, TMPDIR: made },
    folders: [{ path: made, access: 'write' }],
    dispose: () => rm(made, { recursive: true, force: true }),
  };
}

function toolResult(result: SandboxedResult, timeoutMs: number): ToolResult {
  if (result.cancelled) return refusedTool(CANCELLED);
  if (result.startFailure !== null) return refusedTool(`The tool could not be started: ${result.startFailure}.`);
  if (result.timedOut) {
    return refusedTool(`Stopped after ${timeoutMs / 1000} s, with everything it had started.${printed(result)}`);
  }
  const reply = repliesIn(result, replyShape).at(-1);
  if (reply === undefined) return refusedTool(`The tool ended without an answer (${endOf(result)}).${printed(result)}`);
  return { ...reply, content: `${reply.content}${thrownAway(result.discarded)}` };
}

/**
 * The tool's own list of changes is ignored: the files themselves are compared. The runner limits its answers; a longer one is
 * not from the runner.
 */
const replyShape = z.object({ content: z.string().max(MAX_CONTENT + 100), isError: z.boolean() });

/**
 * Loads the files of a folder in one process of the sandbox, which sees only this folder of the project, and returns what each
 * exports as `tool`, in the order of the files. A file that ends the process is the last, with a sentence that says how.
 */
export async function describeTools(options: DescribeOptions): Promise<readonly Described[]> {
  const { folder, files, box, timeoutMs = LOADING_MS } = options;
  const result = await startRunner(['describe', ...files], box, {
    cwd: folder,
    env: { ...commandEnvironment(box.environment), HOME: '/tmp', TMPDIR: '/tmp' },
    folders: [{ path: folder, access: 'read' }],
    network: false,
    timeoutMs,
  });
  if (result.startFailure !== null) throw notStarted(folder, result.startFailure);
  const replies = repliesIn(result, describedShape).slice(0, files.length);
  return replies.length === files.length ? replies : [...replies, { problem: whyNone(result, timeoutMs) }];
}

export interface DescribeOptions {
  readonly folder: string;
  readonly files: readonly string[];
  readonly box: ToolBox;
  readonly timeoutMs?: number;
}

export type Described = z.infer<typeof describedShape>;

/** For a whole folder: importing does not take long, and a run waits for it. */
const LOADING_MS = 30_000;

const describedShape = z.union([z.object({ description: z.unknown() }), z.object({ problem: z.string() })]);

function whyNone(result: SandboxedResult, timeoutMs: number): string {
  if (result.timedOut) return `it could not be loaded within ${timeoutMs / 1000} s`;
  return `it could not be loaded: it ended the process (${endOf(result)}).${printed(result)}`;
}

function notStarted(folder: string, because: string): Fault {
  return new Fault('TOOLS_NOT_LOADED', `The tools in ${folder} could not be looked at: ${because}.`, {
    hint: 'They are loaded inside the sandbox. What works here: troupe doctor',
    facts: { folder },
  });
}
