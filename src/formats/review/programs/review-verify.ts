import type { Json } from '../../../core/model/json.ts';
import type { EngineProgram } from '../../../host/world.ts';
import { programInput } from '../../../host/perform/commands/program-input.ts';
import { inPlaceOf, storeOf, agentWorkspaceRequest } from './agent-place.ts';
import { verifySchema } from './review-input.ts';
import { cannotRun } from './review-try.ts';
import { runThrownAway, outputTail, type CommandEnd } from './run-thrown-away.ts';
import { testCounts } from './test-counts.ts';
import { usersCopies, type UsersCopies } from '../../../host/perform/commands/users-copies.ts';

/**
 * `review.verify`: runs the user's command on an implementation, with the user's own copies of what the command is made of.
 * Red is an answer like green; both are evidence (PD2). A command that hangs is stopped and red.
 */
export const reviewVerify: EngineProgram = async (context, effect) => {
  const input = programInput(verifySchema, effect);
  const { id, agent, command, timeoutMs } = input;
  const store = await storeOf(context);
  const output = await inPlaceOf(
    context,
    agentWorkspaceRequest(context, effect, agent),
    async ({ workspace, files }) => {
      const { tree, base } = files;
      const copies = await usersCopies(store, { base, tree, command, protect: input.protect ?? [] });
      const order = { effect, agent, workspace, tree, during: copies.tree, command, timeoutMs };
      const end = await runThrownAway(context, order);
      return { id, command, tree, ...evidenceOf(end, copies) };
    },
  );
  return { output };
};

/** Kept with the run. */
const KEPT_CHARS = 8 * 1024;

/** An agent may delete a folder of ten thousand tests; more names would not help. */
const MOST_NAMED = 500;

/** The stored part of the evidence. */
export function evidenceOf(end: CommandEnd, { tampered, extended }: UsersCopies): Record<string, Json> {
  const { exitCode, problem, ms } = end;
  const text = problem === null ? end.output : `${end.output}\n[${problem}]`.trimStart();
  return {
    exitCode,
    isGreen: problem === null && exitCode === 0,
    isUnusable: cannotRun(end),
    problem,
    output: outputTail(text, KEPT_CHARS),
    ms,
    ...testCounts(end.output),
    tampered: tampered.slice(0, MOST_NAMED).map((one) => ({ ...one })),
    extended: extended.slice(0, MOST_NAMED),
  };
}
