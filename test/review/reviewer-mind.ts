import type { CallReply, CallRequest } from '../../src/actors/port.ts';
import type { JsonObject } from '../../src/core/model/json.ts';
import { says } from '../../src/host/testing/test-world.ts';
import { BUGS, type Bug, type BugName, type Known } from './known-bugs.ts';
import { readFindings, readPack, type ShownFinding, type ShownLine } from './read-pack.ts';

/**
 * A reviewer whose every word follows from the diffs it was given: it knows some bugs by sight, looks at the places that others
 * name, and ranks by what it has seen. Nothing is kept between calls; all of it is in the conversation.
 */
export interface ReviewerMind {
  /** The bugs it finds by itself; those of others it sees when they are pointed out. */
  readonly knows: readonly BugName[];
  /** Looks into the files before it hands in its final position. */
  readonly reads?: boolean;
}

export function reviewer(request: CallRequest, mind: ReviewerMind): CallReply {
  const heard = request.messages.filter(({ role }) => role === 'user').map(({ content }) => content);
  const newest = heard.at(-1) ?? '';
  if (mind.reads === true && request.call === 1 && newest.includes('final review') && readPack(newest).length > 0) {
    const [first] = readPack(newest);
    return says('', [{ id: 'look', name: 'read_file', arguments: { path: `${first?.id ?? ''}/src/bech32.ts` } }]);
  }
  const known = judgedNow(knowledge(heard), newest);
  const pointedOut = heard.flatMap(readFindings).flatMap(({ claim }) => bugOf(claim)?.name ?? []);
  const seen = problemsIn(known, new Set([...mind.knows, ...pointedOut]));
  const judged = judgement(known, seen);
  const isDebate = newest.includes('hand_in_position');
  const mine = problemsIn(known, new Set(mind.knows)).filter(({ bug, implementation }) =>
    isDebate ? !isSaid(heard, request, bug, implementation) : true,
  );
  const findings = mine.map(draftOf);
  if (!isDebate) return hands('hand_in_review', { ...judged, findings, summary: summaryOf(seen) });
  const stances = readFindings(newest)
    .filter((finding) => finding.isAwaited)
    .map((finding) => stanceOn(finding, known, newest.includes('final review')));
  return hands('hand_in_position', { ...judged, stances, findings });
}

/** After a revision only those that were chosen are judged. */
function judgedNow(known: ReadonlyMap<string, Known>, newest: string): ReadonlyMap<string, Known> {
  const asked = /^- A ranking of (.*), best first/m.exec(newest)?.[1]?.split(', ');
  return asked === undefined ? known : new Map([...known].filter(([id]) => asked.includes(id)));
}

export const hands = (name: string, given: JsonObject): CallReply => says('', [{ id: name, name, arguments: given }]);

export interface Problem {
  readonly implementation: string;
  readonly bug: Bug;
  readonly file: string | null;
  readonly line: number | null;
}

/** All packs in the order in which they came: a revision takes lines away and brings others. */
export function knowledge(heard: readonly string[]): ReadonlyMap<string, Known> {
  const all = new Map<string, Known>();
  for (const { id, isGreen, files } of heard.flatMap(readPack)) {
    const before = all.get(id) ?? { isGreen: null, files: new Map<string, readonly ShownLine[]>(), gone: [] };
    const now = new Map(before.files);
    for (const [path, { added, removed }] of files) {
      const kept = (now.get(path) ?? []).filter(({ text }) => !removed.includes(text));
      now.set(path, [...kept, ...added]);
    }
    const gone = [...before.gone, ...[...files.values()].flatMap(({ removed }) => removed)];
    all.set(id, { isGreen: isGreen ?? before.isGreen, files: now, gone });
  }
  return all;
}

export function problemsIn(known: ReadonlyMap<string, Known>, names: ReadonlySet<string>): readonly Problem[] {
  return [...known].flatMap(([implementation, one]) =>
    Object.values(BUGS).flatMap((bug: Bug) => {
      const place = names.has(bug.name) ? bug.find(one) : null;
      return place === null ? [] : [{ implementation, bug, ...place }];
    }),
  );
}

/** The fewest and lightest first; red comes last. Whatever is best is approved when nothing is known against it. */
export function judgement(known: ReadonlyMap<string, Known>, seen: readonly Problem[]) {
  const against = (id: string): number =>
    seen.filter(({ implementation }) => implementation === id).reduce((sum, { bug }) => sum + bug.weight, 0) +
    (known.get(id)?.isGreen === false ? 100 : 0);
  const ranking = [...known.keys()].toSorted((one, other) => against(one) - against(other));
  const [best = ''] = ranking;
  return { ranking, verdict: against(best) === 0 ? 'APPROVE' : 'REVISE_BEST' };
}

const summaryOf = (seen: readonly Problem[]): string =>
  seen.length === 0 ? 'I found nothing.' : `I found ${seen.length} points.`;

export const draftOf = ({ implementation, bug, file, line }: Problem): JsonObject => ({
  implementation,
  severity: bug.severity,
  priority: bug.priority,
  file,
  line,
  claim: bug.claim,
  change: bug.change,
});

const bugOf = (claim: string): Bug | undefined => Object.values(BUGS).find((bug: Bug) => bug.claim === claim);

/** Looks at the place that is named, in what it was shown itself. */
function stanceOn(
  { id, implementation, claim }: ShownFinding,
  known: ReadonlyMap<string, Known>,
  isFinal: boolean,
): JsonObject {
  const one = known.get(implementation);
  const place = one === undefined ? null : (bugOf(claim)?.find(one) ?? null);
  return place === null
    ? { finding: id, stance: isFinal ? 'fixed' : 'disagree', reason: 'I do not see it in what I was shown.' }
    : { finding: id, stance: 'agree', reason: `I see it${place.file === null ? '' : ` in ${place.file}`}.` };
}

/** Whether it is in the books already, by its own hand or by another's. */
function isSaid(heard: readonly string[], request: CallRequest, bug: Bug, implementation: string): boolean {
  const own = request.messages.flatMap(({ toolCalls = [] }) => toolCalls).map((call) => JSON.stringify(call.arguments));
  return (
    heard.some((text) => text.includes(bug.claim) && text.includes(implementation)) ||
    own.some((text) => text.includes(bug.claim))
  );
}
