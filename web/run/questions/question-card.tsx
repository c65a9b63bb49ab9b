import type { ReactNode } from 'react';
import { useTree } from '../../model/use-run.ts';
import { Time } from '../../ui/figures.tsx';
import { visibleText } from '../../ui/text.tsx';
import { useShortcut } from '../../ui/shortcuts.ts';
import { areSameQuestions, meanwhile, treeQuestions } from './tree-questions.ts';
import { QuestionForm } from './question-form.tsx';

/** On top of a run: what it asks, and what goes on while it waits. */
export function QuestionCard(): ReactNode {
  const root = useTree((tree) => tree.root);
  const questions = useTree(treeQuestions, areSameQuestions);
  const goesOn = useTree(meanwhile);
  useShortcut('a', 'Answer the question', questions.length === 0 ? null : focusAnswer);
  if (questions.length === 0) return null;
  return (
    <section
      aria-label="Questions of this run"
      className="shrink-0 border-b border-line bg-warn-soft md:max-h-[45vh] md:overflow-y-auto"
    >
      {questions.map((question, place) => (
        <article key={`${question.run} ${question.id}`} className="border-line px-4 py-2.5 not-first:border-t">
          <p className="mb-1 flex flex-wrap gap-x-2 text-sm text-muted">
            <span className="font-medium text-warn">This run needs you</span>
            <span className="font-mono">{visibleText(question.name)}</span>
            <span>in {visibleText(question.state)}</span>
            <Time at={question.at} />
            {place === 0 && <span>{goesOn}</span>}
          </p>
          <QuestionForm run={root} question={question} />
        </article>
      ))}
    </section>
  );
}

function focusAnswer(): void {
  const find = (what: string): HTMLElement | null => document.querySelector(`[data-question] ${what}`);
  (find('textarea') ?? find('button'))?.focus();
}
