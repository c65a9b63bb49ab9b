import { isJsonObject, type Json, type JsonObject } from '../core/model/json.ts';

/** Reads a client's line without trust: a value of the wrong kind counts as missing. */
export const stringIn = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

export const count = (value: Json | undefined): number =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;

export const objectIn = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {});

export const objectListIn = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? (value as readonly Json[]).filter(isJsonObject) : [];

/**
 * Some clients report a command as completed whenever it ended. By its exit code it failed, like a command of the engine
 * (`commandFailure`).
 */
export function hasFailedExit(...reports: readonly JsonObject[]): boolean {
  return reports.some((report) => {
    const code = CODE_NAMES.map((name) => report[name]).find((value) => typeof value === 'number');
    return (code !== undefined && code !== 0) || stringIn(report['signal']) !== '';
  });
}

/** Codex and codex-acp, Gemini, OpenCode. */
const CODE_NAMES = ['exit_code', 'exitCode', 'exit'];
