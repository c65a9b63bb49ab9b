import { taskToLookAt } from '../../core/step/approval.ts';
import { foldRecords } from '../../core/fold/fold.ts';
import type { TreeId } from '../../core/model/ids.ts';
import type { FileMarks, QuestionAnswered } from '../../core/record/question-fact.ts';
import type { Definition } from '../../core/model/definition.ts';
import type { Snapshot } from '../../core/fold/snapshot.ts';
import type { Batch, Lease } from '../../journal/port.ts';
import { askedWorkspaces } from '../perform/files/asked-files.ts';
import { Places } from '../perform/files/places.ts';
import type { World } from '../world.ts';
import { batchOf } from './batch.ts';
import type { DefinitionStore } from './definition-store.ts';
import { outgoing } from './outgoing.ts';
import { redactedStep } from './redacted-step.ts';
import { announcedOf } from './unbegun.ts';

export interface NotedAnswer {
  /** False if the question was already closed. */
  readonly isTaken: boolean;
  readonly snapshot: Snapshot | undefined;
  readonly records: Batch['records'];
}

/**
 * Records an answer to a run that this process holds but does not drive, together with the work that it leads to, which the
 * next driver starts. Null if only a driver can decide: older messages wait in the inbox, or a workspace must be opened to
 * read the approved files ([V3]).
 */
export async function noteAnswer(
  world: World,
  definitions: DefinitionStore,
  { lease, answer }: { readonly lease: Lease; readonly answer: QuestionAnswered },
): Promise<NotedAnswer | null> {
  const { journal, clock, secrets } = world;
  const { run } = lease;
  if ((await journal.inbox(run)).length > 0) return null;
  const before = foldRecords(await journal.read(run));
  const definition = await definitions.load(before);
  const files = await filesNow(world, { snapshot: before, definition, answer });
  if (files === null) return null;
  const event = files === undefined ? answer : { ...answer, files };
  const at = Math.max(before.at, clock.now());
  const { facts, effects, snapshot } = redactedStep(secrets, definition, { snapshot: before, event, at });
  const unbegun = effects.flatMap((effect) => announcedOf(effect) ?? []);
  const marked = facts.map((fact) =>
    fact.kind === 'question.answered' && unbegun.length > 0 ? { ...fact, unbegun } : fact,
  );
  const sends = outgoing({ before, after: snapshot, facts, effects });
  const batch = batchOf(marked, { after: before.seq, snapshot, sends });
  if (facts.length > 0) await journal.append(lease, batch);
  return { isTaken: facts.length > 0, snapshot, records: batch.records };
}

/** Undefined if the answer is about no files; null if their workspace must be opened first. */
async function filesNow(
  world: World,
  { snapshot, definition, answer }: Approval,
): Promise<FileMarks | undefined | null> {
  const task = taskToLookAt(snapshot, answer)?.id;
  if (task === undefined || !world.workspaces.keepsFiles) return undefined;
  const places = new Places(world);
  const files: Record<string, TreeId> = {};
  for (const name of askedWorkspaces({ snapshot, definition }, task)) {
    const request = { name, from: snapshot.workspace, task };
    const tree = await places.unchanged({ world, run: snapshot.run, snapshot }, request);
    if (tree === null) return null;
    files[name] = tree;
  }
  return files;
}

interface Approval {
  readonly snapshot: Snapshot;
  readonly definition: Definition;
  readonly answer: QuestionAnswered;
}
