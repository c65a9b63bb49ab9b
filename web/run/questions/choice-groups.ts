import { MAIN_WORKSPACE, workspaceScope } from '../../../src/core/model/workspace-name.ts';
import { runId } from '../../../src/core/model/ids.ts';
import type { ChoiceDetail } from '../../../src/core/record/question-fact.ts';
import type { QuestionView } from '../../../src/protocol/question-view.ts';

/** The choices about one candidate, with what is known of it. */
export interface ChoiceGroup {
  /** As the run that asks names it. */
  readonly workspace: string | undefined;
  readonly description: string;
  readonly choices: readonly [ChoiceDetail, ...ChoiceDetail[]];
}

interface ChoiceGroups {
  readonly cards: readonly ChoiceGroup[];
  /** Those of which no more is known than the answer. */
  readonly plain: readonly ChoiceDetail[];
}

/** The name of a workspace in the whole tree: one that a run below names is its own. */
export function workspaceIn(asking: string, workspace: string): string {
  const scope = workspaceScope(runId(asking));
  return workspace === MAIN_WORKSPACE || workspace.startsWith(scope) ? workspace : `${scope}${workspace}`;
}

/** Each candidate is on one card, although it can be chosen in several ways. */
export function choiceGroups({
  choices,
  choiceDetails,
}: Pick<QuestionView, 'choices' | 'choiceDetails'>): ChoiceGroups {
  const details: readonly ChoiceDetail[] = choiceDetails ?? choices.map((answer) => ({ answer }));
  const plain = details.filter(({ description, workspace }) => description === undefined && workspace === undefined);
  const described = details.filter((detail) => !plain.includes(detail));
  const groups = Map.groupBy(described, ({ workspace, answer }) => workspace ?? `answer ${answer}`);
  const cards = [...groups.values()].flatMap(([first, ...others]) =>
    first === undefined
      ? []
      : [
          {
            workspace: first.workspace,
            description: first.description ?? '',
            choices: [first, ...others] as const,
          },
        ],
  );
  return { cards, plain };
}
