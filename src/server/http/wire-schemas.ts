import { z } from 'zod';
import { APPROVES } from '../../core/question-fact.ts';
import type { ApiError } from '../../protocol/web/api-error.ts';
import type { GraphView } from '../../protocol/web/graph-view.ts';
import type { RunCard, RunPage } from '../../protocol/web/run-card.ts';
import type { InboxPage } from '../../protocol/web/inbox-page.ts';
import type { SearchPage } from '../../protocol/web/search-page.ts';
import type { TreePage } from '../../protocol/web/tree-page.ts';
import type { WorkflowLine } from '../../protocol/web/workflow-page.ts';
import type { QuestionView } from '../../protocol/question-view.ts';

/**
 * The wire types as schemas, for the document that describes the API. The compiler holds those that a page draws to the types
 * themselves; of what the engine's core defines (facts, workflows) only what outsiders rely on is told.
 */
const count = z.int().min(0);
const time = z.number().describe('Milliseconds since 1970');

const question: z.ZodType<QuestionView> = z.object({
  id: z.string(),
  name: z.string(),
  run: z.string(),
  kind: z.enum(['ask', 'limit', 'permission']),
  text: z.string(),
  choices: z.array(z.string()),
  approves: z
    .enum(APPROVES)
    .exactOptional()
    .describe('It takes any text, and is an approval all the same: of the files when it was asked, or at the answer'),
  state: z.string(),
  at: time,
  mark: z.string().exactOptional().describe('The files that an approval is asked for; its answer names them'),
  isAgain: z.literal(true).exactOptional().describe('The files changed since it was asked, so an answer was void'),
});

const result = z
  .object({
    kind: z.enum([
      'not-verified',
      'unresolved',
      'conflict',
      'unapproved',
      'undelivered',
      'half-applied',
      'branch',
      'patch',
      'waiting',
      'applied',
      'held',
    ]),
    where: z.string().optional().describe('The branch, or the file of the patch'),
    isUnverified: z.literal(true).optional().describe('The user took files that are not verified'),
  })
  .describe('Where its result is; absent while it goes on, and where there is none');

const outcome = z
  .enum(['ok', 'partial', 'failed', 'timeout', 'crashed', 'skipped', 'blocked', 'cancelled', 'quota'])
  .nullable();

const usage = z.looseObject({}).describe('Tokens in, out and from the cache');

const runCard = z.object({
  run: z.string(),
  workflow: z.string(),
  title: z.string(),
  project: z.string(),
  column: z.enum(['running', 'needs-you', 'review', 'done']),
  status: z.enum(['running', 'stopped', 'waiting', 'paused', 'settled']),
  outcome,
  result: result.optional(),
  driven: z.boolean(),
  startedAt: time,
  updatedAt: time,
  endedAt: time.nullable(),
  seq: count,
  details: z
    .object({
      usage,
      costUsd: z.number().nullable().describe('null: a call had no known price'),
      clock: z
        .object({
          startedAt: time,
          endedAt: time.nullable(),
          pausedMs: count,
          still: z.looseObject({ since: time }).nullable(),
          waitedMs: count,
          waitsSince: count.nullable(),
        })
        .describe('How long it worked, waited for a person and stood still'),
      state: z.string(),
      agents: z.array(z.string()),
      questions: z.array(question),
      failure: z.string().nullable(),
      isResultWaiting: z.boolean(),
      hints: z.array(z.string()).describe('Commands for what can be done with its result now'),
      takenBranch: z.string().nullable().describe('The branch of its result, once the user merged or deleted it'),
    })
    .nullable()
    .describe('null until the run was folded'),
  damage: z.string().nullable(),
});

const runPage = z.object({
  cards: z.array(runCard),
  counts: z.object({ running: count, 'needs-you': count, review: count, done: count }),
  unread: count,
  next: z.string().nullable().describe('For the next page; null at the end'),
});

const record = z
  .looseObject({ seq: count, at: time, fact: z.looseObject({ kind: z.string() }) })
  .describe('A record of the journal');

const recordLine = z.object({
  run: z.string(),
  record,
  cut: z
    .array(z.object({ path: z.array(z.union([z.string(), z.number()])), length: count }))
    .exactOptional()
    .describe('Texts that were too long to be sent; the whole record: /api/runs/{run}/records/{seq}'),
});

const recordPage = z.object({
  run: z.string(),
  records: z.array(recordLine),
  seq: count.describe('Number of the newest record'),
  after: count.nullable().describe('For the next page; null at the end'),
});

const streamBatch = z.object({
  records: z.array(recordLine),
  cards: z.array(runCard),
  texts: z.array(z.object({ run: z.string(), task: z.string(), agent: z.string(), offset: count, text: z.string() })),
  lost: z.array(z.object({ run: z.string(), code: z.string(), message: z.string() })),
});

