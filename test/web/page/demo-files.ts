import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the example lies that `npm run demo` plays. */
const DEMO = fileURLToPath(new URL('../../../examples/demo', import.meta.url));

export const TASK = 'Add a function slug(title) that makes a web address of a title';

export interface DemoOptions {
  /** A model behind an address; else the scripted one inside each run's process. */
  readonly url?: string;
  /** The best is chosen by the person, as in the demo; else by the reviewers' ranking, so that the run ends by itself. */
  readonly isPicked?: boolean;
}

/** The demo's project before its run: three write a function, two review it. Nothing in it waits. */
export function demoFiles({ url, isPicked = false }: DemoOptions = {}): Readonly<Record<string, string>> {
  const project = join(DEMO, 'project');
  const files = globSync('**/*', { cwd: project, withFileTypes: true }).filter((entry) => entry.isFile());
  const workflow = readFileSync(join(DEMO, 'slug_review.yaml'), 'utf8');
  return {
    ...Object.fromEntries(
      files.map(({ parentPath, name }) => {
        const file = join(parentPath, name);
        return [relative(project, file), readFileSync(file, 'utf8')];
      }),
    ),
    '.troupe/review.yaml': `${demoScenario()}${PHASES}`,
    '.troupe/workflows/slug_review.yaml': isPicked ? workflow : workflow.replace('pick: person', 'pick: ranking'),
    '.troupe/workflows/feature.yaml': FEATURE,
    '.troupe/workflows/broken.yaml': BROKEN,
    '.troupe/config.yaml': demoConfig(url),
  };
}

/** What the models of the demo say, without the pace that is for people who look on. */
export const demoScenario = (): string =>
  readFileSync(join(DEMO, 'review.yaml'), 'utf8').replaceAll(/^ +(?:delay_ms|pace_ms|chunk): \d+\n/gm, '');

function demoConfig(url: string | undefined): string {
  const prices = { fast: [1, 4], base: [2, 8], smart: [3, 15] };
  const model =
    url === undefined
      ? 'provider: scripted, scenario: .troupe/review.yaml'
      : `provider: openai-compatible, base_url: "${url}/v1", model: scripted`;
  const lines = Object.entries(prices).map(
    ([level, [input, output]]) => `  ${level}: { ${model}, price: { input: ${input}, output: ${output} } }`,
  );
  return ['models:', ...lines, ''].join('\n');
}

/** Two phases that leave artifacts behind. */
const FEATURE = `name: feature
description: A plan, and then what it says
phases:
  - id: planning
    agent_type: planning
    mode: PLANNING
    input:
      user_request: '\${user_request}'
    output:
      plan: specs/plan.md
      tasks: specs/tasks.json

  - id: execution
    agent_type: execution
    mode: EXECUTION
    depends_on: [planning]
    input:
      plan: '\${planning.output.plan}'
    output:
      artifacts: []
      report: outputs/report.json
`;

/** A review that names an unknown setting, and an unknown level. */
const BROKEN = `name: broken
description: Two mistakes
implementers:
  - { model: fast, name: one, modell: smart }
reviewers:
  - { model: nobody, name: two }
max_rounds: none
`;

const PHASES = `
  - when: { agent: planning }
    steps:
      - tools:
          - { name: report_progress, arguments: { progress: 0.45, message: Reading what is there } }
          - { name: submit_output, arguments: { name: plan, content: "# Greet people\\n\\n1. A function *greet(name)*.\\n2. A test for it.\\n" } }
          - { name: submit_output, arguments: { name: tasks, content: '[{"id":1,"description":"Greet people","files":["src/greet.js"],"risk":"low"}]' } }
      - Planned.
  - when: { agent: execution }
    steps:
      - tools:
          - { name: write_file, arguments: { path: src/greet.js, content: "export const greet = (name) => 'Hello, ' + name;\\n" } }
          - { name: write_file, arguments: { path: outputs/report.json, content: '{"status":"success","files":1}' } }
      - Built.
`;
