/** A line of a prompt and where it stands. What only keeps two parts of a prompt apart stands nowhere. */
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

export function joinParts(parts: readonly (readonly PromptLine[])[]): readonly PromptLine[] {
  const filled = parts.filter((part) => part.length > 0);
  return filled.flatMap((part, index) => (index === 0 ? part : [BETWEEN, ...part]));
}

const BETWEEN: PromptLine = { text: '', origin: null };

export const promptLineText = (lines: readonly PromptLine[]): string => lines.map(({ text }) => text).join('\n');
