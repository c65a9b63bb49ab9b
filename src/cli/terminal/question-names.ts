import type { Fact, JournalRecord } from '../../core/record/fact.ts';
import { permissionQuestion } from '../../core/step/turn/permit.ts';
import { limitQuestion, numberedName } from '../../core/record/question-name.ts';

/** The short names of the questions of a run and of those below it, as its records come. */
export class QuestionNames {
  readonly #asked = new Map<string, string[]>();

  /** The name of the question that this record asks, within its run; null when it asks none. */
  learn(run: string, { fact, seq }: JournalRecord): string | null {
    const id = askedIn(fact, seq);
    if (id === null) return null;
    const asked = this.#asked.get(run) ?? [];
    this.#asked.set(run, asked);
    return numberedName(asked.push(id));
  }

  of(run: string, id: string): string | null {
    const place = this.#asked.get(run)?.lastIndexOf(id) ?? -1;
    return place < 0 ? null : numberedName(place + 1);
  }
}

function askedIn(fact: Fact, seq: number): string | null {
  switch (fact.kind) {
    case 'task.started':
      return fact.work.kind === 'ask' ? fact.task : null;
    case 'permission.asked':
      return permissionQuestion(fact.task, fact.toolCall);
    case 'limit.reached':
      return fact.isOfParent === true ? null : limitQuestion({ limit: fact.limit, seq });
    default:
      return null;
  }
}
