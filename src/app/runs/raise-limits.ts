import type { LimitName } from '../../core/fact.ts';
import { Fault } from '../../core/fault.ts';
import { runId, type RunId } from '../../core/ids.ts';
import type { Limits } from '../../core/workflow.ts';
import { LIMIT_FLAGS } from '../../protocol/limit-flags.ts';
import type { Session } from './session.ts';
import { runPicture } from './run-picture.ts';
import { limitOf } from '../../protocol/limit-of.ts';
import type { Store } from '../world/store.ts';

export interface Raise {
  readonly of: RunId;
  readonly limit: LimitName;
  readonly allowed: number;
}

/** For the run itself, and for the child below it that met the limit. */
export async function raisesOf({ journal }: Store, run: RunId, limits: Partial<Limits>): Promise<readonly Raise[]> {
  const entries = Object.entries(limits) as readonly [LimitName, number][];
  if (entries.length === 0) return [];
  const { questions } = await runPicture(journal, run, null);
  const stuckAt = (limit: LimitName): readonly RunId[] =>
    questions.filter((question) => limitOf(question) === limit).map((question) => runId(question.run));
  // The limit that holds the run back comes last: once it is raised the run goes on, perhaps to its end.
  return entries
    .toSorted(([one], [other]) => stuckAt(one).length - stuckAt(other).length)
    .flatMap(([limit, allowed]) => [...new Set([run, ...stuckAt(limit)])].map((of) => ({ of, limit, allowed })));
}

/** The engine passes over a limit that is no higher than the one that holds; a person should know. */
export async function refuseLower({ host, store }: Session, run: RunId, limits: Partial<Limits>): Promise<void> {
  const raises = await raisesOf(store, run, limits);
  const present = await Promise.all(raises.map(async ({ of, limit }) => (await host.snapshot(of)).limits[limit] ?? 0));
  for (const [limit, allowed] of Object.entries(limits) as readonly [LimitName, number][]) {
    const held = present.filter((_, index) => raises[index]?.limit === limit);
    if (held.some((value) => value < allowed)) continue;
    const lowest = Math.min(...held);
    throw new Fault(
      'LIMIT_NOT_RAISED',
      `${flagOf(limit)} is ${shown(limit, lowest)} for run ${run}; ${shown(limit, allowed)} does not raise it.`,
      {
        hint: 'A limit can only be raised. Give a higher one, or none to keep it.',
        facts: { limit, present: lowest, given: allowed },
      },
    );
  }
}

const flagOf = (limit: LimitName): string => LIMIT_FLAGS[limit].split(' ')[0] ?? limit;

/** In the unit of the flag. */
const shown = (limit: LimitName, value: number): string => String(limit === 'durationMs' ? value / 1000 : value);
