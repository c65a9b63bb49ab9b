import type { QuestionView } from '../../protocol/question-view.ts';
import { plainText } from '../../protocol/plain-text.ts';
import type { Terminal } from '../terminal/terminal.ts';

/**
 * Asks for the answer to what stands above already; null when the person would rather not answer now. The prompts are loaded
 * only here.
 */
export async function askPerson(
  question: QuestionView,
  terminal: Terminal,
  signal?: AbortSignal,
): Promise<string | null> {
  const prompts = await import('@clack/prompts');
  const common = {
    message: question.kind === 'limit' ? 'Go on?' : `Your answer to ${question.name}`,
    input: terminal.stdin,
    output: terminal.stderr,
    ...(signal === undefined ? {} : { signal }),
  };
  const answer =
    question.choices.length > 0
      ? await prompts.select({
          ...common,
          options: question.choices.map((choice) => ({
            value: choice,
            label: plainText(choice),
            ...hintOf(question, choice),
          })),
        })
      : await prompts.text(common);
  return prompts.isCancel(answer) ? null : (answer ?? '');
}

function hintOf({ choiceDetails = [] }: QuestionView, choice: string): { readonly hint?: string } {
  const label = choiceDetails.find(({ answer }) => answer === choice)?.label;
  return label === undefined ? {} : { hint: plainText(label) };
}
