import type { MergeWork, State, Transition } from '../../../core/model/workflow.ts';
import { code, endState, to, workState } from '../../../source/model-parts.ts';
import { HYBRID, type ReviewPlan } from './review-plan.ts';
import { always, compute, HAS_COMMAND, LOST, turn } from './review-works.ts';

/** What becomes of a winner that does not fit what others made meanwhile. */
export interface Colliding {
  /** Both changed the same things. */
  readonly blocked: readonly Transition[];
  /** Green alone and red together: a collision that no marks show. */
  readonly red: readonly Transition[];
  readonly states: readonly State[];
}

/**
 * What collides goes back to its author once, in its own session and workspace, which holds both sides; then to the person. A
 * winner meets nothing but its own beginnings unless the run shares its files with others: as part of a larger run, or after a
 * person put it back to where another winner was chosen.
 */
function colliding(id: string, protect: readonly string[]): Colliding {
  const [settle, ask] = [`settle_${id}`, `collide_${id}`];
  const isFirst = 'common_data.merges < 1';
  const isApart = `['MERGE_NOT_VERIFIED', 'MERGE_NOT_FIXED'].includes(failure?.code) && common_data.evidence[${JSON.stringify(id)}]?.isGreen === true`;
  return {
    blocked: [to(settle, isFirst, collided(id, MARKED)), to(ask, null, collided(id, MARKED))],
    red: [to(settle, `${isApart} && ${isFirst}`, collided(id, MERGED)), to(ask, isApart, collided(id, MERGED))],
    states: [
      workState(settle, turn(id, 'common_data.say'), always(`settled_${id}`)),
      ...guarded(id, protect),
      asked(id, ask),
    ],
  };
}

/** Nobody reviews what was done to settle it: what the command is made of is looked at, and a person says whether that was meant. */
function guarded(id: string, protect: readonly string[]): readonly State[] {
  const [name, guard] = [`settled_${id}`, `guard_${id}`];
  const input = `({ agent: '${id}', command: common_data.verify, protect: ${JSON.stringify(protect)} })`;
  const known = `(common_data.evidence[${JSON.stringify(id)}]?.tampered ?? []).map((one) => one.path)`;
  const isNew = `result.paths.some((path) => !${known}.includes(path))`;
  return [
    workState(name, { kind: 'none' }, { transitions: [to(guard, HAS_COMMAND), to(`merge_${id}`)] }),
    workState(guard, compute('review.tampered', input), {
      transitions: [to(`collide_${id}`, isNew, tampered(id)), to(`merge_${id}`)],
      on: LOST,
    }),
  ];
}

const tampered = (id: string): string => `() => {
  const d = this.common_data;
  const what = 'changed what the command is made of while it settled a collision: ' + result.paths.slice(0, 20).join(', ') + '. ';
  d.say = 'You ' + what + 'Restore that as it is on the other side, and resolve the rest.';
  d.collision = { code: 'TAMPERED', class: 'logic', message: '${id} ' + what + 'It was not merged.',
    hint: 'What it made of both sides is in its workspace: troupe diff RUN --agent ${id}' };
  d.question = '${id} was chosen, and ' + what + 'Its workspace holds what it made of both sides; troupe show RUN names the folder.\\n'
    + 'Answer "again" to have it merged as it is there now, "stop" to leave it unmerged, or say how it is to be settled: ${id} hears it and tries once more.';
}`;

/** In words for the author and for the person. */
interface Words {
  readonly advice: string;
  readonly what: string;
}

const MARKED: Words = {
  advice: 'result.advice',
  what: `'collides with what others changed meanwhile, in ' + [...(result.conflicts ?? []).map((one) => one.path), ...(result.unresolved ?? [])].slice(0, 20).join(', ') + '. '`,
};

/** Which of the two it is, nobody knows before looking. */
const APART = 'in a folder of its own, with what others changed meanwhile and without what git ignores';

const MERGED: Words = {
  advice: `'Your changes pass in your workspace. Merged, ${APART}, they do not.\\n\\n' + (result?.advice ?? failure.message)`,
  what: `'passes in its workspace, but not merged, ${APART}: ' + failure.message + ' '`,
};

const collided = (id: string, { advice, what }: Words): string => `() => {
  const d = this.common_data;
  d.merges = d.merges + 1;
  d.say = ${advice};
  d.collision = { code: failure.code, class: failure.class ?? 'logic', message: '${id} ' + ${what} + 'It was not settled.',
    hint: 'Both sides are in its workspace: troupe diff RUN --agent ${id}' };
  d.question = '${id} was chosen, and ' + ${what} + 'It was asked to settle that, and did not. Its workspace holds both sides; troupe show RUN names the folder.\\n'
    + 'Answer "again" when you have settled it there, "stop" to leave it unmerged, or say how it is to be settled: ${id} hears it and tries once more.';
}`;

