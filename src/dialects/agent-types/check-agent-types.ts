import type { Problem } from '../../core/fault.ts';
import { closestName, nameHint } from '../source/closest-name.ts';
import type { SourcePath } from '../source/source-path.ts';
import { AGENT_MODES, isBeyond, MODE_RULES } from './agent-mode.ts';
import type { MergedType } from './merge-agent-types.ts';
import type { TypeFile } from './parse-agent-type.ts';
import type { PromptLibrary } from './prompt-library.ts';

/** Tells in the reports of its files what a type names that is not there, what it lacks, and what its mode forbids. */
export function checkAgentType(type: MergedType, library: PromptLibrary): void {
  for (const file of type.files) checkNames(file, library);
  checkMissing(type);
  checkTools(type);
}

function checkNames({ words: { preset, layers }, report }: TypeFile, library: PromptLibrary): void {
  if (preset !== undefined && !library.presets.has(preset)) {
    report.error('PRESET_UNKNOWN', `There is no preset named "${preset}".`, {
      path: ['preset'],
      hint: nameHint(preset, [...library.presets.keys()]),
    });
  }
  for (const [index, layer] of (layers ?? []).entries()) {
    if (library.layers.has(layer)) continue;
    report.error('LAYER_UNKNOWN', `There is no layer named "${layer}".`, {
      path: ['layers', index],
      hint: layerHint(layer, library),
    });
  }
}

export function layerHint(layer: string, { layers }: PromptLibrary): string {
  const meant = closestName(layer, [...layers.keys()]);
  return meant === undefined ? `Write it: .troupe/prompts/${layer}.md` : `Did you mean "${meant}"?`;
}

function checkMissing({ name, words: { mode, preset, layers }, files }: MergedType): void {
  const report = files.at(-1)?.report;
  // What was refused is there, in a way.
  if (report === undefined || report.problems.some(({ severity }) => severity === 'error')) return;
  if (mode === undefined) {
    const hint = `A new type says what it is at: ${AGENT_MODES.join(', ')}.`;
    report.error('KEY_MISSING', `The type "${name}" has no "mode".`, { path: [], hint });
  }
  if (preset === undefined && layers === undefined) {
    const hint = 'A preset such as execution names the layers of the prompt; "layers" does it one by one.';
    report.error('KEY_MISSING', `The type "${name}" has no "preset".`, { path: [], hint });
  }
}

/** A tool that could never be used is a misunderstanding, and better told here than to the agent. */
function checkTools({ words: { mode }, files }: MergedType): void {
  if (mode === undefined) return;
  const { access } = MODE_RULES[mode];
  for (const { report, words } of files) {
    for (const list of ['tools', 'moreTools'] as const) {
      for (const [index, tool] of (words[list] ?? []).entries()) {
        if (!isBeyond(access, tool)) continue;
        const path: SourcePath = [list, index];
        const does = access === 'commands' ? 'may read and run commands' : 'may only read';
        report.error('TOOL_BEYOND_MODE', `An agent in the mode ${mode} ${does}; "${tool}" does more.`, {
          path,
          hint: 'Take it away, or choose another mode: EXECUTION and FIX may write, VERIFICATION may run commands.',
        });
      }
    }
  }
}

export function findTwice(files: readonly TypeFile[]): readonly Problem[] {
  const first = new Map<string, string>();
  return files.flatMap(({ name, report }): readonly Problem[] => {
    const { file } = report.origin;
    const other = first.get(name);
    first.set(name, other ?? file);
    if (other === undefined) return [];
    const message = `The type "${name}" is defined in ${other} and in ${file}.`;
    return [{ code: 'AGENT_TYPE_TWICE', message, severity: 'error', file, hint: 'Keep one of the two.' }];
  });
}
