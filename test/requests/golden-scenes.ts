import { SILENCE, type Say } from '../../src/actors/scripted/rule.ts';
import type { ScriptedRequest } from '../../src/actors/scripted/scripted-request.ts';
import type { Json, JsonObject } from '../../src/core/model/json.ts';
import type { RunToRecord } from './record-run.ts';
import type { Script } from './scripted-wire.ts';

/** A turn that work takes only sometimes: what a scripted agent does otherwise, and whose requests show it. */
export interface GoldenScene {
  readonly workflow: string;
  readonly input?: JsonObject;
  /** Made for each run. It returns undefined where the agent works as usual. */
  readonly script: () => Script;
  readonly agents: readonly string[];
  readonly after?: RunToRecord['after'];
  /** Made for each run, since it counts. */
  readonly runCommand?: () => NonNullable<RunToRecord['runCommand']>;
}

const calls = (name: string, given: JsonObject): Say => ({
  ...SILENCE,
  tools: [{ name, arguments: given, raw: null }],
});

const says = (text: string): Say => ({ ...SILENCE, text });

/** Both items change the same line. */
const collide =
  (): Script =>
  ({ role, state, run = '', call, tools }) => {
    if (role === 'splitter' && call === 2) return calls('list_items', { items: ['umlauts', 'empty titles'] });
    if (role !== 'mapper' || !tools.some(({ name }) => name === 'write_file')) return undefined;
    const content = state === 'settle' ? 'export const slug = 3;\n' : `export const slug = '${run}';\n`;
    return call === 1 ? calls('write_file', { path: 'src/slug.js', content }) : says('src/slug.js is done.');
  };

/** One reviewer sees defects everywhere, the other none. */
const differ =
  (): Script =>
  ({ agent, state, messages }) => {
    if (agent?.startsWith('rev_') !== true) return undefined;
    const [verdict, stance] = agent === 'rev_1' ? ['REVISE_ALL', 'agree'] : ['APPROVE', 'disagree'];
    const ranking = ['impl_1', 'impl_2', 'impl_3'];
    const finding = {
      implementation: 'impl_1',
      severity: 'major',
      priority: 1,
      file: 'src/impl_1.ts',
      line: 1,
      claim: "slug('') throws.",
      change: 'Return an empty text.',
    };
    if (state !== 'debate') {
      const findings: readonly Json[] = agent === 'rev_1' ? [finding] : [];
      return calls('hand_in_review', { verdict, ranking, findings, summary: 'One of them forgets the empty title.' });
    }
    const isAsked = messages.some(({ content }) => content.includes('→ Give your stance.'));
    const stances = isAsked ? [{ finding: 'F1', stance, reason: `${agent} ran it.` }] : [];
    return calls('hand_in_position', { verdict, ranking, stances, findings: [] });
  };

/** Codeweaver asks a scout, gives a small change to a fixer, then finds that its step is two. */
const splits =
  (): Script =>
  ({ role, call, visit, messages }) => {
    const isFirstStep = messages.some(({ content }) => content.includes('Your step is "step-1"'));
    if (role === 'scout')
      return call === 1 ? calls('read_file', { path: 'src/slug.js' }) : says('src/slug.js:1 has it.');
    if (role === 'fixer')
      return FIXING[(call ?? 1) - 1] ?? says('Changed src/slug.js: an empty title gives an empty text.');
    if (role === 'pathseeker' && call === 3) return calls('plan_steps', { steps: [isPart(messages) ? PART : STEP] });
    if (role !== 'codeweaver' || !isFirstStep || visit !== 1) return undefined;
    if (call === 1) return calls('task', { role: 'scout', prompt: 'Where is slug() defined? Give file and line.' });
    if (call === 2)
      return calls('task', { role: 'fixer', prompt: "In src/slug.js, let slug('') return ''. Change nothing else." });
    return call === 3 ? calls('signal_back', FOLLOWUP) : undefined;
  };

const FIXING: readonly Say[] = [
  calls('read_file', { path: 'src/slug.js' }),
  calls('write_file', { path: 'src/slug.js', content: "export const slug = (title) => title || '';\n" }),
  calls('execute_terminal', { command: 'npm test' }),
];

const isPart = (messages: ScriptedRequest['messages']): boolean =>
  messages.some(({ content }) => content.includes('You are called in for the step'));

const PART = {
  id: 'umlauts',
  title: 'Write the table of umlauts',
  files: ['src/step-1.umlauts.ts'],
  after: [],
  acceptance: ['The file is there.'],
};

const STEP = { ...PART, id: 'step-1', title: 'Write slug()', files: ['src/step-1.ts'] };

const FOLLOWUP = {
  signal: 'needs-role-followup',
  stepId: 'step-1',
  targetRole: 'pathseeker',
  reason: 'The table of umlauts is a step of its own.',
  context: 'src/slug.js needs a table of umlauts, which other modules use as well.',
  resume: true,
};

/** Ward fails on the first step; before that it is tried on the untouched project. */
const WARD = 'npm run check';

const redOnce = (): NonNullable<RunToRecord['runCommand']> => {
  let count = 0;
  return (command) => {
    if (command === WARD) count += 1;
    const isRed = command === WARD && count === 2;
    return Promise.resolve(
      isRed ? { exitCode: 1, output: "not ok 1 - slug('') is empty" } : { exitCode: 0, output: `ran ${command}` },
    );
  };
};

const FAILED =
  '{"tests_passed": 3, "tests_failed": 1, "failures": [{"test": "empty title", "message": "expected \'\'", "file": "src/slug.js", "line": 2, "command": "npm test"}], "issues": []}';

/** The first verification finds a failing test. */
const finds = (): Script => {
  let isFound = false;
  return ({ agent, call }) => {
    if (agent !== 'verification' || call !== 4 || isFound) return undefined;
    isFound = true;
    return calls('submit_output', { name: 'report', content: FAILED });
  };
};

export const GOLDEN_SCENES: Readonly<Record<string, GoldenScene>> = {
  map_reduce_collision: {
    workflow: 'map_reduce',
    input: { items: [] },
    script: collide,
    agents: ['splitter', 'mapper'],
    // The second item is merged after the first.
    after: ({ run, state }) => (run === 'run-1/t4' && state === 'start' ? 'run-1/t3' : null),
  },
  parallel_review_dissent: { workflow: 'parallel_review', script: differ, agents: ['synthesiser'] },
  quest_followups: {
    workflow: 'quest',
    input: { ward: [WARD] },
    script: splits,
    agents: ['pathseeker', 'spiritmender', 'scout', 'fixer'],
    runCommand: redOnce,
  },
  two_phase_fix: { workflow: 'two_phase_feature', script: finds, agents: ['fix'] },
};
