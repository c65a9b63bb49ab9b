import { Fault } from '../../core/fault.ts';
import type { RunId } from '../../core/ids.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Definition } from '../../core/role.ts';
import type { Snapshot } from '../../core/snapshot.ts';
import { checkInput } from '../../dialects/check-input.ts';
import { valueOrFault } from '../../dialects/source/checked.ts';
import type { Invocation } from '../command-spec.ts';
import { withActors } from '../../app/config/choose-actor.ts';
import { withModels } from '../../app/config/choose-model.ts';
import { EXIT } from '../exit-code.ts';
import { findFiles, treeOf } from '../../host/deliver/find-files.ts';
import { requireTrees } from '../../host/deliver/kept-trees.ts';
import { movedText, stepOption } from '../../app/results/step-option.ts';
import { withRun } from '../files/with-run.ts';
import { flag, listOption, textOption } from '../invocation.ts';
import { checkModels } from '../../app/library/check-models.ts';
import { reportRefused, reportStarted, startDetached } from '../session/detach.ts';
import { personName } from '../../app/runs/person-name.ts';
import { printAndDrive, type Driving } from '../session/driving.ts';
import { fieldOf, refuseEmpty } from '../session/read-input.ts';
import { rootRun } from '../../app/runs/root-run.ts';
import { changedTerms, resumeOptions } from '../../app/runs/terms.ts';
import { storeHome } from '../../app/world/store.ts';
import { keepModulesOf } from '../../app/stages/kept-module.ts';
import { oneLine } from '../../protocol/plain-text.ts';
import { chosenToo } from '../../app/library/wanted-definition.ts';
import { runTitle } from '../../app/runs/run-title.ts';

/** `troupe fork RUN --at STEP`: a new run that goes on from a record of another, with its conversations and files. */
export async function forkCommand(invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  if (flag(invocation, 'detach')) {
    const run = await startDetached(invocation, storeHome(terminal));
    terminal.stdout.write(flag(invocation, 'json') ? `${JSON.stringify({ kind: 'run.forked', run })}\n` : `${run}\n`);
    return EXIT.ok;
  }
  try {
    return await withRun(invocation, (driving, { run }) => forkHere(driving, run), 'drive');
  } catch (error) {
    reportRefused(terminal, error);
    throw error;
  }
}

async function forkHere(driving: Driving, from: RunId): Promise<number> {
  const { invocation, host } = driving;
  const at = await stepOf(driving, from);
  const [before, snapshot] = await Promise.all([host.definition(from), host.snapshot(from)]);
  const definition = withOverrides(driving, before);
  const input = inputOf(invocation, definition, snapshot);
  await checkModels(definition, driving.actors, snapshot.limits);
  await requireFiles(driving, snapshot, at);
  const terms = changedTerms(driving, snapshot.terms);
  const changed = { ...(definition === before ? {} : { definition }), ...(terms === undefined ? {} : { terms }) };
  const tell = listOption(invocation, 'tell').map(wordsFor);
  const title = titleOf(invocation, { ...snapshot.input, ...input }, input);
  const run = await host.fork(from, { at, input, ...changed, ...title, tell, by: personName() });
  // What belongs to the same step comes along, so it may leave the run a little later than was said.
  tellForked(invocation, run, { ...((await host.snapshot(run)).forkedFrom ?? { run: from, seq: at }), asked: at });
  keepModulesOf(driving.store.home, rootRun(from), run);
  driving.quests.touched(run);
  driving.followers.touched(run);
  if (invocation.options['run'] === false) {
    reportStarted(invocation.terminal, run);
    return EXIT.ok;
  }
  return await printAndDrive(driving, run, async () => {
    await host.resume(run, resumeOptions(driving, snapshot.terms));
    reportStarted(invocation.terminal, run);
    return run;
  });
}

async function stepOf({ invocation, store }: Driving, run: RunId): Promise<number> {
  const text = textOption(invocation, 'at');
  if (text !== undefined) return stepOption(await store.journal.read(run), text);
  throw new Fault('USAGE', 'Say at which step the fork leaves the run: --at STEP', {
    hint: `A record's number, a state, stage or phase, with its visit such as coder#2, or start. See: troupe show ${run}`,
  });
}

/** `AGENT=TEXT`. */
function wordsFor(given: string): { readonly agent: string; readonly text: string } {
  const cut = given.indexOf('=');
  const [agent, text] = [given.slice(0, cut).trim(), given.slice(cut + 1)];
  if (cut > 0 && agent !== '' && text.trim() !== '') return { agent, text };
  throw new Fault(
    'USAGE',
    `--tell needs an agent and what it is told, as in --tell coder="Use tabs"; it is "${given}".`,
  );
}

/** Only what was given anew; the rest stays as the run had it. */
function inputOf(invocation: Invocation, { workflow }: Definition, snapshot: Snapshot): JsonObject {
  const given = Object.fromEntries(listOption(invocation, 'input').map(fieldOf));
  const checked = valueOrFault(checkInput(workflow, { ...snapshot.input, ...given }), 'INPUT_INVALID');
  const input = Object.fromEntries(Object.entries(checked).filter(([name]) => Object.hasOwn(given, name)));
  refuseEmpty(input, workflow);
  return input;
}

/** With another input it is about something else; without, its title says where it comes from. */
function titleOf(invocation: Invocation, whole: JsonObject, given: JsonObject): { readonly title?: string } {
  const title = textOption(invocation, 'title') ?? (Object.keys(given).length === 0 ? undefined : runTitle(whole));
  return title === undefined ? {} : { title: oneLine(title, 100) };
}

/** The same one where nothing else was asked for. */
function withOverrides({ project, actors, wishes }: Driving, definition: Definition): Definition {
  const { overrides, cast } = actors;
  const modelled = Object.keys(overrides).length === 0 ? definition : withModels(definition, project.config, overrides);
  const whole = withActors(modelled, cast);
  return whole === definition ? definition : { ...whole, chosen: chosenToo(definition.chosen, { actors, wishes }) };
}

async function requireFiles({ store, world }: Driving, { run, files, project }: Snapshot, at: number): Promise<void> {
  if (files === null) return;
  const then = await findFiles(store.journal, run, at);
  const trees = [...then.workspaces.keys()].map((name) => treeOf(then, name));
  await requireTrees(await world.workspaces.store(project), run, [files.tree, ...trees]);
}

interface Fork {
  readonly run: RunId;
  readonly seq: number;
  /** The record that was asked for. */
  readonly asked: number;
}

function tellForked({ terminal, options }: Invocation, run: RunId, { asked, ...from }: Fork): void {
  const isOver = options['run'] === false;
  if (options['json'] === true) terminal.stdout.write(`${JSON.stringify({ kind: 'run.forked', run, from })}\n`);
  else if (isOver) terminal.stdout.write(`${run}\n`);
  if (options['json'] !== true) {
    const goOn = isOver ? ` Go on with: troupe resume ${run}` : '';
    const why = movedText(asked, from.seq);
    terminal.stderr.write(`Forked run ${from.run} at record ${from.seq} as ${run}.${why}${goOn}\n`);
  }
}
