import { join } from 'node:path';
import type { LineOrigin } from '../../dialects/agent-types/prompt-line.ts';
import type { Paint } from '../terminal/colour.ts';
import { oneLine, plainText } from '../../protocol/plain-text.ts';
import { table } from '../terminal/table.ts';
import type { ListedPrompt } from '../../app/library/listed-prompts.ts';
import type { ShownPrompt } from '../../app/library/shown-prompt.ts';

/** Stands for the folder of what comes with Troupe, which may lie far away. */
const SHIPPED = '<troupe>';

export interface PromptPlaces {
  readonly assets: string;
  /** A path as the person would type it. */
  readonly show: (path: string) => string;
  readonly paint: Paint;
}

/** Each line of the prompt behind its place. */
export function promptBlame({ lines }: ShownPrompt, places: PromptPlaces): string {
  const origins = lines.map(({ origin }) => (origin === null ? '' : placeText(origin, places)));
  const width = Math.max(0, ...origins.map((origin) => origin.length));
  return lines
    .map(({ text }, index) =>
      `${places.paint('dim', (origins[index] ?? '').padEnd(width))}  ${plainText(text)}`.trimEnd(),
    )
    .join('\n');
}

function placeText({ file, line }: LineOrigin, { assets, show }: PromptPlaces): string {
  const isShipped = file.startsWith(join(assets, '/'));
  return `${isShipped ? `${SHIPPED}${file.slice(assets.length)}` : show(file)}:${line}`;
}

/** What it is and may do, for reading along. */
export function promptSummary(prompt: ShownPrompt, { assets }: PromptPlaces): string {
  const { name, kind, mode, preset, level, actor, access, tools, tasks } = prompt;
  const about = [
    mode === null ? null : `mode ${mode}`,
    preset === null ? null : `preset ${preset}`,
    `level ${level}`,
    actor === null ? null : `played by ${actor}`,
  ].filter((text) => text !== null);
  return [
    `${name}: ${kind}, ${about.join(', ')}`,
    `may ${ACCESS[access]}; tools: ${tools.join(', ') || 'none'}`,
    ...(tasks.length === 0 ? [] : [`sub-agents: ${tasks.join(', ')}`]),
    `${SHIPPED} is ${assets}`,
  ]
    .map(plainText)
    .join('\n');
}

const ACCESS: Readonly<Record<ShownPrompt['access'], string>> = {
  read: 'only read',
  commands: 'read, and run commands on a copy that is thrown away',
  write: 'read, run commands and write',
};

export function promptsTable(prompts: readonly ListedPrompt[], width: number): string {
  const rows = prompts.map(({ name, kind, mode, access, preset, origin, description }) => [
    name,
    kind,
    mode ?? '',
    access,
    preset ?? '',
    origin,
    oneLine(description, 200),
  ]);
  return table([['NAME', 'KIND', 'MODE', 'MAY', 'PRESET', 'FROM', 'ABOUT'], ...rows], width);
}
