import { closestName } from '../source/closest-name.ts';
import type { ProblemReport } from '../source/problem-report.ts';
import type { PhaseFile } from './phase-list.ts';

/** A simple task is told from its `file` and `function`: what only looks like them would be one more word of the request. */
export function checkRoute({ route }: PhaseFile, report: ProblemReport): void {
  if (route === null) return;
  const { input, path } = route;
  for (const key of Object.keys(input)) {
    const meant = KEYS.includes(key) ? undefined : (OTHER_WORDS.get(key.toLowerCase()) ?? closestName(key, KEYS));
    if (meant === undefined || Object.hasOwn(input, meant)) continue;
    report.warning('KEY_LIKELY', `The key "${key}" says nothing about where to work; "${meant}" does.`, {
      path: [...path, key],
      part: 'key',
      hint: `Did you mean "${meant}"?`,
    });
  }
}

const KEYS = ['file', 'function'];

const OTHER_WORDS: ReadonlyMap<string, string> = new Map([
  ...['path', 'filename', 'file_name', 'file_path', 'filepath', 'target_file'].map((word) => [word, 'file'] as const),
  ...['func', 'fn', 'method', 'function_name', 'functionname'].map((word) => [word, 'function'] as const),
]);