/** Any other text is advice for the author. The person settles the files first, so the answer is for what they left. */
function asked(id: string, name: string): State {
  const said = "String(result ?? '').trim()";
  const tell = `this.common_data.say = 'A person says how to resolve it: ' + ${said} + '\\n\\n' + common_data.say`;
  return workState(
    name,
    { kind: 'ask', question: code('common_data.question'), choices: [], approves: 'as-answered' },
    {
      transitions: [
        to(name, `${said} === ''`),
        to('blocked', `${said}.toLowerCase() === 'stop'`, 'this.common_data.problem = common_data.collision'),
        to(`merge_${id}`, `${said}.toLowerCase() === 'again'`),
        to(`settle_${id}`, null, tell),
      ],
    },
  );
}

/** The winner's files come home when the command succeeds on them; nobody else's do (PD7). */
export function merging({ implementers, protect }: ReviewPlan): readonly State[] {
  const ids = implementers.map(({ id }) => id);
  const nobody =
    "this.common_data.problem = { code: 'NO_WINNER', message: 'Nobody was found best: ' + common_data.decision.reason }";
  const parts = `({ parts: common_data.decision.parts, agent: '${HYBRID}', command: common_data.verify ?? '', protect: ${JSON.stringify(protect)} })`;
  return [
    workState('hybrid', compute('review.hybrid', parts), {
      transitions: [to(`merge_${HYBRID}`)],
      on: { failed: UNMIXED, crashed: UNMIXED },
    }),
    workState(`merge_${HYBRID}`, mergeOf(HYBRID, protect), {
      transitions: [to('done')],
      on: { blocked: UNMIXED, failed: UNMIXED, timeout: UNMIXED, crashed: UNMIXED },
    }),
    workState(
      'merge',
      { kind: 'none' },
      {
        transitions: [
          to('partial', TAMPERED, FOUND_OUT),
          ...ids.map((id) => to(`merge_${id}`, `common_data.decision.best === ${JSON.stringify(id)}`)),
          to('failed', null, nobody),
        ],
      },
    ),
    ...ids.flatMap((id) => broughtHome(id, protect)),
    ...ends(),
  ];
}

/** What was put together has no author that could mend it: the best one stands for itself, and is weighed as such. */
const UNMIXED: readonly Transition[] = [
  to('decide', null, "this.common_data.unmixed = failure?.message ?? 'It did not come out well.'"),
];

const TAMPERED_WITH = '(common_data.evidence[common_data.decision.best]?.tampered ?? [])';

/** No result of the command counts for it. Approved with that in it is only what a person approved. */
const TAMPERED = `common_data.decision.decision !== 'APPROVE' && ${TAMPERED_WITH}.length > 0`;

const HOW_TO_GET =
  "'See what was red: troupe compare RUN. Take it marked as not verified: troupe deliver RUN --agent ' + id + ' --unverified'";

/** What is known of the files stands first: the rest is long. */
const SAID = "('The best so far, ' + id + ', is NOT VERIFIED: ' + why + ' ' + before.message).trim()";

const FOUND_OUT = `() => {
  const d = this.common_data;
  const id = d.decision.best;
  const why = 'It changed what the command is made of, so that no result of it counts: ' + ${TAMPERED_WITH}.map((one) => one.path).join(', ') + '.';
  d.unverified = { implementation: id, code: 'TAMPERED', why };
  const before = d.problem;
  d.problem = { ...before, message: ${SAID}, hint: ${HOW_TO_GET} };
}`;

/** Nothing comes home, and what there is stays where it is, marked as what it is. */
const notVerified = (id: string): string => `() => {
  const d = this.common_data;
  const id = ${JSON.stringify(id)};
  const why = failure?.message ?? 'The merge did not come out well.';
  d.unverified = { implementation: id, code: failure?.code ?? 'MERGE_NOT_VERIFIED', why };
  const before = d.problem ?? { code: d.unverified.code, message: '' };
  d.problem = { ...before, message: ${SAID}, hint: ${HOW_TO_GET} };
}`;

const mergeOf = (agent: string, protect: readonly string[]): MergeWork => ({
  kind: 'merge',
  agent,
  verify: code("common_data.verify ?? ''"),
  protect,
});

function broughtHome(id: string, protect: readonly string[]): readonly State[] {
  const collision = colliding(id, protect);
  const red = [to('partial', null, notVerified(id))];
  return [
    workState(`merge_${id}`, mergeOf(id, protect), {
      transitions: [to('done', 'common_data.problem === null'), to('partial')],
      on: {
        blocked: collision.blocked,
        failed: [...collision.red, ...red],
        timeout: red,
        crashed: LOST.crashed ?? [],
      },
    }),
    ...collision.states,
  ];
}

const OUTPUT = `({ winner: common_data.decision?.best ?? null, decision: common_data.decision?.decision ?? null,
  reason: common_data.decision?.reason ?? null, isSynthesis: common_data.decision?.isSynthesis ?? false,
  dissent: common_data.decision?.dissent ?? [], revisions: common_data.revisions, lost: common_data.lost, evidence: common_data.evidence,
  unverified: common_data.unverified })`;

function ends(): readonly State[] {
  const failure = 'common_data.problem';
  return [
    endState('done', 'ok', { output: OUTPUT }),
    endState('partial', 'partial', { output: OUTPUT, failure }),
    endState('blocked', 'blocked', { output: OUTPUT, failure }),
    endState('failed', 'failed', { output: OUTPUT, failure }),
  ];
}
