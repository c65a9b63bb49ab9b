import { z } from 'zod';
import { isApproval } from '../../core/record/question-fact.ts';
import { NO_USAGE } from '../../core/model/usage.ts';
import { OUTCOMES } from '../../core/model/outcome.ts';
import { RESULT_WORDS, resultText } from '../../core/look/result-state.ts';
import { type QueuedReason, willBeTaken } from '../../protocol/status-word.ts';
import { choiceDetailsSchema } from '../../protocol/operations/answers/question.ts';
import type { QuestionView } from '../../protocol/question-view.ts';
import type { CardDetails, RunCard } from '../../protocol/web/run-card.ts';

/** The state of a run, as other agents see it. */
export const runReport = z.object({
  run: z.string().describe('The id that the other tools take'),
  handle: z.string().describe('The same as a resource'),
  workflow: z.string(),
  title: z.string(),
  project: z.string(),
  status: z
    .enum(['running', 'queued', 'stopped', 'waiting', 'paused', 'settled'])
    .describe(
      'waiting: it asks something; paused: a limit or a person holds it; stopped: no process drives it; ' +
        'queued: no worker drives it yet, next says why',
    ),
  outcome: z.enum(OUTCOMES).nullable().describe('null until it is settled'),
  result: z
    .enum(RESULT_WORDS)
    .describe('State of its files: waiting for the person to take them, delivered, refused by a check, discarded'),
  resultText: z.string().describe('The same in words: not verified, in branch …, applied; empty where there is none'),
  state: z.string().nullable(),
  agentsAtWork: z.array(z.string()),
  questions: z
    .array(
      z.object({
        question: z.string().describe('The values that answer_question accepts'),
        kind: z.enum(['ask', 'limit', 'permission']),
        text: z.string(),
        choices: z.array(z.string()).describe('Empty: any text is an answer'),
        choiceDetails: choiceDetailsSchema.exactOptional(),
        isApproval: z.boolean().describe('A person answers it; answer_question may not, unless they allowed it'),
        files: z.string().exactOptional().describe('The files it is asked for; pass them on with the answer'),
      }),
    )
    .describe('What waits for a person'),
  overlaps: z
    .array(z.string())
    .exactOptional()
    .describe('Files that several of its workspaces changed and that are not merged yet, a line each'),
  failure: z.string().nullable(),
  costUsd: z.number().nullable().describe('null: a call had no known price'),
  tokens: z.object({ input: z.number(), output: z.number() }),
  startedAt: z.string(),
  endedAt: z.string().nullable(),
  damage: z.string().nullable().describe('Why its journal cannot be read'),
  page: z.string().nullable().describe('The run in the web page, where one is open; for a person'),
  next: z.string().describe('What can be done now'),
});

export type RunReport = z.infer<typeof runReport>;

export function reportOf(card: RunCard, page: string | null): RunReport {
  const { run, workflow, title, project, status, outcome, result, driven, damage } = card;
  const { state, agents, questions, overlaps, failure, costUsd, usage } = card.details ?? UNREAD;
  return {
    run,
    handle: runUri(run),
    workflow,
    title,
    project,
    status,
    outcome,
    result: result.state,
    resultText: resultText(result, driven),
    state,
    agentsAtWork: [...agents],
    questions: questions.map(questionReport),
    ...(overlaps === undefined ? {} : { overlaps: [...overlaps] }),
    failure,
    costUsd,
    tokens: { input: usage.inputTokens, output: usage.outputTokens },
    startedAt: new Date(card.startedAt).toISOString(),
    endedAt: card.endedAt === null ? null : new Date(card.endedAt).toISOString(),
    damage,
    page,
    next: nextOf(card),
  };
}

/** Of one that cannot be read. */
const UNREAD: Readonly<Pick<CardDetails, 'agents' | 'questions' | 'overlaps' | 'failure' | 'costUsd' | 'usage'>> & {
  readonly state: null;
} = { state: null, agents: [], questions: [], failure: null, costUsd: null, usage: NO_USAGE };

const questionReport = ({
  name,
  kind,
  text,
  choices,
  choiceDetails,
  mark,
  ...rest
}: QuestionView): RunReport['questions'][number] => ({
  question: name,
  kind,
  text,
  choices: [...choices],
  ...(choiceDetails === undefined ? {} : { choiceDetails: [...choiceDetails] }),
  isApproval: isApproval({ kind, choices, ...rest }),
  ...(mark === undefined ? {} : { files: mark }),
});

export const runUri = (run: string, rest = ''): string => `troupe://runs/${encodeURIComponent(run)}${rest}`;

function nextOf({ run, status, queued, result, details, damage }: RunCard): string {
  if (damage !== null) return 'Its journal cannot be read. A person sees more with: troupe doctor';
  if (details !== null && details.questions.length > 0) return NEXT.waiting(run);
  if (queued !== undefined) return queuedText(queued, NEXT.queued(run));
  const hints = details?.hints ?? [];
  return status === 'settled' && OPEN.has(result.state) && hints.length > 0
    ? `${NEXT[status](run)} ${waitingFiles(hints)}`
    : NEXT[status](run);
}

const OPEN: ReadonlySet<string> = new Set(['waiting', 'refused']);

/** The next step for the caller; only the person resumes a run that is held or has lost its process. */
const NEXT: Readonly<Record<RunCard['status'], (run: string) => string>> = {
  settled: () => 'run_result returns its result.',
  waiting: () => 'answer_question, with the answer of the person you work for unless they left it to you.',
  paused: (run) =>
    `A person paused it. When the person you work for wants it to continue: resume_run (troupe resume ${run}).`,
  stopped: (run) =>
    `No process drives it. When the person you work for wants it to continue: resume_run (troupe resume ${run}).`,
  queued: () => 'A worker takes it by itself; wait_run returns when it is over or asks something.',
  running: () => 'wait_run returns when it is over or asks something.',
};

const queuedText = (why: QueuedReason, soon: string): string =>
  `It is queued: ${why.text}. ${willBeTaken(why) ? soon : 'It goes on once a person has started a worker that offers what it needs.'}`;

const waitingFiles = (hints: readonly string[]): string =>
  `Its files are not in the project yet; a person continues with: ${hints.join(' or ')}`;
