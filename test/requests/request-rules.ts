import { requestBlocks, type RequestBlock } from '../../src/actors/model/prefix-cache.ts';
import { goldenBlock } from './golden-text.ts';
import type { Fact } from '../../src/core/record/fact.ts';
import { runId } from '../../src/core/model/ids.ts';
import { isJsonObject, type Json } from '../../src/core/model/json.ts';
import { checkToolSchema } from '../../src/source/roles/parse-roles.ts';
import { problemReport } from '../../src/source/problem-report.ts';
import type { RecordedRun } from './record-run.ts';
import type { SentRequest } from './scripted-wire.ts';

/** A request with what the journal knows about it. */
export interface JudgedRequest {
  /** Where it is: run, agent, state, call. */
  readonly place: string;
  readonly sent: SentRequest;
  readonly blocks: readonly RequestBlock[];
  /** What the workflow ordered for this turn. */
  readonly order: string;
  /** The reply tools one of which has to end this turn. */
  readonly owed: readonly string[];
  /** The agent's request before this one, in the same run. */
  readonly before: JudgedRequest | null;
  /** Facts of the run. */
  readonly facts: readonly Fact[];
}

export async function judgedRequests({ sent, journal }: RecordedRun): Promise<readonly JudgedRequest[]> {
  const last = new Map<string, JudgedRequest>();
  const judged: JudgedRequest[] = [];
  for (const one of sent) {
    const { run = '', agent = '', state, call, key } = one.who;
    const facts = (await journal.read(runId(run))).map(({ fact }) => fact);
    const task = key.slice(run.length + 1).split('/')[0];
    const started = facts.find((fact) => fact.kind === 'task.started' && fact.task === task);
    const work = started?.kind === 'task.started' && started.work.kind === 'turn' ? started.work : null;
    const speaker = `${run} ${agent}`;
    const request = {
      place: `${run} ${agent} ${state} ${call}`,
      sent: one,
      blocks: requestBlocks(one.body),
      order: work?.input ?? work?.opening ?? '',
      owed: work?.reply ?? [],
      before: last.get(speaker) ?? null,
      facts,
    };
    last.set(speaker, request);
    judged.push(request);
  }
  return judged;
}

/** What is wrong with a request, in sentences. */
export type RequestRule = (request: JudgedRequest) => readonly string[];

export const systemText = ({ blocks }: JudgedRequest): string =>
  blocks
    .filter(({ section }) => section === 'system')
    .map(goldenBlock)
    .join('\n\n');

/** What surrounds an agent's work: the machine it runs commands on, and what is ready there. */
export const statesSurroundings: RequestRule = (request) => {
  const text = systemText(request);
  const runsCommands = /Mode (?:commands|write):/.test(text);
  const lines = [/Setup: `npm ci` has succeeded/, /Tests: /, /run in a sandbox/, /network/];
  return lines.flatMap((line) =>
    line.test(text) === runsCommands
      ? []
      : [
          `${request.place}: ${line.source} ${runsCommands ? 'is missing' : 'is of no use to a team without commands'}.`,
        ],
  );
};

/** The list of agents says where an agent works: compared with the workspace that its run really has. */
export const statesWorkspace: RequestRule = (request) => {
  const { agent = '', run = '' } = request.sent.who;
  const started = request.facts.find(({ kind }) => kind === 'run.started');
  const isMain = started?.kind !== 'run.started' || (started.workspace ?? 'main') === 'main';
  const lines = systemText(request)
    .split('\n')
    .filter((line) => line.startsWith(`- ${agent}:`) || line.startsWith(`- ${agent} (`));
  // A sub-agent works where its starter does.
  if (lines.some((line) => line.includes('in the workspace of its starter'))) return [];
  const claims = (text: string): boolean => lines.some((line) => line.includes(text));
  const problems = [
    ...(isMain || claims('in its workspace')
      ? []
      : ['works in the workspace of its run, and its line does not say so']),
    ...(isMain && lines.every((line) => line.includes('in its workspace')) ? ['works in the main workspace'] : []),
    ...(run.includes('/') && !claims('one in each') && !isMain ? ['is one of several'] : []),
  ];
  return problems.map((problem) => `${request.place}: ${problem}. Its lines: ${lines.join(' ')}`);
};

