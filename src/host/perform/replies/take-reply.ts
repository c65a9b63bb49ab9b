import type { Demand, Evidence } from '../../../core/record/agent-fact.ts';
import type { Json } from '../../../core/model/json.ts';
import type { ToolCall } from '../../../core/model/message.ts';
import { allowedProblem, needsProblem } from '../../../core/step/turn/reply-needs.ts';
import type { ParsingTool } from '../../../core/model/role.ts';
import { isCompletion, SIGNAL_TOOL, signalProblem } from '../../../core/model/signal.ts';
import type { Workspace } from '../../../workspace/port.ts';
import { unchangedText } from '../../../core/step/turn/owed-changes.ts';
import { wrongReply } from '../../../core/step/turn/owed-reply.ts';
import { isUnchangedWork } from '../../../core/step/turn/turn-progress.ts';
import { checkEvidence } from './evidence.ts';
import type { EffectContext } from '../../world.ts';
import { loadOnce } from '../../load-once.ts';
import { claimsChanges, seeChanges } from './see-changes.ts';
import type { Speaker } from '../turn/who-speaks.ts';

/**
 * The verdict on a structured reply: accepted, rejected because it does not fit its schema, sent back once because it cannot
 * be used, or doubted because it is not true.
 */
export type ReplyCheck =
  | { readonly kind: 'taken'; readonly evidence: readonly Evidence[] }
  | { readonly kind: 'rejected'; readonly problem: string; readonly evidence?: undefined }
  | { readonly kind: 'returned'; readonly problem: string; readonly evidence?: undefined }
  | { readonly kind: 'refused'; readonly problem: string; readonly evidence: readonly Evidence[] };

/** Shape first, then sense, then what the engine checks itself (L4). For API models and clients alike. */
export async function checkReply(
  context: EffectContext,
  speaker: Speaker,
  reply: {
    readonly call: ToolCall;
    readonly tool: ParsingTool;
    readonly place: () => Promise<Workspace>;
    readonly signal?: AbortSignal;
    /** Why the agent said at the desk that no change is needed. */
    readonly noChange?: string | undefined;
    /** A judgement was sent back in this turn already. */
    readonly isSecond?: boolean;
  },
): Promise<ReplyCheck> {
  const { call, tool } = reply;
  const { step, evidence: demand } = speaker.work;
  const problem = (await shapeProblem(tool, call.arguments)) ?? senseProblem(call, tool, step);
  if (problem !== null) return { kind: 'rejected', problem };
  const fault = await judgementProblem(context, speaker, reply);
  if (fault !== null) return { kind: 'returned', problem: fault };
  const claimed = claimOf(speaker, { call, demand });
  return claimed === null ? TAKEN : await checkWork(context, speaker, { ...reply, ...claimed });
}

const TAKEN: ReplyCheck = { kind: 'taken', evidence: [] };

type ReplyGiven = Parameters<typeof checkReply>[2];

/** The second time it is accepted with its mistakes: a judgement is worth more than its worst point. */
function judgementProblem(
  context: EffectContext,
  { agent, work, turn }: Speaker,
  { call, isSecond = turn.returned !== undefined }: ReplyGiven,
): string | null | Promise<string | null> {
  if (isSecond || wrongReply(work, call.name) !== null) return null;
  const other = allowedProblem(work.allowed, call.arguments);
  if (other !== null || work.check === undefined) return other;
  return context.world.formats.replyProblem(context, { check: work.check, agent: agent.name, call });
}

/** What a reply claims that the engine can look at. */
interface Claim {
  readonly demanded: Demand | undefined;
  readonly isToChange: boolean;
}

/** Null if it claims nothing of that kind. */
function claimOf(
  speaker: Speaker,
  { call, demand }: { readonly call: ToolCall; readonly demand: Demand | undefined },
): Claim | null {
  const demanded = isCompletion(call) ? demand : undefined;
  const isToChange = claimsChanges(speaker, call);
  return demanded === undefined && !isToChange ? null : { demanded, isToChange };
}

async function checkWork(context: EffectContext, speaker: Speaker, reply: ReplyGiven & Claim): Promise<ReplyCheck> {
  const { demanded, isToChange } = reply;
  const workspace = await reply.place();
  const changes = isToChange ? await seeChanges(context, speaker, { workspace, reason: reply.noChange }) : [];
  const { signal = context.signal } = reply;
  const found = await checkEvidence(context, { demand: demanded ?? NO_DEMAND, workspace, signal });
  const evidence = [...changes, ...found.evidence];
  const missing = [changes.some(isUnchangedWork) ? unchangedText(speaker.work.changes) : null, found.missing].filter(
    (one) => one !== null,
  );
  if (missing.length === 0) return { kind: 'taken', evidence };
  return { kind: 'refused', problem: missing.join('\n'), evidence };
}

const NO_DEMAND = { files: [], commands: [] };

/** Loaded with the first tool call: the validator is large, and many runs never need it. */
const validator = loadOnce(() => import('../../../tools/validate-arguments.ts'));

export function shapeProblem(
  { parameters }: Pick<ParsingTool, 'parameters'>,
  value: Json,
): string | null | Promise<string | null> {
  const loaded = validator();
  return loaded instanceof Promise
    ? loaded.then(({ validateArguments }) => validateArguments(parameters, value))
    : loaded.validateArguments(parameters, value);
}

const senseProblem = (call: ToolCall, { needs }: ParsingTool, step: string | undefined): string | null =>
  call.name === SIGNAL_TOOL ? signalProblem(call.arguments, { step }) : needsProblem(needs, call.arguments);
