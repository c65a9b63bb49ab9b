import { rootRunId, type RunId } from '../../core/model/ids.ts';
import type { JsonObject } from '../../core/model/json.ts';
import type { Definition } from '../../core/model/definition.ts';
import type { Snapshot } from '../../core/fold/snapshot.ts';
import { checkInput } from '../../formats/check-input.ts';
import { valueOrFault } from '../../source/checked.ts';
import { findFiles, treeOf } from '../../host/deliver/find-files.ts';
import { requireTrees } from '../../host/deliver/kept-trees.ts';
import { oneLine } from '../../protocol/plain-text.ts';
import { checkModels } from '../library/check-models.ts';
import { adaptDefinition, mergeChoices } from '../library/wanted-definition.ts';
import type { ForkOptions } from '../../host/port.ts';
import { toolsOfRun } from '../../host/embedded/run-tools.ts';
import { needsOf } from '../workers/needs.ts';
import { stepOption } from './find-run.ts';
import { keepCode } from '../../formats/registry/app.ts';
import { refuseEmpty, refuseUnfit, runTitle } from './run-input.ts';
import { queueRun } from './queue-run.ts';
import type { Session } from './session.ts';
import type { Begin } from './going-on.ts';
import { changedTerms, resumeOptions } from './terms.ts';

export interface ForkRequest {
  /** A record's number, a state, stage or phase, with its visit such as coder#2, or start. */
  readonly at: string;
  /** Inputs that are different from what they were. */
  readonly input?: JsonObject;
  readonly title?: string;
  /** Messages that its agents get first. */
  readonly tell?: readonly { readonly agent: string; readonly text: string }[];
}

export interface ForkedRun extends Begin {
  readonly from: { readonly run: RunId; readonly seq: number };
  /** The record that was asked for: what belongs to the same step comes along, so the fork may leave the run a little later. */
  readonly asked: number;
}

/** A new run that goes on from a record of another, with its conversations and files. */
export async function forkRun(session: Session, from: RunId, request: ForkRequest): Promise<ForkedRun> {
  const { host, store, by } = session;
  const at = stepOption(await store.journal.read(from), request.at);
  const [before, snapshot] = await Promise.all([host.definition(from), host.snapshot(from)]);
  const definition = withOverrides(session, before);
  const input = await inputOf(request, definition, snapshot);
  await checkModels(definition, session.actors, snapshot.limits);
  await requireFiles(session, snapshot, at);
  const terms = changedTerms(session, snapshot.terms);
  const changed = { ...(definition === before ? {} : { definition }), ...(terms === undefined ? {} : { terms }) };
  const isSame = definition === before && session.wishes.labels === undefined;
  const needs = await changedNeeds(session, from, isSame ? null : definition);
  const title = titleOf(request, { ...snapshot.input, ...input }, input);
  const run = await host.fork(from, { at, input, ...changed, ...needs, ...title, tell: request.tell ?? [], by });
  keepCode(store.home, rootRunId(from), run);
  session.familyFiles.touched(run);
  session.followers.touched(run);
  const { isLeftToWorkers } = session;
  const begin = async (): Promise<null> => {
    if (isLeftToWorkers) await queueRun(session, run);
    else await host.resume(run, resumeOptions(session, snapshot.terms));
    return null;
  };
  const left = (await host.snapshot(run)).forkedFrom ?? { run: from, seq: at };
  return { kind: isLeftToWorkers ? 'queued' : 'here', run, begin, from: left, asked: at };
}

/** What a worker must offer for a changed definition or changed labels; undefined without workers. */
export async function changedNeeds(
  { host, world, project, wishes, isLeftToWorkers }: NeedsSession,
  run: RunId,
  definition: Definition | null,
): Promise<Pick<ForkOptions, 'needs'>> {
  if (!isLeftToWorkers || definition === null) return {};
  const { terms, tools: recorded } = await host.snapshot(run);
  const tools = await toolsOfRun(world, recorded);
  return { needs: needsOf(definition, project.config, { labels: wishes.labels ?? terms.labels, tools }) };
}

type NeedsSession = Pick<Session, 'host' | 'world' | 'project' | 'wishes' | 'isLeftToWorkers'>;

/** Only the replaced inputs; the rest stays as the run had it. */
async function inputOf(
  { input: given = {} }: ForkRequest,
  { workflow }: Definition,
  snapshot: Snapshot,
): Promise<JsonObject> {
  const checked = valueOrFault(checkInput(workflow, { ...snapshot.input, ...given }), 'INPUT_INVALID');
  const input = Object.fromEntries(Object.entries(checked).filter(([name]) => Object.hasOwn(given, name)));
  refuseEmpty(input, workflow);
  await refuseUnfit(input, workflow);
  return input;
}

/** With a different input it is about something else; without, its title says where it comes from. */
function titleOf({ title }: ForkRequest, whole: JsonObject, given: JsonObject): { readonly title?: string } {
  const named = title ?? (Object.keys(given).length === 0 ? undefined : runTitle(whole));
  return named === undefined ? {} : { title: oneLine(named, 100) };
}

/** The same one where nothing else was asked for. */
function withOverrides({ project, actors, wishes }: Session, definition: Definition): Definition {
  const { overrides: models, cast } = actors;
  const isSame = cast.others === null && [models, cast.byName].every((one) => Object.keys(one).length === 0);
  if (isSame) return definition;
  // It tries again as the run did until then.
  const whole = adaptDefinition(definition, { ...project.config, retry: {} }, { models, actors: cast });
  return { ...whole, chosen: mergeChoices(definition.chosen, { actors, wishes }) };
}

async function requireFiles({ store, world }: Session, { run, files, project }: Snapshot, at: number): Promise<void> {
  if (files === null) return;
  const then = await findFiles(store.journal, run, at);
  const trees = [...then.workspaces.keys()].map((name) => treeOf(then, name));
  await requireTrees(await world.workspaces.store(project), run, [files.tree, ...trees]);
}
