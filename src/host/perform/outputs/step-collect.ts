import type { OwedOutput } from '../../../core/record/artifact-fact.ts';
import type { Json, JsonObject } from '../../../core/model/json.ts';
import { rootOf } from '../files/places.ts';
import { checkContent } from './check-content.ts';
import { collectOutputs, keptFiles } from './collect-outputs.ts';
import { checkCriteria, type CriterionResult } from './criteria.ts';
import type { EngineProgram } from '../../world.ts';
import { inPlace } from '../commands/in-place.ts';
import { treeEntries } from './journal-tree.ts';
import { KnownArtifacts } from './known-artifacts.ts';
import { problemsAnswer, type OutputProblem } from './output-problem.ts';
import { stepActions } from './step-actions.ts';
import { ORCHESTRATOR, StepMessages } from './step-messages.ts';
import { programInput } from '../commands/program-input.ts';
import { collectSchema } from './step-input.ts';
import { recordArtifacts, type RecordedOutput } from './record-artifacts.ts';

/**
 * `step.collect`: checks what a phase owes (L4). If everything exists and is valid, each file becomes an artifact. Otherwise
 * returns all problems as text for the agent, and nothing is recorded.
 */
export const stepCollect: EngineProgram = async (context, effect) => {
  const input = programInput(collectSchema, effect);
  const { phase, agent } = input;
  return await inPlace(context, effect, async (held) => {
    const records = await treeEntries(context.world.journal, rootOf(context.run));
    const known = new KnownArtifacts(records);
    const kept = await keptFiles(context, held, input.since);
    const actions = stepActions(records, context.run, context.world);
    const { outputs, problems } = await collectOutputs(input.outputs, { held, kept, actions });
    const { content, problems: invalid } = await checkContent(held.workspace.folder, outputs);
    const { criteria: texts, dependencies } = input;
    const criteria = await checkCriteria(context, { effect, held, agent, criteria: texts, dependencies, known });
    const all = [...problems, ...invalid, ...criteria.flatMap(failedCriterion)];
    if (all.length > 0) return problemsAnswer(phase, all);
    const recorded = await recordArtifacts(context, { effect, input, held, outputs, kept, known, records });
    const messages = new StepMessages(context, effect);
    const artifacts = recorded.outputs.map(({ fact }) => fact.artifact.path);
    const result = messages.bus({
      type: 'result',
      sender: agent,
      receiver: ORCHESTRATOR,
      payload: { status: 'success', artifacts, criteria: criteria.map(toJson) },
      correlationId: messages.correlationId(phase),
    });
    const facts = [...recorded.outputs.map(({ fact }) => fact), ...recorded.others, result];
    const output = {
      output: valuesOf(input.outputs, recorded.outputs),
      content,
      artifacts: recorded.outputs.map(artifactJson),
      // Artifacts of others that this phase changed without owing them.
      others: recorded.others.map(({ artifact: { id, path, hash, type } }) => ({ id, path, hash, type })),
      criteria: criteria.map(toJson),
    };
    return { output, facts };
  });
};

function failedCriterion({ text, held, why = '' }: CriterionResult): readonly OutputProblem[] {
  return held === false ? [{ code: 'CRITERIA_FAILED', name: text, path: null, why }] : [];
}

/** A path for a single file, a list for an output that may have several; a name owed by several patterns is one list. */
function valuesOf(owed: readonly OwedOutput[], recorded: readonly RecordedOutput[]): JsonObject {
  const values: Record<string, Json> = {};
  for (const [name, group] of Map.groupBy(owed, (one) => one.name)) {
    const paths = [...new Set(recorded.filter((one) => one.owed.name === name).map(({ fact }) => fact.artifact.path))];
    values[name] = group.length === 1 && group[0]?.form === 'file' ? (paths[0] ?? null) : paths;
  }
  return values;
}

function artifactJson({ owed, fact }: RecordedOutput): JsonObject {
  const { id, name, path, hash, type } = fact.artifact;
  return { id, name, form: owed.form, path, hash, type };
}

const toJson = (result: CriterionResult): JsonObject => ({ ...result });
