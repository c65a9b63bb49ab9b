import type { ScriptResult } from '../../core/record/task-fact.ts';
import type { IsolateSource } from '../../core/model/expression.ts';
import type { SurfaceData } from '../../core/evaluate/surface.ts';

/** Runs untrusted JavaScript with no I/O, no clock, no randomness, bounded in steps, memory and time (L8). */
export interface Isolate {
  run(script: IsolateSource, options: IsolateOptions): Promise<ScriptResult>;
  close(): Promise<void>;
}

export interface IsolateOptions {
  /** `value`: the result of the expression. `patch`: the script's changes to `common_data`. */
  readonly wants: 'value' | 'patch';
  /** Only the roots named in `script.reads` need to be filled. */
  readonly surface: SurfaceData;
}
