import type { QuestionView } from './question-view.ts';
import { plainText } from './plain-text.ts';
import { quotedWord } from './quoted-words.ts';

type Asked = Pick<QuestionView, 'kind' | 'choices'>;

/** The possible answers. A limit also takes a new value. */
export function answerChoices({ kind, choices }: Asked): readonly string[] {
  const shown = choices.map((choice) => plainText(choice));
  return kind === 'limit' ? [...shown, 'a higher limit'] : shown;
}

/** What the workflow says about its choices, a line each; no lines where it says nothing. */
export function choiceLines({ choiceDetails = [] }: Pick<QuestionView, 'choiceDetails'>): readonly string[] {
  return choiceDetails.flatMap(({ answer, label = '', description = '' }, place) => {
    const isRepeated = description === choiceDetails[place + 1]?.description;
    const about = isRepeated || description === '' ? [] : description.replaceAll('**', '').split('\n');
    return [label === '' ? answer : `${answer}: ${label}`, ...about.map((line) => `  ${line}`)];
  });
}

/** The end of a command that answers, to be copied into a shell as it is: the first choice, and the others as a remark. */
export function answerWords(asked: Asked): string {
  const [first, ...others] = answerChoices(asked);
  if (first === undefined) return 'TEXT';
  return others.length === 0 ? quotedWord(first) : `${quotedWord(first)}   # or: ${others.join(', ')}`;
}
