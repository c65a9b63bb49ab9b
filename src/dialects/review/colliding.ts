import type { State, Transition } from '../../core/workflow.ts';
import { code, to, workState } from '../source/model-parts.ts';
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
export function colliding(id: string, protect: readonly string[]): Colliding {
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
