import { z } from 'zod';
import { Fault } from '../../core/fault.ts';
import type { SandboxedResult } from '../../sandbox/port.ts';
import { commandEnvironment } from '../command-environment.ts';
import { endOf, printed, repliesIn, startRunner } from './tool-box.ts';
import type { ToolBox } from './tool-box.ts';

/**
 * Loads the files of a folder in one process of the sandbox, which sees this folder and nothing else of the project, and
 * tells what each exports as `tool`. In the order of the files, up to the first that ended the process: for that one a
 * sentence says how.
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
