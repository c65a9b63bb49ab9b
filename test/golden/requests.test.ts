import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { NO_ACTORS } from '../../src/app/config/choose-actor.ts';
import { EMPTY_CONFIG } from '../../src/app/config/config.ts';
import { buildBody } from '../../src/app/trace/build-body.ts';
import { tracedCalls } from '../../src/app/trace/traced-calls.ts';
import { loadShipped } from '../../src/formats/load-assets.ts';
import { shippedStages } from '../../src/formats/stages/parse/planned-stages.ts';
import { allTools } from '../../src/tools/all-tools.ts';
import {
  explainsSignals,
  givesTestResult,
  hasOneWayToDecline,
  hasUsersWords,
  keepsReceipts,
  marksEngineText,
} from '../requests/brief-rules.ts';
import { GOLDEN_SCENES } from '../requests/golden-scenes.ts';
import { GOLDEN_INPUTS, GOLDEN_NAMES, goldenRun, isKept, TASK } from '../requests/golden-runs.ts';
import { goldenFiles, toolsFile } from '../requests/golden-text.ts';
import { teamScript, textOf } from '../requests/team-script.ts';
import { recordRun, type RecordedRun } from '../requests/record-run.ts';
import {
  canBeFollowed,
  fitsWindow,
  hasBriefParts,
  hasOrder,
  hasValidSchemas,
  hearsFeedbackOnce,
  judgedRequests,
  keepsPrefix,
  namesOfferedTools,
  namesOnlyGiven,
  namesOwedReply,
  offersUsableTools,
  placesFindings,
  statesSurroundings,
  statesWorkspace,
  type JudgedRequest,
  type RequestRule,
} from '../requests/request-rules.ts';

const FOLDER = join(import.meta.dirname, 'requests');

/** Every tool that a prompt may mean: the built-in ones, and those that some agent was offered. Filled as runs are recorded. */
const KNOWN_TOOLS = new Set(allTools.map(({ spec }) => spec.name));

/** Nothing is configured for them in these runs. */
const UNUSABLE = new Set(['web_search', 'web_fetch', 'call_mcp']);

const RULES: readonly (readonly [string, RequestRule])[] = [
  ['[A1] every request holds its order', hasOrder],
  ['[A3] every tool that a prompt names is offered', namesOfferedTools(KNOWN_TOOLS)],
  ['[A3] no tool is offered that cannot work', offersUsableTools(UNUSABLE)],
  ['[A3] every schema is JSON Schema with known keywords', hasValidSchemas],
  ['[A5] a request begins as the one before it', keepsPrefix],
  ['[A7] no agent hears the same feedback twice', hearsFeedbackOnce],
  ['[A7] a finding is named with what it is about', placesFindings],
  ['[A6] no request exceeds the window', fitsWindow(1_000_000)],
  ['[A3] a role states goal, hand-in and when it is done', hasBriefParts],
  ['[A4] an order names the reply that it owes', namesOwedReply],
  ['[A7] nothing is named as given that is not in the request', namesOnlyGiven],
  ['[A7] an order can be followed as it is', canBeFollowed],
  ['[A2] every request states sandbox, network, setup and tests', statesSurroundings],
  ['[A2] an agent reads where it works, as its workspace is really built', statesWorkspace],
  ['[A7] changes to be judged come with a test result of the engine', givesTestResult],
  ['[A1] the words of the engine are marked as such', marksEngineText],
  ['[A8] a received reply is not called refused', keepsReceipts],
  ['[A3] every signal that is offered is explained', explainsSignals],
  ['[A7] there is one way to state that no change is needed', hasOneWayToDecline],
];

/** Workflows that only run below others, and the alias of one. */
const BELOW = new Set(['attempt', 'ballot', 'map_item', 'quest_step', 'relay_leg', 'architect']);

const recordings = new Map<string, Promise<RecordedRun>>();

/** Each workflow is played once for all tests of this file. */
function recorded(name: string): Promise<RecordedRun> {
  const known = recordings.get(name) ?? goldenRun(name).then(recordRun);
  recordings.set(name, known);
  return known;
}

/** Whole runs with hundreds of requests: seconds where the machine is free. */
const SLOW = { timeout: 120_000 };

// A failure here is a changed prompt: record with `node test/golden/record-requests.ts`, and read the difference.
describe('golden requests', SLOW, () => {
  test.each(GOLDEN_NAMES)('[A3] the requests of %s are those that were recorded', async (name) => {
    const run = await recorded(name);
    expect(run.rest).toMatchObject({ outcome: 'ok', failure: null });
    const known = readdirSync(join(FOLDER, name)).map((file) => [file, readFileSync(join(FOLDER, name, file), 'utf8')]);
    const kept = [...goldenFiles(run)].filter(([file]) => isKept(name, file));
    expect(Object.fromEntries(kept)).toEqual(Object.fromEntries(known));
  });

  test('[A3] the built-in tools are those that were recorded', () => {
    expect(toolsFile()).toBe(readFileSync(join(FOLDER, 'tools.md'), 'utf8'));
  });

  test('[A3] every shipped workflow has its requests recorded', async () => {
    const { workflows } = await loadShipped();
    const whole = [...workflows, ...shippedStages()].map(({ name }) => name).filter((name) => !name.includes('/'));
    const missing = whole.filter((name) => !GOLDEN_NAMES.includes(name) && !BELOW.has(name));
    expect(missing).toEqual([]);
  });
});

