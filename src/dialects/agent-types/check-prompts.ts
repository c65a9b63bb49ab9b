import type { Problem } from '../../core/fault.ts';
import { closestName } from '../source/closest-name.ts';
import { AGENT_MODES } from './agent-mode.ts';
import { layerHint } from './check-agent-types.ts';
import type { FoundPrompts, PromptFile } from './load-prompts.ts';
import type { MergedType } from './merge-agent-types.ts';
import { isPartName } from './part-name.ts';
import type { PromptLibrary } from './prompt-library.ts';

export interface Known {
  readonly library: PromptLibrary;
  readonly types: readonly MergedType[];
}

/** Words that nobody would ever hear, and presets of layers that are not there: a misspelt name would change nothing, silently. */
export function checkPrompts(prompts: readonly FoundPrompts[], known: Known): readonly Problem[] {
  const used = usedNames(known);
  return prompts.flatMap((found) => {
    checkPresets(found, known.library);
    return [
      ...found.problems,
      ...(found.presets?.told() ?? []),
      ...found.files.flatMap((file) => fileProblem(file, used) ?? []),
    ];
  });
}

function checkPresets({ presets: report, library: own }: FoundPrompts, library: PromptLibrary): void {
  for (const [preset, layers] of own.presets) {
    if (!isPartName(preset)) {
      const hint = 'Use small letters, digits, dashes and underscores.';
      report?.error('NAME_INVALID', `"${preset}" cannot be the name of a preset.`, {
        path: [preset],
        part: 'key',
        hint,
      });
    }
    for (const [index, layer] of layers.entries()) {
      if (library.layers.has(layer)) continue;
      const where = { path: [preset, index], hint: layerHint(layer, library) };
      report?.error('LAYER_UNKNOWN', `There is no layer named "${layer}".`, where);
    }
  }
}

interface Used {
  readonly layers: readonly string[];
  /** Types and presets. */
  readonly parts: readonly string[];
}

function usedNames({ library, types }: Known): Used {
  const layers = new Set([...library.presets.values(), ...types.map(({ words }) => words.layers ?? [])].flat());
  const parts = new Set([...types.map(({ name }) => name), ...library.presets.keys()]);
  return { layers: [...layers], parts: [...parts] };
}

function fileProblem({ layer, part, path }: PromptFile, used: Used): Problem | null {
  const here = { severity: 'error', file: path, at: { line: 1, column: 1 } } as const;
  if (!used.layers.includes(layer)) {
    const meant = closestName(layer, used.layers);
    return {
      ...here,
      code: 'LAYER_UNUSED',
      message: `No preset and no type uses a layer named "${layer}", so these words would never be said.`,
      hint: meant === undefined ? 'Name it under "layers" of a type, or in presets.yaml.' : `Did you mean "${meant}"?`,
    };
  }
  // Of two names as near as each other the one written in the same way is meant.
  const known = isPartName(part ?? '') ? [...used.parts, ...AGENT_MODES] : [...AGENT_MODES, ...used.parts];
  if (part === null || known.includes(part)) return null;
  const meant = closestName(part, known);
  return {
    ...here,
    code: 'PROMPT_PART_UNKNOWN',
    message: `"${part}" is no type, preset or mode, so these words would never be said.`,
    hint: meant === undefined ? `There are: ${known.join(', ')}.` : `Did you mean "${meant}"?`,
  };
}
