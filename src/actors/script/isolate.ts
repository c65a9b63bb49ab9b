import type { IsolateSource } from '../../core/expression.ts';
import type { Patch, ScriptResult } from '../../core/fact.ts';
import { isJsonObject, type Json } from '../../core/json.ts';
import type { Failure, FailureClass } from '../../core/outcome.ts';
import type { SurfaceData } from '../../core/surface.ts';
import { REFUSED_KEYS } from '../../core/assignments.ts';
import type { Isolate, IsolateOptions } from './port.ts';
import type { ScriptJob, ScriptOutcome } from './run-script.ts';
import { WorkerPool } from './worker-pool.ts';

export interface IsolateSettings {
  /** See `ScriptLimits`: the same script always stops at the same point. */
  readonly fuel?: number;
  readonly memoryBytes?: number;
  /** The outer kill, for what fuel cannot see. Its outcome depends on the machine, and is journaled like any other. */
  readonly timeoutMs?: number;
  readonly threads?: number;
}

const LARGEST_INPUT = 4_000_000;
const LARGEST_RESULT = 1_000_000;

/** QuickJS in threads of its own, with JSON in and JSON out (L8). */
export function createIsolate(settings: IsolateSettings = {}): Isolate {
  const { fuel = 1000, memoryBytes = 32 * 1024 * 1024, timeoutMs = 2000, threads = 2 } = settings;
  const limits = { fuel, memoryBytes, stackBytes: 256 * 1024 };
  const pool = new WorkerPool({ size: threads, timeoutMs });
  return {
    async run(script, options) {
      const job = { ...jobOf(script, options), limits };
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
function jobOf(script: IsolateSource, { surface, wants }: IsolateOptions): Omit<ScriptJob, 'limits'> {
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
  const value = json === null ? null : (JSON.parse(json) as Json);
  const refused = refusedKey(value, json ?? '') ?? (wants === 'patch' ? refusedTopKey(value) : undefined);
  if (refused !== undefined) return failed('SCRIPT_FAILED', `The key \`${refused}\` may not be assigned.`);
  return wants === 'patch' ? { kind: 'patch', patch: value as unknown as Patch } : { kind: 'value', value };
}

const INPUT_TOO_LARGE = `The data a script would read is larger than ${LARGEST_INPUT} characters of JSON.`;
const RESULT_TOO_LARGE = `The script's result is larger than ${LARGEST_RESULT} characters of JSON.`;

/** The text tells cheaply that there is nothing to look for, which is so nearly always. */
function refusedKey(value: Json, json: string): string | undefined {
  return json.includes('"__proto__"') && hasKey(value, '__proto__') ? '__proto__' : undefined;
}

function hasKey(value: Json, key: string): boolean {
  if (Array.isArray(value)) return (value as readonly Json[]).some((item) => hasKey(item, key));
  return isJsonObject(value) && (Object.hasOwn(value, key) || Object.values(value).some((item) => hasKey(item, key)));
}

function refusedTopKey(patch: Json): string | undefined {
  const set = isJsonObject(patch) ? patch['set'] : undefined;
  return isJsonObject(set) ? Object.keys(set).find((key) => REFUSED_KEYS.has(key)) : undefined;
}

const CLASSES: Readonly<Record<string, FailureClass>> = { ISOLATE_CLOSED: 'cancelled', ISOLATE_LOST: 'crash' };

function failed(code: string, message: string): ScriptResult {
  const failure: Failure = { code, message, class: CLASSES[code] ?? 'script' };
  return { kind: 'failed', failure };
}