/** A role's own text has the parts of a brief. */
export const hasBriefParts: RequestRule = (request) => {
  const [, role = ''] = request.blocks.filter(({ section }) => section === 'system').map(goldenBlock);
  const parts = [/^(?:## Goal|# Role)/m, /^##? Hand in/m, /Done when/];
  return parts.flatMap((part) => (part.test(role) ? [] : [`${request.place}: ${part.source} is missing in its role.`]));
};

/** An order for which a reply tool is owed names that tool. */
export const namesOwedReply: RequestRule = ({ place, order, owed }) =>
  owed.length === 0 || owed.some((tool) => order.includes(`\`${tool}\``))
    ? []
    : [`${place}: the order names none of the replies it owes: ${owed.join(', ')}.`];

/** A request names only inputs that it holds, and only authors that are in the team. */
export const namesOnlyGiven: RequestRule = (request) => {
  const [system, heard] = [systemText(request), spoken(request)];
  const team = new Set(Array.from(system.matchAll(/^- ([\w-]+)[: ]/gm), ([, name]) => name));
  const authors = Array.from(heard.matchAll(/^## .* \(\w+ from ([\w-]+)(?:, stage .*)?\)$/gm), ([, name]) => name);
  const states = new Set(request.facts.flatMap((fact) => (fact.kind === 'state.entered' ? [fact.state] : [])));
  const offers = (field: string): boolean =>
    request.sent.who.tools.some(({ parameters }) => field in Object(parameters['properties']));
  const kind = /of the kind `(\w+)`/.exec(request.order)?.[1];
  const problems = [
    ...authors.filter((name) => !team.has(name)).map((name) => `something is from ${name}, who is not in the team`),
    ...(/test results? you are given/.test(system) && !/The engine ran|Evidence/.test(heard)
      ? ['no test result is given']
      : []),
    ...(offers('planNeeded') && ![...states].some((state) => state.includes('plan')) ? ['there is no plan stage'] : []),
    ...(kind !== undefined && !request.order.includes(`"kind":"${kind}"`)
      ? [`its example is not of the kind ${kind}`]
      : []),
    ...(/`report_status` if you cannot/.test(heard) ? ['which status to report is open'] : []),
  ];
  return problems.map((problem) => `${request.place}: ${problem}.`);
};

/** An order of a stage can be followed as it is: what it speaks of is there, once, in words, and a revision has its reasons. */
export const canBeFollowed: RequestRule = (request) => {
  const { order, sent, place } = request;
  const heads = order.match(/^## .* \(\w+ from .*\)$/gm) ?? [];
  const task = order.slice(order.indexOf('# Stage ')).split('\n## ', 1)[0] ?? '';
  const statuses = sent.who.tools.filter(({ name }) => name === 'report_status').map(({ parameters }) => parameters);
  const faults: readonly (readonly [boolean, string])[] = [
    [new Set(heads).size < heads.length, `two parts have one heading: ${heads.join(' ')}`],
    [/^- \{"/m.test(order), 'a list of it is raw JSON'],
    [/NEEDS_REVISION[^#]*issues: none/.test(order), 'work is sent back without an issue'],
    [
      /\(round \d+\)/.test(task) && !/\bissues? of (?:the|your last) review/.test(task),
      'a later round has the first order',
    ],
    [/\bthe design\b/.test(task) && !order.includes('(design from'), 'the design it speaks of is missing'],
    [/\breview\b[^.]* below/.test(task) && !order.includes('(review from'), 'the review it speaks of is missing'],
    [/engine (?:ran|knows) no test/.test(order) && /Tests: the /.test(systemText(request)), 'the engine ran no tests'],
    [JSON.stringify(statuses).includes('complete'), 'it is offered a status that no order asks for'],
    [/Open the (?:sources|pages)/.test(task) && !/could not check/.test(task), 'what cannot be opened is left open'],
  ];
  return faults.flatMap(([isWrong, what]) => (isWrong ? [`${place}: ${what}.`] : []));
};

const spoken = ({ blocks }: JudgedRequest): string => blocks.filter(isText).map(goldenBlock).join('\n\n');

/** Neither calls nor results: what others say to the agent. */
export const isText = ({ section, name, kind }: RequestBlock): boolean =>
  section === 'messages' && name === 'user' && kind.endsWith('text');

export const hasOrder: RequestRule = (request) =>
  spoken(request).includes(request.order) ? [] : [`${request.place}: its order is missing.`];

/** Tools that prompts mention, by all names that exist anywhere: a tool that a prompt asks for must be offered. */
export const namesOfferedTools =
  (known: ReadonlySet<string>): RequestRule =>
  (request) => {
    const offered = new Set(request.sent.who.tools.map(({ name }) => name));
    const system = request.blocks.filter(({ section }) => section === 'system').map(goldenBlock);
    const named = [...system, request.order].flatMap((text) => text.match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? []);
    const missing = new Set(named.filter((name) => known.has(name) && !offered.has(name)));
    return [...missing].map((name) => `${request.place}: ${name} is named and not offered.`);
  };

export const offersUsableTools =
  (unusable: ReadonlySet<string>): RequestRule =>
  ({ place, sent }) =>
    sent.who.tools
      .filter(({ name }) => unusable.has(name))
      .map(({ name }) => `${place}: ${name} is offered and cannot work.`);

export const hasValidSchemas: RequestRule = ({ place, sent }) =>
  sent.who.tools.flatMap(({ name, parameters }) => {
    const report = problemReport({ file: name, locate: () => undefined });
    checkToolSchema(parameters, [name], report);
    const problems = report.problems.map(({ message }) => `${place}: ${message}`);
    return parameters['type'] === 'object' ? problems : [...problems, `${place}: the schema of ${name} is no object.`];
  });

/** Whether a change of the conversation is in the journal: only then may the prefix differ. */
const isEdited = ({ facts }: JudgedRequest): boolean =>
  facts.some(({ kind }) => kind === 'context.cleared' || kind === 'context.trimmed' || kind.includes('compact'));

export const keepsPrefix: RequestRule = (request) => {
  const { before, blocks, place } = request;
  if (before === null) return [];
  const parts = isEdited(request) ? (['tools', 'system'] as const) : (['tools', 'system', 'messages'] as const);
  return parts.flatMap((section) => {
    const [now, then] = [blocks, before.blocks].map((all) => all.filter((block) => block.section === section));
    const differs = (then ?? []).findIndex(({ text }, at) => now?.[at]?.text !== text);
    return differs === -1 ? [] : [`${place}: ${section} differ from the request before at ${differs + 1}.`];
  });
};

export const fitsWindow =
  (tokens: number): RequestRule =>
  ({ place, blocks }) => {
    const size = blocks.reduce((sum, block) => sum + block.tokens, 0);
    return size <= tokens ? [] : [`${place}: about ${size} tokens of ${tokens}.`];
  };

const LONG_TEXT = 80;

/** What other agents handed in stands once in what an agent hears between two of its own messages. */
export const hearsFeedbackOnce: RequestRule = (request) => {
  const heard = request.blocks.filter(isText).map(({ text }) => text);
  const said = request.facts.flatMap((fact) =>
    fact.kind === 'call.answered' && fact.message.author !== request.sent.who.agent
      ? (fact.message.toolCalls ?? []).flatMap((call) => textsIn(call.arguments))
      : [],
  );
  const isTwice = (text: string): boolean =>
    heard.some((message) => message.split(JSON.stringify(text).slice(1, -1)).length > 2);
  return [...new Set(said)]
    .filter((text) => text.length >= LONG_TEXT && isTwice(text))
    .map((text) => `${request.place}: hears twice "${text.slice(0, 60)}…".`);
};

function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap(textsIn);
  return isJsonObject(value) ? Object.values(value).flatMap(textsIn) : [];
}

/** A finding is named together with the implementation it is about, in the same paragraph. */
export const placesFindings: RequestRule = (request) =>
  spoken(request)
    .split(/\n\s*\n/)
    .flatMap((paragraph) => paragraph.split(/\n(?=\S)/))
    .filter((entry) => /\bF\d+\b/.test(entry) && !/\bimpl_\d+\b/.test(entry))
    .map((entry) => `${request.place}: a finding without what it is about: "${entry.slice(0, 100)}".`);
