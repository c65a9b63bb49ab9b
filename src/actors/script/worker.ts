import { parentPort, workerData } from 'node:worker_threads';
import type { JsonObject } from '../../core/model/json.ts';
import { LARGEST_VALUE } from '../../core/evaluate/clean-json.ts';
import { patchBetween } from '../../core/record/patch.ts';
import {
  compileEngine,
  loadScriptRunner,
  type RunnerSettings,
  type ScriptEngine,
  type ScriptJob,
  type ScriptOutcome,
} from './run-script.ts';

/**
 * The thread that scripts run in. It exists to be killed: loops inside QuickJS's own functions never look up, and ending
 * the thread is the one thing that stops them.
 */
export type WorkerMessage =
  /** `engine`: for the next threads of this process. */
  | { readonly kind: 'ready'; readonly engine: ScriptEngine }
  /** `isBroken`: take another thread for the next script. */
  | { readonly kind: 'done'; readonly outcome: ScriptOutcome; readonly isBroken: boolean };

export interface WorkerSettings extends RunnerSettings {
  /** Undefined in the first thread of a process, which compiles it. */
  readonly engine: ScriptEngine | undefined;
}

/** A first script makes the engine compile the common parts before any caller waits. */
const WARM_UP: ScriptJob = {
  source: '[1].map((item) => `${item}`).join()',
  reads: ['agents', 'last_parsing_tool_calls'],
  wants: 'value',
  data: '{}',
  rest: '{"agents":{},"last_parsing_tool_calls":[]}',
  fuel: 10,
};

const port = parentPort;
if (port !== null) {
  const { engine = compileEngine(), ...settings } = workerData as WorkerSettings;
  const runner = await loadScriptRunner(settings, engine);
  runner.run(WARM_UP);
  runner.prepare();
  const send = (message: WorkerMessage): void => port.postMessage(message);
  port.on('message', (job: ScriptJob) => {
    const { outcome, isBroken } = runner.run(job);
    send({ kind: 'done', outcome: job.wants === 'patch' ? onlyChanges(outcome, job.data) : outcome, isBroken });
    if (!isBroken) runner.prepare();
  });
  send({ kind: 'ready', engine });
}

/** Compared here and not in the main thread, which has other runs to drive. */
function onlyChanges(outcome: ScriptOutcome, before: string): ScriptOutcome {
  if (!outcome.ok || outcome.json === null) return outcome;
  if (outcome.json === before) return { ok: true, json: '{}' };
  const after = JSON.parse(outcome.json) as JsonObject;
  const patch = patchBetween(JSON.parse(before) as JsonObject, after) ?? {};
  // A change may be short and the value that it makes too long.
  const large = Object.keys(patch.inside ?? {}).find((key) => JSON.stringify(after[key]).length > LARGEST_VALUE);
  if (large !== undefined) return tooLarge(large);
  return { ok: true, json: JSON.stringify(patch) };
}

const tooLarge = (key: string): ScriptOutcome => ({
  ok: false,
  code: 'SCRIPT_RESULT_TOO_LARGE',
  message: `The script made \`${key}\` larger than ${LARGEST_VALUE} characters of JSON.`,
});
