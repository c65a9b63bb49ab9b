import { compactionText } from '../../core/look/compaction-text.ts';
import type { Fact } from '../../core/record/fact.ts';
import type { CallFailed } from '../../core/record/call-fact.ts';
import type { TaskEnded, TaskStarted } from '../../core/record/task-fact.ts';
import type { Failure } from '../../core/model/outcome.ts';
import { programNote } from '../../core/record/program-note.ts';
import { NO_TIME, type WorkTime } from '../../core/fold/work-clock.ts';
import { outcomeFields, logLineText, paidFor, why } from './line-words.ts';
import { activityLines, askedFor, permitted, toolLines } from './tool-lines.ts';
import type { LineWriter, LineContext, LineFields } from './line-writer.ts';

type LineWriters = { readonly [Kind in Fact['kind']]?: LineWriter<Extract<Fact, { readonly kind: Kind }>> };

/** Facts missing here are bookkeeping: they are in the journal but not in the log (`docs/spec/log-lines.md`). */
export const LINE_WRITERS: LineWriters = {
  'run.started': ({ fact }) => [{ event: 'workflow_started', status: 'started', workflow: fact.workflow }],
  'run.forked': ({ fact, book }) => [
    {
      event: 'workflow_forked',
      status: 'started',
      workflow: book.workflow,
      message: `from ${fact.from.run} at record ${fact.from.seq}`,
    },
  ],
  'run.redefined': ({ fact: { definition, by } }) => [
    { event: 'workflow_redefined', message: `${definition.slice(0, 12)} by ${by}` },
  ],
  'run.resumed': ({ fact: { worker } }) => [
    { event: 'workflow_resumed', status: 'started', ...(worker === undefined ? {} : { message: worker }) },
  ],
  'run.paused': ({ fact: { reason, by, failure } }) => [
    {
      event: 'workflow_paused',
      level: 'WARN',
      status: 'waiting',
      message: logLineText(`${by}: ${reason}`),
      ...codeOf(failure),
    },
  ],
  'run.continued': ({ fact }) => [{ event: 'workflow_resumed', status: 'started', message: fact.by }],
  'run.cancelled': ({ fact: { by, reason } }) => [
    { event: 'workflow_cancelled', level: 'WARN', status: 'cancelled', message: logLineText(`${by}: ${reason}`) },
  ],
  'run.rewound': ({ fact: { to, by } }) => [
    { event: 'workflow_rolled_back', level: 'WARN', message: `to record ${to} by ${by}` },
  ],
  'rollback.started': ({ fact }) => [
    { event: 'rollback_started', level: 'ERROR', status: 'started', ...why(fact.failure) },
  ],
  'run.settled': ({ fact: { outcome, failure }, book }) => [
    {
      event: 'workflow_completed',
      workflow: book.workflow,
      ...took(book.time),
      ...outcomeFields(outcome, failure),
    },
  ],
  'state.entered': () => [{ event: 'state_entered', status: 'started' }],
  'task.started': startedLines,
  'task.ended': endedLines,
  'call.answered': ({ fact }) => [{ event: 'model_call', duration_ms: fact.ms, ...paidFor(fact) }],
  'usage.noted': ({ fact }) => [{ event: 'usage_noted', ...paidFor(fact) }],
  'call.failed': failedLines,
  'tool.finished': toolLines,
  'activity.noted': activityLines,
  'turn.nudged': () => [{ event: 'agent_nudged', level: 'WARN', status: 'retrying' }],
  'results.cleared': ({ fact }) => [{ event: 'results_cleared', message: compactionText(fact) }],
  'compaction.started': ({ fact }) => [
    { event: 'compaction_started', status: 'started', message: compactionText(fact) },
  ],
  'turn.compacted': ({ fact }) => [{ event: 'turn_compacted', message: compactionText(fact) }],
  'message.added': ({ fact: { by, message } }) =>
    by === undefined
      ? []
      : [{ event: 'agent_told', agent_id: message.to ?? null, message: logLineText(`${by}: ${message.content}`) }],
  'unit.ended': ({ fact: { outcome, reason } }) => [
    { event: 'unit_ended', ...outcomeFields(outcome, null), message: logLineText(reason) },
  ],
  'limit.reached': ({ fact: { limit, allowed, used } }) => [
    { event: 'limit_reached', level: 'WARN', status: 'waiting', code: limit, message: `${used} of ${allowed}` },
  ],
  'limit.raised': ({ fact: { limit, allowed, by } }) => [
    { event: 'limit_raised', code: limit, message: `${allowed}, by ${by}` },
  ],
  'terms.changed': ({ fact: { by } }) => [{ event: 'terms_changed', message: `by ${by}` }],
  'permission.asked': (context) => [{ event: 'permission_asked', status: 'waiting', ...permitted(context) }],
  'permission.settled': ({ fact, book }) => [
    {
      event: 'permission_settled',
      status: fact.isAllowed ? 'success' : 'refused',
      ...askedFor(book.toolCall(fact.task, fact.toolCall)),
      message: fact.by,
    },
  ],
  'question.answered': ({ fact }) => [{ event: 'question_answered', message: fact.by }],
  'context.trimmed': ({ fact: { context, dropped } }) => [
    { event: 'context_trimmed', level: 'DEBUG', message: `${context}: ${dropped} messages` },
  ],
  'files.changed': ({ fact: { workspace, why: reason, redacted = [] } }) => [
    { event: 'files_changed', level: 'DEBUG', message: `${workspace}: ${reason}` },
    ...redacted.map(({ path, line: at, secret }) => ({
      event: 'secret_redacted' as const,
      level: 'WARN' as const,
      message: `${at === null ? path : `${path}:${at}`} held ${secret}`,
    })),
  ],
  'project.changed': ({ fact: { how, by, isBeginning } }) =>
    isBeginning === true
      ? [{ event: 'project_change_started', message: `begun by ${by}` }]
      : [{ event: 'project_changed', message: `${how} by ${by}` }],
  'delivery.started': ({ fact: { to } }) => [{ event: 'delivery_started', message: to.kind }],
  'delivery.finished': ({ fact: { how, where } }) => [
    { event: 'delivery_finished', ...(DELIVERED.has(how) ? {} : BLOCKED), message: logLineText(where ?? how) },
  ],
  'delivery.failed': ({ fact: { failure } }) => [
    { event: 'delivery_failed', level: 'ERROR', message: logLineText(`${failure.code}: ${failure.message}`) },
  ],
  'result.discarded': ({ fact: { by, isUndone } }) => [
    { event: isUndone === true ? 'result_restored' : 'result_discarded', message: by },
  ],
  'run.archived': ({ fact: { by, isUndone } }) => [
    { event: isUndone === true ? 'run_unarchived' : 'run_archived', message: by },
  ],
  'session.noted': ({ fact: { actor, how, agent } }) => [
    { event: 'session_noted', level: 'DEBUG', agent_id: agent, message: `${how} session of ${actor}` },
  ],
  'session.kept': ({ fact: { agent, conversation } }) => [
    {
      event: 'session_kept',
      level: 'DEBUG',
      agent_id: agent,
      message: conversation === null ? 'not stored' : `${conversation.bytes} bytes`,
    },
  ],
  'reply.accepted': ({ fact: { reply } }) => [{ event: 'reply_accepted', tool: reply.name, level: 'DEBUG' }],
  'artifact.recorded': ({ fact: { artifact } }) => [
    {
      event: 'artifact_created',
      agent_id: artifact.producer,
      file: artifact.path,
      message: `${artifact.type}: ${artifact.id}`,
    },
  ],
  'output.handed': ({ fact: { name, paths } }) => [
    { event: 'output_handed', file: paths[0] ?? null, message: logLineText(name) },
  ],
  'handoff.made': ({ fact: { handoff } }) => [
    { event: 'handoff', agent_id: handoff.from, message: logLineText(`to ${handoff.to} (${handoff.correlationId})`) },
  ],
  'bus.sent': ({ fact: { message } }) => [
    {
      event: 'message',
      level: message.type === 'error' ? 'ERROR' : 'INFO',
      agent_id: message.sender,
      message: logLineText(`${message.type} to ${message.receiver} (${message.correlationId})`),
    },
  ],
  'progress.noted': ({ fact: { agent, progress, message } }) => [
    {
      event: 'progress',
      agent_id: agent,
      status: 'started',
      message: logLineText(`${Math.round(progress * 100)} %: ${message}`),
    },
  ],
};

