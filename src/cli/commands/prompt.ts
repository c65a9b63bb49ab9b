import { whole } from '../../protocol/whole-list.ts';
import { Fault } from '../../core/fault.ts';
import { findAssets } from '../../dialects/shipped.ts';
import { closestName } from '../../dialects/source/closest-name.ts';
import type { Invocation } from '../command-spec.ts';
import { openProject, pathInProject } from '../../app/config/project.ts';
import { EXIT } from '../exit-code.ts';
import { flag, textOption, word } from '../invocation.ts';
import { listPrompts } from '../../app/library/listed-prompts.ts';
import { promptBlame, promptSummary, type PromptPlaces, promptsTable } from '../prompts/prompt-text.ts';
import { showPrompt, type ShownPrompt } from '../../app/library/shown-prompt.ts';
import { paintFor } from '../terminal/colour.ts';
import { printNote } from '../terminal/terminal.ts';
import { problemText } from '../../protocol/problem-text.ts';
import { plainText } from '../../protocol/plain-text.ts';

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
  const prompt = await showPrompt({ name, mode: textOption(invocation, 'mode') }, view);
  if (flag(invocation, 'json')) {
    terminal.stdout.write(`${JSON.stringify(promptJson(prompt))}\n`);
    return EXIT.ok;
  }
  const places: PromptPlaces = {
    assets: findAssets(),
    show: (path) => pathInProject(path, terminal.folder),
    paint: paintFor(terminal.stdout, terminal.environment),
  };
  printNote(terminal, `${promptSummary(prompt, places)}\n`);
  terminal.stdout.write(`${promptBlame(prompt, places)}\n`);
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
  if (flag(invocation, 'json'))
    terminal.stdout.write(
      `${JSON.stringify({ kind: 'prompts', ...whole(prompts.map(({ kind, ...one }) => ({ type: kind, ...one }))) })}\n`,
    );
  else terminal.stdout.write(`${promptsTable(prompts, terminal.stdout.columns || 120)}\n`);
  for (const warning of warnings) terminal.stderr.write(`${plainText(problemText(warning))}\n`);
  return EXIT.ok;
}
