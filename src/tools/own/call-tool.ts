import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { Json } from '../../core/json.ts';
import { pathInside } from '../../sandbox/file-space.ts';
import type { LentFolder, SandboxedResult } from '../../sandbox/port.ts';
import { commandEnvironment, programFolders } from '../command-environment.ts';
import { CANCELLED, refusedTool } from '../define-tool.ts';
import type { Mode, ToolAccess } from '../mode.ts';
import type { ToolContext, ToolResult } from '../port.ts';
import { thrownAway } from '../thrown-away.ts';
import { MAX_CONTENT } from '../tool-answer.ts';
import { endOf, printed, repliesIn, startRunner } from './tool-box.ts';
import type { ToolBox } from './tool-box.ts';

/** One call of a project's tool, in a process of its own that ends with it. Whatever goes wrong is an answer. */
export async function callTool(call: ProjectToolCall, input: Input, context: ToolContext): Promise<ToolResult> {
  const { folder, signal, mode = 'write', network = false } = context;
  const { file, access, box, timeoutMs = CALL_MS } = call;
  const lent = accessTo(access, mode);
  // Commands have a copy to run on instead; a tool would have to be told of it.
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
    return told(result, timeoutMs);
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

/** Where nothing else was given, home and temporary folder are made for this one call. */
async function placeOf({ place }: ToolContext): Promise<CallPlace> {
  if (place !== undefined) return { ...place, dispose: () => Promise.resolve() };
  const made = await mkdtemp(join(tmpdir(), 'tool-'));
  return {
    environment: { HOME: made, TMPDIR: made },
    folders: [{ path: made, access: 'write' }],
    dispose: () => rm(made, { recursive: true, force: true }),
  };
}

function told(result: SandboxedResult, timeoutMs: number): ToolResult {
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
 * What a tool says it changed is not taken over: the files themselves are looked at. The runner keeps to the size an answer
 * may have; what is longer did not come from it.
 */
const replyShape = z.object({ content: z.string().max(MAX_CONTENT + 100), isError: z.boolean() });
