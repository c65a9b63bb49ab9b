import type { Json } from '../../../src/core/json.ts';
import type { PageRecord, RecordPage } from '../../../src/protocol/web/record-page.ts';
import type { QuestionView } from '../../../src/protocol/question-view.ts';
import { api, runPath } from '../../api/client.ts';

/** So far back from the newest record an answer is looked for. */
const LATEST = 1000;

/** Who was first, in a sentence; null where the journal does not say. */
export async function whoAnswered(question: QuestionView): Promise<string | null> {
  const path = runPath(question.run, '/records');
  const { seq } = await api.get<RecordPage>(path, { limit: 1 });
  const { records } = await api.get<RecordPage>(path, { after: Math.max(0, seq - LATEST), limit: LATEST });
  return answerIn(records, question);
}

export function answerIn(records: readonly PageRecord[], question: QuestionView): string | null {
  const id = ownId(question);
  for (const { record } of records.toReversed()) {
    const { fact } = record;
    if (fact.kind === 'question.answered' && fact.question === id)
      return `${fact.by} answered first: ${answerText(fact.answer)}`;
  }
  return null;
}

/** As the run that asks calls it: without the way down that its name has, seen from above. */
function ownId({ id, name }: QuestionView): string {
  const way = name.slice(0, name.lastIndexOf('/') + 1);
  return id.startsWith(way) ? id.slice(way.length) : id;
}

const answerText = (answer: Json): string => (typeof answer === 'string' ? answer : JSON.stringify(answer));
