import { defaultReply, sample } from '../../src/actors/scripted/choose-reply.ts';
import { SILENCE, type Say } from '../../src/actors/scripted/rule.ts';
import { newestUserText, type ScriptedRequest, stepIdIn } from '../../src/actors/scripted/scripted-request.ts';
import { isJsonObject, type Json, type JsonObject } from '../../src/core/model/json.ts';
import type { ToolSpec } from '../../src/core/model/role.ts';
import type { Script } from './scripted-wire.ts';

export interface TeamHabits {
  /** Files that agents read, by turns. */
  readonly files: readonly string[];
  /** How many of them in one turn. */
  readonly reads: number;
  /** Characters of each file that is written. */
  readonly writes: number;
  /** The steps of a plan. */
  readonly steps?: number;
}

/**
 * A team that works the same way in every workflow: read some files, write one, run the tests, hand in what is owed.
 * What is handed in follows from the schemas of the tools, so that rewritten prompts leave the work as it is.
 */
export function teamScript(habits: TeamHabits): Script {
  const memory: Memory = { isRevised: false, positions: new Map(), reviews: new Map() };
  return (request) => {
    if (request.key.endsWith('/summary')) return { ...SILENCE, text: 'Some files are read; the work goes on.' };
    if (request.state === 'revise') memory.isRevised = true;
    return workOf(request, habits) ?? handIn(request, memory, habits);
  };
}

interface Memory {
  isRevised: boolean;
  /** How often each agent handed in a position, and a review. */
  readonly positions: Map<string, number>;
  readonly reviews: Map<string, number>;
}

/** What is done before the hand-in; undefined when all of it is done. */
function workOf(request: ScriptedRequest, { files, reads, writes }: TeamHabits): Say | undefined {
  const offered = new Set(request.tools.map(({ name }) => name));
  const work: Say[] = [];
  if (offered.has('read_file')) {
    const first = files.indexOf(files.find((file) => file.includes(request.agent ?? '?')) ?? '') + 1;
    for (let at = 0; at < reads; at += 1) {
      work.push(calls('read_file', { path: files[(first + at) % files.length] ?? 'readme.txt' }));
    }
  }
  if (offered.has('write_file')) {
    work.push(
      calls('write_file', {
        path: writtenBy(request),
        content: textOf(`${writtenBy(request)} ${roundOf(request)}`, writes),
      }),
    );
  }
  if (offered.has('execute_terminal')) work.push(calls('execute_terminal', { command: 'npm test' }));
  const output = request.tools.find(({ name }) => name === 'submit_output');
  if (output !== undefined) work.push(...owedOutputs(output, request));
  return work[(request.call ?? 1) - 1];
}

/** A coder or improver that is called again by another workflow writes another text: work that changes nothing is not taken. */
const roundOf = ({ state = '', role, run = '', visit }: ScriptedRequest): string =>
  state === 'code' || state.endsWith('_revision') || role === 'improver' ? `${run} ${visit}` : String(visit);

/** The file that an agent writes: each step and each implementer has its own. */
export function writtenBy(request: ScriptedRequest): string {
  if (request.state === 'documentation') return 'docs/work.md';
  return `src/${stepIdIn(request) ?? request.agent ?? 'work'}.ts`;
}

export function textOf(name: string, characters: number): string {
  const line = (at: number): string => `export const ${name.replaceAll(/\W/g, '_')}_${at} = ${at * 7}; // line ${at}\n`;
  let text = '';
  for (let at = 1; text.length < characters; at += 1) text += line(at);
  return text;
}

/** Whole texts are handed in as they are, lists of files as the file that was written. */
function owedOutputs({ name: tool, parameters }: ToolSpec, request: ScriptedRequest): readonly Say[] {
  const described = fieldsOf(parameters)['content'] ?? null;
  const text = isJsonObject(described) ? JSON.stringify(described['description']).replaceAll('\\n', '\n') : '';
  return [...text.matchAll(/^"?(\w+): (.*?)"?$/gm)].map(([, name = '', meant = '']) => {
    const content = meant.startsWith('the whole text') ? wholeText(meant) : [writtenBy(request)];
    return calls(tool, { name, content });
  });
}

