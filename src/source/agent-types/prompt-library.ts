import type { AgentMode } from './agent-mode.ts';

/** A line of a prompt and its place. Separators between two parts have no place. */
export interface PromptLine {
  readonly text: string;
  readonly origin: LineOrigin | null;
}

export interface LineOrigin {
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
}

/** The lines of a file, without the empty ones around its text. */
export function promptLines(source: string, file: string): readonly PromptLine[] {
  const lines = source
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((text, index) => ({ text, origin: { file, line: index + 1 } }));
  const first = lines.findIndex(isFilled);
  return first === -1 ? [] : lines.slice(first, lines.findLastIndex(isFilled) + 1);
}

const isFilled = ({ text }: PromptLine): boolean => text.trim() !== '';

function joinParts(parts: readonly (readonly PromptLine[])[]): readonly PromptLine[] {
  const filled = parts.filter((part) => part.length > 0);
  return filled.flatMap((part, index) => (index === 0 ? part : [BETWEEN, ...part]));
}

const BETWEEN: PromptLine = { text: '', origin: null };

export const promptLineText = (lines: readonly PromptLine[]): string => lines.map(({ text }) => text).join('\n');

/** The parts of prompts: layers, and presets that say which layers belong together. */
export interface PromptLibrary {
  readonly layers: ReadonlyMap<string, PromptLayer>;
  readonly presets: ReadonlyMap<string, readonly string[]>;
}

/** Text for all agents (`LAYER.md`), and text for one type, preset or mode (`LAYER/PART.md`). */
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

/** Layer by layer: the part for all, for the type (or else for its preset), and for the mode. */
export function composePrompt({ layers }: PromptLibrary, request: PromptRequest): readonly PromptLine[] {
  return joinParts(
    request.layers.flatMap((name) => {
      const { whole = null, parts } = layers.get(name) ?? { parts: new Map<string, readonly PromptLine[]>() };
      return [whole, parts.get(request.name) ?? parts.get(request.preset ?? ''), parts.get(request.mode)].map(
        (lines) => lines ?? [],
      );
    }),
  );
}
