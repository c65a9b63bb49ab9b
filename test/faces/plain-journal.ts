import type { Fact } from '../../src/core/record/fact.ts';
import type { Journal } from '../../src/journal/port.ts';
import type { Sandbox } from '../cli/sandbox.ts';

/** Who did it and when, hashes, and which process it was: different in every run of the same story. */
const OWN = new Set([
  'at',
  'by',
  'via',
  'answerId',
  'seq',
  'startedAt',
  'ms',
  'durationMs',
  'retryAt',
  'sent',
  'session',
  'mark',
  'downMs',
]);

/** The records of each run by the order in which they began, without what is different each time. */
export async function plainJournal(journal: Journal, place: Place): Promise<readonly (readonly string[])[]> {
  const runs = (await journal.runs()).toSorted((a, b) => a.at - b.at);
  const names = new Map(runs.map(({ run }, index) => [run as string, `run-${index + 1}`]));
  return await Promise.all(
    runs.map(async ({ run }) =>
      (await journal.read(run)).map(({ fact }) => {
        const text = JSON.stringify(withoutOwn(fact));
        return plainText(
          [...names].reduce((line, [id, name]) => line.replaceAll(id, name), text),
          place,
        );
      }),
    ),
  );
}

type Place = Pick<Sandbox, 'project' | 'home'>;

const withoutOwn = (fact: Fact): unknown =>
  JSON.parse(JSON.stringify(fact), (key, value: unknown) => (OWN.has(key) ? undefined : value));

const plainText = (text: string, { project, home }: Place): string =>
  text
    .replaceAll(project, '<project>')
    .replaceAll(home, '<home>')
    .replaceAll(/[0-9a-f]{40,64}/g, '<hash>')
    .replaceAll(/call_[0-9a-f]{16}/g, 'call');
