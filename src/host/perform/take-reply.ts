import type { Evidence } from '../../core/agent-fact.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import type { ToolCall } from '../../core/message.ts';
import type { ParsingTool } from '../../core/role.ts';
import { isCompletion, SIGNAL_TOOL, signalProblem } from '../../core/signal.ts';
import type { Workspace } from '../../workspace/port.ts';
import { checkEvidence } from './evidence.ts';
import type { Performance } from './performance.ts';
import type { Speaker } from './who-speaks.ts';

/** What became of a structured reply: taken, sent back because it does not fit, or doubted because it does not hold. */
export type ReplyCheck =
  | { readonly kind: 'taken'; readonly evidence: readonly Evidence[] }
  | { readonly kind: 'rejected'; readonly reason: string }
  | { readonly kind: 'refused'; readonly missing: string; readonly evidence: readonly Evidence[] };

/** Shape first, then sense, then what the engine sees for itself (L4). */
export async function checkReply(
  performance: Performance,
  speaker: Speaker,
  reply: {
    readonly call: ToolCall;
    readonly tool: ParsingTool;
    readonly place: () => Promise<Workspace>;
    readonly signal?: AbortSignal;
  },
): Promise<ReplyCheck> {
  const { call, tool } = reply;
  const { step, evidence: demand } = speaker.work;
  const problem = (await shapeProblem(tool, call.arguments)) ?? senseProblem(call, step);
  if (problem !== null) return { kind: 'rejected', reason: problem };
  if (!isCompletion(call) || demand === undefined) return { kind: 'taken', evidence: [] };
  const { signal = performance.signal } = reply;
  const { evidence, missing } = await checkEvidence(performance, { demand, workspace: await reply.place(), signal });
  return missing === null ? { kind: 'taken', evidence } : { kind: 'refused', missing, evidence };
}

/** Loaded with the first tool call: the checker is large, and many runs never need it. */
let validate: ((schema: JsonObject, value: Json) => string | null) | null = null;

export async function shapeProblem(
  { parameters }: Pick<ParsingTool, 'parameters'>,
  value: Json,
): Promise<string | null> {
  validate ??= (await import('../../tools/validate-arguments.ts')).validateArguments;
  return validate(parameters, value);
}

const senseProblem = (call: ToolCall, step: string | undefined): string | null =>
  call.name === SIGNAL_TOOL ? signalProblem(call.arguments, { step }) : null;