const runView = z
  .looseObject({
    run: z.string(),
    parent: z.string().nullable(),
    workflow: z.string(),
    project: z.string(),
    status: z.enum(['running', 'waiting', 'paused', 'settled']),
    outcome,
    state: z.string(),
    states: z.array(z.string()),
    questions: z.array(question),
    seq: count,
    driven: z.boolean(),
    children: z.array(z.string()),
  })
  .describe('What `troupe show RUN --json` prints');

const box = { x: z.number(), y: z.number(), width: z.number(), height: z.number() };

const graphView: z.ZodType<GraphView> = z.object({
  hash: z.string(),
  direction: z.enum(['right', 'down']),
  width: z.number(),
  height: z.number(),
  nodes: z.array(
    z.object({
      id: z.string(),
      parent: z.string().nullable(),
      kind: z.enum([
        'turn',
        'tell',
        'clear',
        'script',
        'command',
        'call',
        'pool',
        'ask',
        'merge',
        'wait',
        'compute',
        'choice',
        'end',
        'lane',
        'start',
      ]),
      label: z.string(),
      detail: z.string(),
      ...box,
      state: z.string().nullable(),
      states: z.array(z.string()),
      counted: z.array(z.string()),
      run: z.string().nullable(),
      unit: z.string().nullable(),
      inside: z.enum(['none', 'folded', 'open']),
      file: z.string().nullable(),
      line: z.number().nullable(),
      outcome: z.string().nullable(),
    }),
  ),
  edges: z.array(
    z.object({
      id: z.string(),
      from: z.string(),
      to: z.string(),
      label: z.string(),
      outcome: z.string(),
      transition: z.number(),
      ways: z.array(z.object({ state: z.string(), outcome: z.string(), transition: z.number() })),
      isBack: z.boolean(),
      points: z.array(z.object({ x: z.number(), y: z.number() })),
      labelAt: z.object(box).nullable(),
    }),
  ),
});

const lineOfWorkflow = {
  name: z.string(),
  description: z.string(),
  origin: z.enum(['project', 'shipped']),
  file: z.string().nullable(),
  inputs: z.array(
    z.object({
      name: z.string(),
      type: z.string(),
      description: z.string(),
      isRequired: z.boolean(),
      default: z.string().nullable(),
      choices: z.array(z.string()),
      isLong: z.boolean(),
    }),
  ),
};

const workflowLine: z.ZodType<WorkflowLine> = z.object(lineOfWorkflow);

const problem = z.looseObject({ severity: z.enum(['error', 'warning']), code: z.string(), message: z.string() });

const workflowPage = z.object({
  ...lineOfWorkflow,
  text: z.string().nullable(),
  graph: graphView.nullable(),
  workflow: z.looseObject({}).nullable(),
  problems: z.array(problem),
  roles: z.array(
    z.object({ name: z.string(), role: z.looseObject({}), prompt: z.string(), file: z.string().nullable() }),
  ),
});

const treePage: z.ZodType<TreePage> = z.object({
  runs: z.array(
    z.object({
      run: z.string(),
      parent: z.string().nullable(),
      workflow: z.string(),
      seq: count,
      status: z.enum(['running', 'waiting', 'paused', 'settled']),
    }),
  ),
});

const inboxPage: z.ZodType<InboxPage> = z.object({
  questions: z.array(
    z.object({ run: z.string(), workflow: z.string(), title: z.string(), project: z.string(), question }),
  ),
  unread: z.array(
    z.object({ run: z.string(), workflow: z.string(), title: z.string(), damage: z.string().nullable() }),
  ),
});

const searchPage: z.ZodType<SearchPage> = z.object({
  query: z.string(),
  hits: z.array(
    z.object({
      run: z.string(),
      seq: count.nullable(),
      at: time,
      kind: z.string(),
      path: z.array(z.union([z.string(), z.number()])),
      excerpt: z.string(),
      offset: count,
      count,
    }),
  ),
  count: count.describe('How often it stands there in all'),
  places: count,
  isWhole: z.boolean(),
});

const apiError: z.ZodType<ApiError> = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    hint: z.string().exactOptional(),
    problems: z.array(z.unknown()).exactOptional(),
  }),
});

/** By the name each has in the document. */
export const WIRE = {
  ApiError: apiError,
  RunCard: runCard satisfies z.ZodType<Loose<RunCard>>,
  RunPage: runPage satisfies z.ZodType<Loose<RunPage>>,
  RunView: runView,
  RecordLine: recordLine,
  RecordPage: recordPage,
  StreamBatch: streamBatch,
  TreePage: treePage,
  InboxPage: inboxPage,
  SearchPage: searchPage,
  Question: question,
  GraphView: graphView,
  WorkflowLine: workflowLine,
  WorkflowPage: workflowPage,
} as const;

/** Without the parts that are told loosely. */
type Loose<Type> = { readonly [Key in keyof Type]: unknown };
