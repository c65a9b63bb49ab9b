import { z } from 'zod';
import type { RunCard } from '../../protocol/web/run-card.ts';

/** Where a run stands, as other agents are told it. */
export const runReport = z.object({
  run: z.string().describe('The id that the other tools take'),
  handle: z.string().describe('The same as a resource'),
  workflow: z.string(),
  title: z.string(),
  project: z.string(),
  status: z
    .enum(['running', 'stopped', 'waiting', 'paused', 'settled'])
    .describe('waiting: it asks something; paused: a limit or a person holds it; stopped: no process drives it'),
  outcome: z
    .enum(['ok', 'partial', 'failed', 'timeout', 'crashed', 'skipped', 'blocked', 'cancelled', 'quota'])
    .nullable()
    .describe('null until it is settled'),
  state: z.string().nullable(),
  agentsAtWork: z.array(z.string()),
  questions: z
    .array(
      z.object({
        question: z.string().describe('What answer_question takes'),
        kind: z.enum(['ask', 'limit', 'permission']),
        text: z.string(),
        choices: z.array(z.string()).describe('Empty: any text is an answer'),
      }),
    )
    .describe('What waits for somebody'),
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
  const { run, workflow, title, project, status, outcome, details, damage } = card;
  return {
    run,
    handle: runUri(run),
    workflow,
    title,
    project,
    status,
    outcome,
    state: details?.state ?? null,
    agentsAtWork: [...(details?.agents ?? [])],
    questions: (details?.questions ?? []).map(({ name, kind, text, choices }) => ({
      question: name,
      kind,
      text,
      choices: [...choices],
    })),
    failure: details?.failure ?? null,
    costUsd: details?.costUsd ?? null,
    tokens: { input: details?.usage.inputTokens ?? 0, output: details?.usage.outputTokens ?? 0 },
    startedAt: new Date(card.startedAt).toISOString(),
    endedAt: card.endedAt === null ? null : new Date(card.endedAt).toISOString(),
    damage,
    page,
    next: nextOf(card),
  };
}

export const runUri = (run: string, rest = ''): string => `troupe://runs/${encodeURIComponent(run)}${rest}`;

/** Limits and what a person holds are a person's to lift, so no tool does. */
function nextOf({ run, status, details, damage }: RunCard): string {
  if (damage !== null) return `Its journal cannot be read. A person sees more with: troupe doctor`;
  switch (status) {
    case 'settled':
      return details?.isResultWaiting === true
        ? `run_result tells what came out. Its files are not in the project yet; a person brings them there with: troupe merge ${run} --apply`
        : 'run_result tells what came out.';
    case 'waiting':
      return 'answer_question, with the answer of the person you work for unless they left it to you.';
    case 'paused':
      return `A limit was met, or somebody holds it. A person lets it go on with: troupe resume ${run}`;
    case 'stopped':
      return `No process drives it. A person lets it go on with: troupe resume ${run}`;
    case 'running':
      return 'wait_run tells when it is over or asks something.';
  }
}