const DELIVERED: ReadonlySet<string> = new Set(['branch', 'patch', 'applied', 'unchanged']);
const BLOCKED = { level: 'WARN', status: 'blocked' } as const;

/**
 * By the kind of work; work that takes no time is logged only at its end. A turn apart is logged by the run above, which has its unit
 * and how it came out there.
 */
const WORK_EVENTS: Readonly<Record<string, string>> = {
  turn: 'agent',
  command: 'command',
  call: 'child_workflow',
  ask: 'question',
  wait: 'wait',
  merge: 'merge',
  compute: 'compute',
};

function startedLines({ fact: { work }, book }: LineContext<TaskStarted>): readonly LineFields[] {
  const name = WORK_EVENTS[work.kind];
  if (name === undefined || book.isApart) return [];
  const status = work.kind === 'ask' ? 'waiting' : 'started';
  return [{ event: `${name}_started`, status, ...(work.kind === 'call' ? { workflow: work.workflow } : {}) }];
}

function endedLines({ fact, task, book }: LineContext<TaskEnded>): readonly LineFields[] {
  const name = WORK_EVENTS[task?.work.kind ?? ''];
  if (task === undefined || name === undefined || book.isApart) return [];
  return [
    {
      event: `${name}_completed`,
      ...took(task.time ?? NO_TIME),
      ...outcomeFields(fact.outcome, fact.failure),
      ...(task.work.kind === 'call' ? { workflow: task.work.workflow } : {}),
      ...(task.work.kind === 'compute' ? noted(fact) : {}),
      ...paidFor(fact),
    },
  ];
}

function noted({ output }: TaskEnded): Pick<LineFields, 'level' | 'message'> {
  const note = programNote(output);
  return note === null ? {} : { level: 'WARN', message: logLineText(note) };
}

/** Time at work; waiting for a person and pauses have separate fields where there were any. */
const took = ({
  workedMs,
  waitedMs,
  pausedMs,
}: WorkTime): Pick<LineFields, 'duration_ms' | 'waited_ms' | 'paused_ms'> => ({
  duration_ms: workedMs,
  ...(waitedMs === 0 ? {} : { waited_ms: waitedMs }),
  ...(pausedMs === 0 ? {} : { paused_ms: pausedMs }),
});

function failedLines({ fact, task, at }: LineContext<CallFailed>): readonly LineFields[] {
  const isLast = fact.retryAt === null;
  return [
    {
      event: 'model_call',
      level: isLast ? 'ERROR' : 'WARN',
      status: isLast ? 'failed' : 'retrying',
      duration_ms: task === undefined ? null : Math.max(0, at - task.callAt),
      ...why(fact.failure),
      ...paidFor(fact),
    },
  ];
}

const codeOf = (failure: Failure | undefined): Pick<LineFields, 'code'> =>
  failure === undefined ? {} : { code: failure.code };
