import type { AgentMode } from './agent-mode.ts';
import { joinParts, type PromptLine } from './prompt-line.ts';

/** What prompts are made of: layers, and presets that say which layers belong together. */
export interface PromptLibrary {
  readonly layers: ReadonlyMap<string, PromptLayer>;
  readonly presets: ReadonlyMap<string, readonly string[]>;
}

/** Words for everybody (`LAYER.md`), and words for one type, preset or mode (`LAYER/PART.md`). */
export interface PromptLayer {
  readonly whole: readonly PromptLine[] | null;
  readonly parts: ReadonlyMap<string, readonly PromptLine[]>;
}

/** A file for a whole layer replaces all of it; one for a part replaces that part. */
export function overLibrary(lower: PromptLibrary, upper: PromptLibrary): PromptLibrary {
  const layers = new Map(lower.layers);
  for (const [name, layer] of upper.layers) {
    const below = layer.whole === null ? layers.get(name) : undefined;
    layers.set(name, {
      whole: layer.whole ?? below?.whole ?? null,
      parts: new Map([...(below?.parts ?? []), ...layer.parts]),
    });
  }
  return { layers, presets: new Map([...lower.presets, ...upper.presets]) };
}

export const NO_PROMPTS: PromptLibrary = { layers: new Map(), presets: new Map() };

export interface PromptRequest {
  readonly name: string;
  readonly preset: string | null;
  readonly layers: readonly string[];
  readonly mode: AgentMode;
}

/** Layer by layer: what is for everybody, for the type (where there is nothing: for its preset), and for the mode. */
export function composePrompt({ layers }: PromptLibrary, wanted: PromptRequest): readonly PromptLine[] {
  return joinParts(
    wanted.layers.flatMap((name) => {
      const { whole = null, parts } = layers.get(name) ?? { parts: new Map<string, readonly PromptLine[]>() };
      return [whole, parts.get(wanted.name) ?? parts.get(wanted.preset ?? ''), parts.get(wanted.mode)].map(
        (lines) => lines ?? [],
      );
    }),
  );
}
