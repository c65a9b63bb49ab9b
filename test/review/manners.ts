import type { CallReply, CallRequest } from '../../src/actors/port.ts';
import type { JsonObject } from '../../src/core/model/json.ts';
import { says } from '../../src/host/testing/test-world.ts';
import { readFindings, readPack } from './read-pack.ts';
import { hands, judgement, knowledge, problemsIn } from './reviewer-mind.ts';

/** Reviewers that do not do what they should. */

const newestOf = ({ messages }: CallRequest): string => messages.findLast(({ role }) => role === 'user')?.content ?? '';

const isDebate = (request: CallRequest): boolean => newestOf(request).includes('hand_in_position');

/** What is judged now, in the order in which it is named. */
function judged(request: CallRequest): readonly string[] {
  const asked = /^- A ranking of (.*), best first/m.exec(newestOf(request))?.[1]?.split(', ');
  return asked ?? readPack(newestOf(request)).map(({ id }) => id);
}

const speak = (request: CallRequest, said: JsonObject, stances: readonly JsonObject[]): CallReply =>
  isDebate(request)
    ? hands('hand_in_position', { ranking: judged(request), findings: [], ...said, stances })
    : hands('hand_in_review', { ranking: judged(request), findings: [], summary: 'As I said.', ...said });

const awaited = (request: CallRequest): readonly string[] =>
  readFindings(newestOf(request)).flatMap(({ id, isAwaited }) => (isAwaited ? [id] : []));

/** Has looked at nothing, is for everything. */
export const yesMan = (request: CallRequest): CallReply =>
  speak(
    request,
    { verdict: 'APPROVE' },
    awaited(request).map((finding) => ({ finding, stance: 'agree', reason: 'Sure.' })),
  );

/** Is against everything that others say, and for nothing. */
export const stubborn = (request: CallRequest): CallReply =>
  speak(
    request,
    { verdict: 'REVISE_ALL' },
    awaited(request).map((finding) => ({ finding, stance: 'disagree', reason: 'No.' })),
  );

/** Changes its mind in every round. */
export function fickle(request: CallRequest): CallReply {
  const round = Number(/round (\d+) of at most/.exec(newestOf(request))?.[1] ?? 0);
  const verdict = round % 2 === 0 ? 'REVISE_ALL' : 'APPROVE';
  return speak(
    request,
    { verdict },
    awaited(request).map((finding) => ({ finding, stance: 'disagree', reason: 'No.' })),
  );
}

/** Hands nothing in, and says the same in words. */
export function inProse(given: CallRequest): CallReply {
  // Asked again for a tool it cannot call, it says the same.
  const messages = given.messages.filter(({ content }) => !content.includes('You ended with text'));
  const request: CallRequest = { ...given, messages };
  const heard = request.messages.filter(({ role }) => role === 'user').map(({ content }) => content);
  const asked = judged(request);
  const known = new Map([...knowledge(heard)].filter(([id]) => asked.length === 0 || asked.includes(id)));
  const seen = problemsIn(known, new Set(['mixedCase', 'noChecksum', 'noTests']));
  const { ranking, verdict } = judgement(known, seen);
  const own = isDebate(request)
    ? readFindings(newestOf(request))
        .filter(({ isAwaited }) => isAwaited)
        .map(({ id, claim, implementation }) => {
          const isThere = seen.some((one) => one.implementation === implementation && one.bug.claim === claim);
          return `${id}: ${isThere ? 'agree, I see it' : 'disagree, it is gone'}.`;
        })
    : seen.map(
        ({ implementation, bug, file, line }) =>
          `- ${implementation} ${file === null ? '' : `${file}:${line ?? 1} `}${bug.claim}`,
      );
  return says(
    [`I have looked at all of it.`, ...own, `RANKING: ${ranking.join(' > ')}`, `${verdict}: as I said.`].join('\n'),
  );
}
