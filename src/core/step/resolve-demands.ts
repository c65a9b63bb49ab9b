import { ARTIFACT_TYPES, type ArtifactType, type OwedOutput } from '../record/artifact-fact.ts';
import type { Evaluated } from '../evaluate/evaluation.ts';
import type { ResolvedWork } from '../record/task-fact.ts';
import { treeId } from '../model/ids.ts';
import { isJsonObject, type Json } from '../model/json.ts';
import type { StepProgress } from './progress.ts';
import { map, textValue, texts, value } from './resolve-value.ts';
import type { WorkPlace } from './start-task.ts';
import type { TurnWork } from '../model/workflow.ts';

export type TurnDemands = Pick<
  Extract<ResolvedWork, { kind: 'turn' }>,
  'step' | 'evidence' | 'outputs' | 'changes' | 'reply' | 'replyWords' | 'check' | 'allowed'
>;

/** The step the agent speaks for, and what must be checked before its reply is accepted. */
export function resolveDemands(progress: StepProgress, work: TurnWork, place: WorkPlace): Evaluated<TurnDemands> {
  const demands: TurnDemands = {};
  for (const resolvePart of PARTS) {
    const part = resolvePart(progress, work, place);
    if (part.kind !== 'value') return part;
    if (part !== NONE) Object.assign(demands, part.value);
  }
  return { kind: 'value', value: demands };
}

type Part = (progress: StepProgress, work: TurnWork, place: WorkPlace) => Evaluated<TurnDemands>;

const NONE: Evaluated<TurnDemands> = { kind: 'value', value: {} };
const at = (place: WorkPlace, key: string): WorkPlace => ({ ...place, key: `${place.key}/${key}` });

const stepOf: Part = (progress, { step }, place) =>
  step === undefined ? NONE : map(textValue(progress, step, at(place, 'step')), (id) => ({ step: id }));

const evidenceOf: Part = (progress, { evidence }, place) => {
  if (evidence === undefined) return NONE;
  const files = texts(progress, evidence.files, at(place, 'files'));
  if (files.kind !== 'value') return files;
  return map(texts(progress, evidence.commands, at(place, 'commands')), (commands) => ({
    evidence: { files: files.value, commands },
  }));
};

const outputsOf: Part = (progress, { outputs }, place) =>
  outputs === undefined
    ? NONE
    : map(value(progress, outputs, at(place, 'outputs')), (list) => ({
        outputs: Array.isArray(list) ? list.flatMap(owed) : [],
      }));

const allowedOf: Part = (progress, work, place) => {
  if (work.allowed === undefined) return NONE;
  const allowed: Record<string, readonly string[]> = {};
  for (const [name, values] of Object.entries(work.allowed)) {
    const found = texts(progress, values, at(place, `allowed/${name}`));
    if (found.kind !== 'value') return found;
    allowed[name] = found.value;
  }
  return { kind: 'value', value: { allowed } };
};

/** Nothing if this turn need not change files. */
const changesOf: Part = (progress, { changes }, place) => {
  if (changes === undefined) return NONE;
  const { when, since, ...rest } = changes;
  const isWanted: Evaluated<Json> =
    when === undefined ? { kind: 'value', value: true } : value(progress, when, at(place, 'when'));
  if (isWanted.kind !== 'value') return isWanted;
  if (isFalsy(isWanted.value)) return NONE;
  if (since === undefined) return { kind: 'value', value: { changes: rest } };
  return map(value(progress, since, at(place, 'since')), (tree) => ({
    changes: typeof tree === 'string' ? { ...rest, since: treeId(tree) } : rest,
  }));
};

const isFalsy = (found: Json): boolean => found === null || found === false || found === '' || found === 0;

/** In this order: each may wait for the isolate. */
const PARTS: readonly Part[] = [stepOf, evidenceOf, outputsOf, allowedOf, changesOf];

/** Made by the engine's own lowering: entries that do not fit are left out, and missed when outputs are collected. */
function owed(given: Json): readonly OwedOutput[] {
  if (!isJsonObject(given)) return [];
  const { name, form, path, type, since } = given;
  if (typeof name !== 'string' || (form !== 'file' && form !== 'files' && form !== 'changed')) return [];
  const known = ARTIFACT_TYPES.find((one) => one === type) ?? ('data' satisfies ArtifactType);
  const from = typeof since === 'string' ? { since: treeId(since) } : {};
  return [{ name, form, path: typeof path === 'string' ? path : null, type: known, ...from }];
}
