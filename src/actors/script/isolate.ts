import { REFUSED_KEYS } from '../../core/assignments.ts';
import { cleanJson, LARGEST_VALUE } from '../../core/clean-json.ts';
import { EvaluationError } from '../../core/evaluation-error.ts';
import type { IsolateSource } from '../../core/expression.ts';
import type { Patch, ScriptResult } from '../../core/fact.ts';
import type { Json } from '../../core/json.ts';
import type { Failure, FailureClass } from '../../core/outcome.ts';
import type { SurfaceData } from '../../core/surface.ts';
import type { Isolate, IsolateOptions } from './port.ts';
import type { ScriptJob, ScriptOutcome } from './run-script.ts';
import { WorkerPool } from './worker-pool.ts';

export interface IsolateSettings {
  /** Polls, each about ten thousand steps: the same script always stops at the same point. */
  readonly fuel?: number;
  readonly memoryBytes?: number;
  /** The outer kill, for what fuel cannot see. Its outcome depends on the machine, and is journaled like any other. */
  readonly timeoutMs?: number;
  readonly threads?: number;
}

const LARGEST_INPUT = 4_000_000;
const LARGEST_RESULT = LARGEST_VALUE;

/** QuickJS in threads of its own, with JSON in and JSON out (L8). */
export function createIsolate(settings: IsolateSettings = {}): Isolate {
  const { fuel = 1000, memoryBytes = 32 * 1024 * 1024, timeoutMs = 2000, threads = 2 } = settings;
  const pool = new WorkerPool({ size: threads, timeoutMs, memoryBytes });
  return {
    async run(script, options) {
      const job = { ...jobOf(script, options), fuel };
      if (job.data.length + job.rest.length > LARGEST_INPUT) return failed('SCRIPT_INPUT_TOO_LARGE', INPUT_TOO_LARGE);
      return resultOf(await pool.run(job), options.wants);
    },
    close: () => pool.close(),
  };
}

type SurfaceName = keyof SurfaceData;

const OTHER_ROOTS: ReadonlySet<string> = new Set<SurfaceName>([
  'agents',
  'contexts',
  'sub_workflow_result',
  'last_agent_response',
  'last_tool_calls',
  'last_parsing_tool_calls',
]);

/** Touches only the roots that are read: the surface builds each one when asked. */
function jobOf(script: IsolateSource, { surface, wants }: IsolateOptions): Omit<ScriptJob, 'fuel'> {
  const reads = new Set(script.reads);
  const needsData = wants === 'patch' || reads.has('common_data') || reads.has('variables');
  const rest: [string, unknown][] = [['locals', surface.locals]];
  for (const name of reads) if (OTHER_ROOTS.has(name)) rest.push([name, surface[name as SurfaceName]]);
  return {
    source: script.source,
    reads: script.reads,
    wants,
    data: needsData ? JSON.stringify(surface.common_data) : '{}',
    rest: JSON.stringify(Object.fromEntries(rest)),
  };
}

function resultOf(outcome: ScriptOutcome, wants: IsolateOptions['wants']): ScriptResult {
  if (!outcome.ok) return failed(outcome.code, outcome.message);
  const { json } = outcome;
  if (json !== null && json.length > LARGEST_RESULT) return failed('SCRIPT_RESULT_TOO_LARGE', RESULT_TOO_LARGE);
  try {
    const value = cleanJson(json === null ? null : JSON.parse(json)) ?? null;
    return wants === 'value' ? { kind: 'value', value } : patchOf(value);
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    const isLarge = error.code === 'VALUE_TOO_LARGE';
    return failed(isLarge ? 'SCRIPT_RESULT_TOO_LARGE' : 'SCRIPT_FAILED', error.message);
  }
}

const INPUT_TOO_LARGE = `The data a script would read is larger than ${LARGEST_INPUT} characters of JSON.`;
const RESULT_TOO_LARGE = `The script's result is larger than ${LARGEST_RESULT} characters of JSON.`;

function patchOf(value: Json): ScriptResult {
  const patch = value as unknown as Patch;
  const refused = Object.keys(patch.set).find((key) => REFUSED_KEYS.has(key));
  if (refused !== undefined) return failed('SCRIPT_FAILED', `The key \`${refused}\` may not be assigned.`);
  return { kind: 'patch', patch };
}

const CLASSES: Readonly<Record<string, FailureClass>> = { ISOLATE_CLOSED: 'cancelled', ISOLATE_LOST: 'crash' };

function failed(code: string, message: string): ScriptResult {
  const failure: Failure = { code, message, class: CLASSES[code] ?? 'script' };
  return { kind: 'failed', failure };
}
