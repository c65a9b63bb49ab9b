import type { JsonObject } from '../../core/json.ts';
import { stringIn } from './read-json.ts';

/**
 * Some clients report a command as completed whenever it came to an end. By its exit code it failed, like a command of the
 * engine's own (`commandFailure`).
 */
export function hasFailedExit(...reports: readonly JsonObject[]): boolean {
  return reports.some((report) => {
    const code = CODE_NAMES.map((name) => report[name]).find((value) => typeof value === 'number');
    return (code !== undefined && code !== 0) || stringIn(report['signal']) !== '';
  });
}

/** Codex and codex-acp, Gemini, OpenCode. */
const CODE_NAMES = ['exit_code', 'exitCode', 'exit'];