const wholeText = (meant: string): string =>
  meant.endsWith('.json')
    ? '{"tests_failed": 0, "failures": [], "tasks": [{"id": 1, "description": "Write it", "files": ["src/slug.js"], "risk": "low"}]}'
    : '# All of it\n\nThe work is described here.\n';

function handIn(request: ScriptedRequest, memory: Memory, habits: TeamHabits): Say | undefined {
  const replies = request.tools.filter(({ name }) => request.parsingTools.includes(name));
  const reply = replies.length < 2 ? replies[0] : chosenReply(request, replies);
  const fields = fieldsOf(reply?.parameters ?? {});
  const isWriting = request.state === 'plan' || request.state === 'analyse';
  if (reply === undefined || (isWriting && 'approved' in fields)) {
    return { ...SILENCE, text: `I did it: ${writtenBy(request)} holds the work, and the tests pass.` };
  }
  if ('stances' in fields) return calls(reply.name, position(request, memory));
  if ('ranking' in fields && 'findings' in fields) return calls(reply.name, review(request, memory));
  if ('steps' in fields) return calls(reply.name, { steps: planned(habits.steps ?? 1) });
  if ('requirements' in fields && 'observables' in fields && !('subject' in fields))
    return calls(reply.name, requirements());
  if (request.state === 'requirements' && request.visit === 1) return calls('ask_question', QUESTION);
  if ('signal' in fields) return defaultReply({ ...request, parsingTools: [reply.name] });
  return calls(reply.name, filled(reply, request, memory));
}

/** A reviewer has two replies; an agent that plans or asks has its own besides the signal. The role's first one is the usual one. */
function chosenReply(request: ScriptedRequest, offered: readonly ToolSpec[]): ToolSpec | undefined {
  const isDebate = request.state === 'debate';
  const replies = request.parsingTools.flatMap((name) => offered.filter((tool) => tool.name === name));
  const debated = replies.find(({ parameters }) => 'stances' in fieldsOf(parameters) === isDebate);
  return isDebate ? debated : (replies.find(({ parameters }) => !('signal' in fieldsOf(parameters))) ?? debated);
}

const QUESTION: JsonObject = { question: 'May slugs of published posts change?', choices: ['yes', 'no'] };

const fieldsOf = ({ properties = null }: JsonObject): JsonObject => (isJsonObject(properties) ? properties : {});

const requirements = (): JsonObject => ({
  requirements: ['Every module has its own file.', 'The tests pass.'],
  contexts: ['A project without dependencies.'],
  observables: ['npm test ends with 0.'],
});

function planned(count: number): readonly Json[] {
  return Array.from({ length: count }, (_, at) => ({
    id: `step-${at + 1}`,
    title: `Write module ${at + 1}`,
    after: at < 2 ? [] : [`step-${at - 1}`],
    files: [`src/step-${at + 1}.ts`],
    acceptance: ['The file is there and the tests pass.'],
  }));
}

/** The implementations that are asked about, wherever the order names them. */
function implementations(request: ScriptedRequest): readonly string[] {
  const text = newestUserText(request);
  const asked = /ranking of ([\w, ]+?), best first/i.exec(text)?.[1]?.split(', ');
  return asked ?? [...new Set(text.match(/\bimpl_\d+\b/g))].toSorted();
}

function review(request: ScriptedRequest, memory: Memory): JsonObject {
  const agent = request.agent ?? '';
  memory.reviews.set(agent, (memory.reviews.get(agent) ?? 0) + 1);
  const ranking = implementations(request);
  const findings = ranking.map((implementation, at) => ({
    implementation,
    severity: 'major',
    priority: 2,
    file: `src/${implementation}.ts`,
    line: (agent === 'rev_1' ? 1 : 11) + at,
    claim: `Line ${at + 1} of ${implementation} does not do what the task says, as ${agent} sees it.`,
    change: 'Do what the task says.',
  }));
  return { verdict: agent === 'rev_1' ? 'REVISE_ALL' : 'REVISE_BEST', ranking, findings, summary: 'So far.' };
}

