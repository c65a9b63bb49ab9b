import type { ChoiceDetail } from '../../../src/core/record/question-fact.ts';
import type { QuestionView } from '../../../src/protocol/question-view.ts';

/** The choices about one candidate, with what is known of it. */
export interface ChoiceGroup {
  readonly workspace: string | undefined;
  readonly description: string;
  readonly choices: readonly [ChoiceDetail, ...ChoiceDetail[]];
}

interface ChoiceGroups {
  readonly cards: readonly ChoiceGroup[];
  /** Those of which no more is known than the answer. */
  readonly plain: readonly ChoiceDetail[];
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
