import type { Json } from '../../../core/model/json.ts';
import { partProblems, plannedSteps, type PlannedStep } from './plan-problems.ts';
import { problemLine, problemList, uncorrectedText } from './quest-texts.ts';
import { countTry, giveUpStep, topOf, type StepMatter, type StepMove, type StepState } from './step-state.ts';

/** A split step with the answer to its caller; or why it cannot be split like this. */
export type Split =
  | { readonly kind: 'split'; readonly state: StepState; readonly summary: string }
  | { readonly kind: 'refused'; readonly move: StepMove };

export function splitStep(matter: StepMatter, plan: Json): Split {
  const { table, input, state } = matter;
  const { id } = input.step;
  const steps = plannedSteps(plan);
  const { parts: mostParts, splits: mostSplits } = table.limits;
  const taken = state.parts.map((part) => part.id);
  const problems = partProblems(steps, { id, taken, mostParts, mostSplits });
  if (problems.length > 0) return { kind: 'refused', move: tellBack(matter, problems) };
  const named = steps.map((step) => `${step.id} (${step.title})`).join(', ');
  return {
    kind: 'split',
    state: { ...state, expects: expectedWithout(state, steps), parts: [...state.parts, ...partsOf(id, steps)] },
    summary: `These parts are taken over by others, so leave them: ${named}`,
  };
}

/** The whole step is checked when its parts are done, so the last of them is. */
function expectedWithout({ expects }: StepState, steps: readonly PlannedStep[]): StepState['expects'] {
  const taken = new Set(steps.flatMap(({ files }) => files));
  return {
    files: expects.files.filter((file) => !taken.has(file)),
    commands: steps.length === 0 ? expects.commands : [],
  };
}

const partsOf = (step: string, steps: readonly PlannedStep[]): StepState['parts'] =>
  steps.map((part) => ({
    ...part,
    id: `${step}.${part.id}`,
    part_of: step,
    after: part.after.map((other) => `${step}.${other}`),
  }));

function tellBack({ table, input, state }: StepMatter, problems: readonly string[]): StepMove {
  const now = countTry(state, 'told');
  const { role, tries } = topOf(now);
  const most = table.limits.corrections;
  if ((tries['told'] ?? 0) > most) {
    const message = `it cannot be split like this. ${problemLine(problems)} ${uncorrectedText(role, most)}`;
    return giveUpStep({ table, input, state: now }, { code: 'BAD_PLAN', message });
  }
  const say = `These parts cannot be carried out:\n- ${problemList(problems)}\nCorrect this and hand in all of them again with \`plan_steps\`.`;
  return { to: role, state: { ...now, say } };
}