describe('rules over the requests of every shipped workflow', () => {
  const judged = new Map<string, readonly JudgedRequest[]>();

  beforeAll(async () => {
    for (const name of GOLDEN_NAMES) {
      const requests = await judgedRequests(await recorded(name));
      judged.set(name, requests);
      for (const { sent } of requests) for (const tool of sent.who.tools) KNOWN_TOOLS.add(tool.name);
    }
  }, 120_000);

  test.each(RULES)('%s', (_, rule) => {
    const problems = [...judged].flatMap(([name, requests]) =>
      requests.flatMap(rule).map((problem) => `${name}: ${problem}`),
    );
    expect(problems).toEqual([]);
  });
});

describe('the words of the user', () => {
  const isGiven = (name: string): boolean => Object.values(GOLDEN_INPUTS[name] ?? {}).includes(TASK);
  // Stages hand artifacts from one to the next; a sub-agent sees only its prompt.
  const names = GOLDEN_NAMES.filter((name) => name !== 'development' && isGiven(GOLDEN_SCENES[name]?.workflow ?? name));

  test.each(names)('[A1] they reach every agent of %s', async (name) => {
    const requests = await judgedRequests(await recorded(name));
    const members = requests.filter(({ sent }) => !['scout', 'fixer'].includes(sent.who.agent ?? ''));
    expect(members.flatMap(hasUsersWords(TASK))).toEqual([]);
  });
});

/** The requests of a run as `prompt trace` shows them on a later day: no model is configured, and all tools are worded otherwise. */
async function tracedLater({ journal, run }: RecordedRun): Promise<readonly string[]> {
  const tools = allTools.map((tool) => ({ ...tool, spec: { ...tool.spec, description: 'Reworded since.' } }));
  const actors = { config: EMPTY_CONFIG, overrides: {}, cast: NO_ACTORS, environment: {} };
  const place = { world: { tools }, actors, journal };
  const bodies = await Promise.all((await tracedCalls(journal, run)).map((call) => buildBody(call, place)));
  return bodies.map(({ text }) => text);
}

const sentTexts = ({ sent }: RecordedRun): readonly string[] => sent.map(({ text }) => text).toSorted();

describe('requests read again from the journal', SLOW, () => {
  test.each(GOLDEN_NAMES)('[A3] prompt trace shows the requests of %s byte for byte as they left', async (name) => {
    const run = await recorded(name);
    expect((await tracedLater(run)).toSorted()).toEqual(sentTexts(run));
  });

  test.each(['openai', 'openai-compatible'] as const)('[A3] the same in the format of %s', async (provider) => {
    const run = await recordRun({ ...(await goldenRun('coder_reviewer')), model: { provider, model: 'gpt-5.6' } });
    expect(run.sent.length).toBeGreaterThan(3);
    expect((await tracedLater(run)).toSorted()).toEqual(sentTexts(run));
  });
});

test('[A7] a diff that is cut names what is not shown, to a judge that cannot open it', SLOW, async () => {
  const script = teamScript({ files: ['readme.txt'], reads: 1, writes: 60_000 });
  const requests = await judgedRequests(await recordRun({ ...(await goldenRun('judge')), script }));
  const judge = requests.find(({ sent }) => sent.who.agent === 'judge');
  expect(judge?.order).toMatch(/\[The diff is cut here: \d+ more characters\. Shown in part: src\/coder\.ts\.\]/);
  expect(judge?.order).not.toContain('yourself');
});

describe('rules over requests with files and windows of any size', SLOW, () => {
  test.each([
    ['coder_reviewer', 24_000, 10_000],
    ['coder_reviewer', 60_000, 30_000],
    ['parallel_analysis_shared', 20_000, 12_000],
    ['quest', 40_000, 20_000],
    ['parallel_review', 40_000, 20_000],
  ])('[A1] [A6] %s in a window of %i tokens with files of %i characters', async (name, window, characters) => {
    const names = Array.from({ length: 14 }, (_, at) => `src/file-${at + 1}.ts`);
    const files = Object.fromEntries(names.map((file) => [file, textOf(file, characters)]));
    const script = teamScript({ files: names, reads: 14, writes: 500, steps: 2 });
    const run = await recordRun({ ...(await goldenRun(name)), script, files, model: { window } });
    const requests = await judgedRequests(run);
    expect(run.rest).toMatchObject({ outcome: 'ok' });
    expect(requests.flatMap((one) => [...hasOrder(one), ...fitsWindow(window)(one)])).toEqual([]);
    expect((await tracedLater(run)).toSorted()).toEqual(sentTexts(run));
  });
});
