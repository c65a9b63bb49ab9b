import type { Evidence } from '../../../core/record/agent-fact.ts';
import type { Failure } from '../../../core/model/outcome.ts';
import type { Workspace } from '../../../workspace/port.ts';
import type { DeskOrder, OpenDesk } from '../../desk/port.ts';
import type { ActivityLog } from '../turn/activity-log.ts';
import { deskTools, useDeskTool } from '../tools/desk-tools.ts';
import { SubmittedReplies, type DeskCall } from './submitted-replies.ts';
import type { EffectContext } from '../../world.ts';
import { refusedReply } from './refused-reply.ts';
import { servicesOf } from '../turn/services-of.ts';

/** The desk of one turn, and the evidence it collected. */
export interface TurnDesk {
  readonly open: OpenDesk;
  readonly evidence: readonly Evidence[];
  /** Why the agent says that no change is needed. */
  readonly noChange: string | undefined;
  /** Checks the accepted reply again: null if it is still true. */
  lookAgain(): Promise<Failure | null>;
  close(): Promise<void>;
}

export interface DeskWish {
  readonly place: Workspace;
  readonly activity: ActivityLog;
}

/** Null if the agent has nothing to submit, and no tool of the engine, the project or an MCP server. */
export async function openDesk(context: EffectContext, call: DeskCall, wish: DeskWish): Promise<TurnDesk | null> {
  const { place, activity } = wish;
  const { specs: tools, added } = deskTools(context.world, call.speaker);
  if (tools.length === 0) return null;
  const office = await servicesOf(context).desks();
  const handing = new SubmittedReplies(context, call, place);
  const { task, call: number, attempt } = call.effect;
  let refusals = 0;
  const take: DeskOrder['take'] = async (handed, options) => {
    const tool = added.find(({ spec }) => spec.name === handed.name);
    const { speaker } = call;
    if (tool !== undefined) return await useDeskTool(context, { tool, speaker, call: handed, place, ...options });
    const taken = await handing.take(handed, options);
    const isReply = call.speaker.role.parsingTools.some(({ name }) => name === handed.name);
    if (isReply && !taken.isAccepted) activity.add(refusedReply(handed, taken, `${number}.${attempt}.${++refusals}`));
    return taken;
  };
  const open = await office.open({ run: context.run, task, tools, take });
  const forget = Object.values(open.headers).map((value) =>
    context.world.secrets?.add('the token of the desk', value.split(' ').at(-1)),
  );
  return {
    open,
    get evidence() {
      return handing.evidence;
    },
    get noChange() {
      return handing.noChange;
    },
    lookAgain: () => handing.lookAgain(),
    close: async () => {
      await open.close();
      for (const undo of forget) undo?.();
    },
  };
}
