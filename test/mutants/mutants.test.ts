import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BYTES, differenceOf } from '../conformance/difference.ts';
import type { Interpreter } from '../conformance/interpreter.ts';
import { PLAY_BYTES, playRandomly } from '../conformance/random-play.ts';
import { casesOf, isShown, plant, type Mutant } from './plant.ts';

/** Defects that a comparison with XState must see. */
const DIFFERENT: readonly Mutant[] = [
  {
    what: 'transitions are tried last to first',
    file: 'step/leave.ts',
    find: 'of from.transitions.entries()) {',
    replace: 'of [...from.transitions.entries()].reverse()) {',
  },
  {
    what: 'a script runs for a transition that is not taken',
    file: 'step/leave.ts',
    find: 'if (!holds.value) continue;',
    replace: `if (!holds.value) {
        const tried = transition.assign === null ? null : evaluateProgram(progress, transition.assign, place);
        if (tried?.kind === 'value') progress.record({ kind: 'data.set', patch: tried.value });
        continue;
      }`,
  },
  {
    what: 'the script of the taken transition is forgotten',
    file: 'step/leave.ts',
    find: 'patch = assigned.value;',
    replace: 'patch = null;',
  },
  {
    what: 'a condition that throws counts as false',
    file: 'step/leave.ts',
    find: "if (holds.kind === 'failed') return giveUp(progress, holds.failure);",
    replace: "if (holds.kind === 'failed') continue;",
  },
  {
    what: 'the handler of a failure is ignored',
    file: 'step/leave.ts',
    find: 'state.transitions : state.on[result.outcome];',
    replace: "state.transitions : result.outcome === 'failed' ? undefined : state.on[result.outcome];",
  },
  {
    what: 'a failure goes by the transitions for success',
    file: 'step/leave.ts',
    find: 'state.transitions : state.on[result.outcome];',
    replace: 'state.transitions : (state.on[result.outcome] ?? state.transitions);',
  },
  {
    what: 'a loop stops one entry early',
    file: 'step/leave.ts',
    find: 'if (visit > limits.iterations) {',
    replace: 'if (visit >= limits.iterations) {',
  },
  {
    what: 'an alarm of a task that is gone ends the present one',
    file: 'step/step.ts',
    find: 'const task = progress.task(id);\n  if (task === undefined) return;',
    replace: `const task = progress.task(id);
  if (task === undefined) {
    for (const one of Object.values(progress.snapshot.tasks)) {
      endTask(progress, one.id, { outcome: 'ok', output: null, failure: null });
    }
    return;
  }`,
  },
  {
    what: 'a wait is over when its alarm rings too early',
    file: 'step/step.ts',
    find: ' || progress.at < task.work.until) return;',
    replace: ') return;',
  },
  {
    what: 'a timeout strikes before its time',
    file: 'step/step.ts',
    find: ' || progress.at < task.deadline || isRunPaused(progress.snapshot)) return;',
    replace: ' || isRunPaused(progress.snapshot)) return;',
  },
  {
    what: 'the script of a state runs only on the first visit',
    file: 'fold/apply.ts',
    find: 'now.current = { state: fact.state, entered: false,',
    replace: 'now.current = { state: fact.state, entered: fact.visit > 1,',
  },
];