/** Two rounds of debate, then one mind; after the revision everything is settled. */
function position(request: ScriptedRequest, memory: Memory): JsonObject {
  const agent = request.agent ?? '';
  const count = (memory.positions.get(agent) ?? 0) + 1;
  memory.positions.set(agent, count);
  const ids = [...new Set(newestUserText(request).match(/^F\d+\b/gm))];
  const stance = memory.isRevised ? 'disagree' : 'agree';
  const stances = ids.map((finding) => ({ finding, stance, reason: 'I looked at the line in the diff.' }));
  const early = agent === 'rev_1' && count < 2 ? 'REVISE_ALL' : 'REVISE_BEST';
  return { verdict: memory.isRevised ? 'APPROVE' : early, ranking: implementations(request), stances, findings: [] };
}

/** Loops go round once: the first verdict of each kind sends the work back. */
function filled({ name, parameters }: ToolSpec, request: ScriptedRequest, memory: Memory): JsonObject {
  const given = sample(parameters, '');
  const fields = isJsonObject(given) ? given : {};
  const key = `${request.run} ${request.agent} ${name} ${'verdict' in fields ? request.state : ''}`;
  const isFirst = !memory.reviews.has(key);
  memory.reviews.set(key, 1);
  const found: [string, Json][] = Object.entries(fields).map(([field, value]) => [
    field,
    FIELDS[field]?.(request, isFirst) ?? value,
  ]);
  if ('improvement_needed' in fields) found.push(isFirst ? CONTINUE : SUMMARY);
  return Object.fromEntries(found);
}

const CONTINUE: [string, Json] = [
  'continue_message',
  'The edge cases have no test yet. Add one for an empty title and one for a title that has only umlauts in it.',
];
const SUMMARY: [string, Json] = ['work_summary', 'The module and its tests are there.'];

const FIELDS: Readonly<Record<string, (request: ScriptedRequest, isFirst: boolean) => Json>> = {
  improvement_needed: (_, isFirst) => isFirst,
  approved: (_, isFirst) => !isFirst,
  feedback: (_, isFirst) =>
    isFirst
      ? 'The error message names no file, so that its reader cannot find the place. Say which file and line it is about.'
      : 'Every point is in the files, and the tests pass.',
  verdict: (_, isFirst) => (isFirst ? 'NEEDS_REVISION' : 'APPROVED'),
  issues: (_, isFirst) =>
    isFirst ? [{ description: 'Titles of umlauts only are not covered.', severity: 'major', location: 'umlauts' }] : [],
  best: (request) => implementations(request)[0] ?? 'impl_1',
  winner: (request) => /\bcandidate_\d+\b/.exec(newestUserText(request))?.[0] ?? 'candidate_1',
  choice: (request) => /^- (.+)$/m.exec(newestUserText(request))?.[1] ?? 'yes',
  kind: ({ state }) => (state === 'documentation' ? 'documentation' : 'code'),
  files: (request) => [writtenBy(request)],
  findings: () => [
    { claim: 'Umlauts become two letters.', confidence: 'high', sources: ['https://example.com/slugs'] },
  ],
  title: () => 'Slugs',
  summary: ({ agent, state }, isFirst) =>
    isFirst
      ? `As ${agent} sees it in ${state}, titles with umlauts are cut off at the first of them, and no test shows what should happen.`
      : 'The work is there.',
  subject: () => 'Slugs',
  body: ({ state }) => `One function, one file, one test for each kind of title, as ${state} has it.`,
};

const calls = (name: string, given: JsonObject): Say => ({
  ...SILENCE,
  tools: [{ name, arguments: given, raw: null }],
});
