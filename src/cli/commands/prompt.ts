import { whole } from '../../protocol/whole-list.ts';
import { Fault } from '../../core/model/fault.ts';
import { findAssets } from '../../formats/load-assets.ts';
import { closestName } from '../../source/closest-name.ts';
import { cliRequest, type Invocation, textOption, word } from '../invocation.ts';
import { openProject, pathInProject } from '../../app/config/project.ts';
import { EXIT } from '../exit-code.ts';
import { PROJECT } from '../../protocol/operations/project.ts';
import { type ListedPrompt, listPrompts, type ShownPrompt, showPrompt } from '../../app/library/shown-prompt.ts';
import { type Paint, paintFor } from '../terminal/colour.ts';
import { printAnswer, printNote } from '../terminal/terminal.ts';
import { problemText } from '../../protocol/problem-text.ts';
import { oneLine, plainText } from '../../protocol/plain-text.ts';
import { join } from 'node:path';
import type { LineOrigin } from '../../source/agent-types/prompt-library.ts';
import { table } from '../terminal/table.ts';

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

/** `troupe prompt show NAME | list | trace RUN`: what agents read, and where each line of it comes from (PH3). */
export async function promptCommand(invocation: Invocation): Promise<number> {
  const name = word(invocation, 0) ?? '';
  const action = ACTIONS.get(name);
  if (action !== undefined) return await action(invocation);
  const meant = closestName(name, [...ACTIONS.keys()]);
  throw usage(`There is no "prompt ${name}".`, meant === undefined ? '' : `Did you mean "${meant}"? `);
}

const ACTIONS: ReadonlyMap<string, (invocation: Invocation) => Promise<number>> = new Map([
  ['show', show],
  ['list', list],
  ['trace', async (invocation) => await (await import('./prompt-trace.ts')).promptTrace(invocation)],
]);

const usage = (message: string, hint = ''): Fault =>
  new Fault('USAGE', message, {
    hint: `${hint}There are: prompt show NAME, prompt list, prompt trace RUN. See: troupe prompt --help`,
  });

async function show(invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  const name = word(invocation, 1);
  if (name === undefined) throw usage('prompt show needs the name of a type or a role.');
  const view = { project: await openProject(terminal), caller: terminal };
  const request = cliRequest(PROJECT.prompt.request, { name, mode: textOption(invocation, 'mode') });
  const prompt = await showPrompt(request, view);
  const places: PromptPlaces = {
    assets: findAssets(),
    show: (path) => pathInProject(path, terminal.folder),
    paint: paintFor(terminal.stdout, terminal.environment),
  };
  if (!terminal.mode.json) printNote(terminal, `${promptSummary(prompt, places)}\n`);
  printAnswer(terminal, promptJson(prompt), () => promptBlame(prompt, places));
  return EXIT.ok;
}

/** A line that stands nowhere has no file. */
const promptJson = ({ lines, kind, ...prompt }: ShownPrompt) => ({
  kind: 'prompt',
  type: kind,
  ...prompt,
  lines: lines.map(({ text, origin }) => ({ text, file: origin?.file ?? null, line: origin?.line ?? null })),
});

async function list(invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  const { prompts, warnings } = await listPrompts({ project: await openProject(terminal), caller: terminal });
  const items = prompts.map(({ kind, ...one }) => ({ type: kind, ...one }));
  printAnswer(terminal, { kind: 'prompts', ...whole(items) }, () =>
    promptsTable(prompts, terminal.stdout.columns || 120),
  );
  for (const warning of warnings) terminal.stderr.write(`${plainText(problemText(warning))}\n`);
  return EXIT.ok;
}
