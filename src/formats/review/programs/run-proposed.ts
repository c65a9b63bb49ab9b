import type { ComputeRun } from '../../../core/model/effect.ts';
import type { Ledger } from '../rules/ledger.ts';
import type { ProposedTest } from '../rules/position.ts';
import type { TestResult } from '../rules/take-evidence.ts';
import type { EffectContext } from '../../../host/world.ts';
import { inPlaceOf, isAgent, agentWorkspaceRequest } from './agent-place.ts';
import { runIn, runThrownAway, outputTail, type CommandEnd } from './run-thrown-away.ts';

export interface Proposed {
  readonly effect: ComputeRun;
  readonly ledger: Ledger;
  readonly test: ProposedTest;
}

/** Runs what a reviewer proposed as evidence, on the implementation the finding is about; nothing of it stays. */
export async function runProposed(context: EffectContext, proposed: Proposed): Promise<TestResult> {
  const { effect, ledger, test } = proposed;
  const agent = ledger.findings.find(({ id }) => id === test.finding)?.implementation ?? null;
  const result =
    agent === null || !isAgent(context, agent)
      ? { exitCode: null, output: 'It was not run: the finding is about no implementation in particular.' }
      : endOf(await runFor(context, effect, { agent, command: test.command }));
  return { test, ...result };
}

const MOST_MS = 5 * 60_000;
const KEPT_CHARS = 2000;

function endOf({ exitCode, output, problem }: CommandEnd): Omit<TestResult, 'test'> {
  const text = problem === null ? output : `${output}\n[${problem}]`;
  return { exitCode, output: outputTail(text.trim(), KEPT_CHARS) };
}

/** Without an overlay that discards its writes the test runs on a copy: it must not put the files of others at risk. */
async function runFor(
  context: EffectContext,
  effect: ComputeRun,
  { agent, command }: { readonly agent: string; readonly command: string },
): Promise<CommandEnd> {
  const { world, places } = context;
  const request = agentWorkspaceRequest(context, effect, agent);
  const order = { effect, command, timeoutMs: MOST_MS };
  if ((await world.hasOverlay?.()) !== true) {
    const run = places.onCopy(context, request, (place) => runIn(context, { ...order, place, access: 'write' }));
    return (await run).value;
  }
  return await inPlaceOf(context, request, async ({ workspace, files: { tree } }) =>
    runThrownAway(context, { ...order, agent, workspace, tree, during: tree }),
  );
}