/** Defects that break a rule of the interpreter: only the random workflows can see them. */
const BROKEN: readonly Mutant[] = [
  {
    what: 'a unit that waits is forgotten when its pool is stopped',
    file: 'step/end-task.ts',
    find: "if (unit.status !== 'waiting') continue;",
    replace: "if (unit.status !== 'waiting' || unit.index > 1) continue;",
  },
  {
    what: 'a tool result is taken twice',
    file: 'step/turn/turn.ts',
    find: 'if (!turn?.openTools.some((call) => call.id === event.toolCall) || turn.asking.includes(event.toolCall)) return;',
    replace: 'if (!turn) return;',
    shownBy: 43,
  },
  {
    what: 'an answer to another attempt is taken',
    file: 'step/turn/turn.ts',
    find: ' && turn.attempt === event.attempt;',
    replace: ';',
  },
  {
    what: 'recovery orders tools again that were answered',
    file: 'step/turn/turn-progress.ts',
    find: 'const openTools = turn.openTools.filter((call) => call.id !== fact.toolCall);',
    replace: 'const openTools = turn.openTools.slice(fact.isError ? 0 : 1);',
  },
  {
    what: 'a pool is over before the children it stops are',
    file: 'step/pool/pool.ts',
    find: 'if (unitTasks(progress, pool).length > 0) return;',
    replace: '',
    shownBy: 324,
  },
  {
    what: 'a pool whose unit is lost while it starts waits for ever',
    file: 'step/pool/pool.ts',
    find: '} while (progress.snapshot.seq > seq);',
    replace: '} while (false);',
  },
  {
    what: 'a run that is stopped settles before its children',
    file: 'step/advance.ts',
    find: ' || Object.keys(progress.snapshot.tasks).length > 0) return;',
    replace: ') return;',
    shownBy: 57,
  },
  {
    what: 'the interpreter changes the snapshot it was given',
    file: 'fold/apply.ts',
    find: 'void {\n  now.data = patched(now.data, fact.patch);',
    replace: 'void {\n  now.data = Object.assign(now.data, fact.patch.set);',
  },
  {
    what: 'an alarm survives its task',
    file: 'step/end-task.ts',
    find: "if (task.deadline !== null) progress.emit({ kind: 'timer.clear', timer: `${task.id}/deadline` });",
    replace: '',
  },
  {
    what: 'standing still counts for deadlines',
    file: 'step/paused.ts',
    find: 'deadline: task.deadline + pausedMs',
    replace: 'deadline: task.deadline',
  },
  {
    what: 'new work starts although a person holds the run',
    file: 'step/paused.ts',
    find: 'paused !== null || held !== null;',
    replace: 'paused !== null;',
  },
  {
    what: 'a tool runs while a person is asked about it',
    file: 'step/turn/turn.ts',
    find: "return progress.record({ kind: 'permission.asked'",
    replace: "progress.record({ kind: 'permission.asked'",
  },
  {
    what: 'a permission for one tool is one for every tool',
    file: 'step/turn/permit.ts',
    find: '&& !permits.includes(permit);',
    replace: '&& permits.length === 0;',
    shownBy: 138,
  },
  {
    what: 'a tool that was refused is still run',
    file: 'step/turn/answer-permission.ts',
    find: 'return refuse(progress, asked, decided);',
    replace: 'refuse(progress, asked, decided);',
  },
  {
    what: 'recovery runs a tool that waits for a person',
    file: 'step/recover.ts',
    find: 'if (asking.includes(toolCall.id)) continue;',
    replace: '',
  },
  {
    what: 'files are not put back when the process died meanwhile',
    file: 'step/recover.ts',
    find: "if (snapshot.rollingBack !== null) progress.emit({ kind: 'rollback.run' });",
    replace: '',
  },
  {
    what: 'a run that was put back numbers its tasks again',
    file: 'fold/apply-files.ts',
    find: 'Object.assign(now, state, {',
    replace: 'Object.assign(now, state, { taskCount: Object.keys(state.tasks).length,',
  },
  {
    what: 'a run is put back without its conversations',
    file: 'history/rewind.ts',
    find: 'contexts: mapValues(then.contexts, ownContext),',
    replace: 'contexts: {},',
  },
  {
    what: 'a run is taken up in the middle of a step',
    file: 'step/step-end.ts',
    find: "if (next === undefined || fact.kind === 'state.entered') return true;",
    replace: 'if (true) return true;',
  },
  {
    what: 'a fork pays for what the other run spent',
    file: 'fold/apply-files.ts',
    find: 'Object.assign(now, NOTHING_SPENT, { unreported: NOTHING_SPENT });',
    replace: '',
  },
  {
    what: 'work of a fork has the deadline of the other run',
    file: 'fold/apply-files.ts',
    find: '{ ...task, deadline: task.deadline + shift }',
    replace: 'task',
  },
];

/** So few machines must be enough. */
const MACHINES = 500;

const TIMEOUT_MS = 240_000;

const machines = (length: number): readonly Uint8Array[] =>
  fc.sample(fc.noBias(fc.uint8Array({ minLength: length, maxLength: length })), { seed: 4, numRuns: MACHINES });

const isDifferent = (interpreter: Interpreter) => (bytes: Uint8Array) => {
  try {
    return differenceOf(bytes, interpreter) !== null;
  } catch {
    return true;
  }
};

const isBroken = (interpreter: Interpreter) => (bytes: Uint8Array) => {
  try {
    playRandomly(bytes, interpreter);
    return false;
  } catch {
    return true;
  }
};

const SUITES = [
  { name: 'the comparison with XState', mutants: DIFFERENT, length: BYTES, judge: isDifferent },
  { name: 'the rules of the interpreter', mutants: BROKEN, length: PLAY_BYTES, judge: isBroken },
] as const;

const NOTHING: Mutant = {
  what: '',
  file: 'step/step.ts',
  find: 'export function step(',
  replace: 'export function step(',
};

for (const { name, mutants, length, judge } of SUITES) {
  describe(`with ${name}`, () => {
    const cases = machines(length);
    test(
      '[L9] an unchanged copy of the core passes',
      async () => {
        const copy = await plant(NOTHING);
        expect(casesOf(mutants, cases).findIndex(judge(copy))).toBe(-1);
      },
      TIMEOUT_MS,
    );

    for (const mutant of mutants) {
      test(
        `[L9] notices when ${mutant.what}`,
        async () => {
          const copy = await plant(mutant);
          expect(isShown(mutant, cases, judge(copy))).toBe(true);
        },
        TIMEOUT_MS,
      );
    }
  });
}

test('[L9] a mutant that no longer fits the source is refused, so none can go missing', async () => {
  await expect(plant({ ...NOTHING, find: 'no such text' })).rejects.toThrow('exactly once');
});
