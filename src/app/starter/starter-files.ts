import type { FoundSetup } from '../../workspace/setup/find-setup.ts';
import type { ProjectCheck } from '../project-checks/find-checks.ts';

/** What `troupe init` writes, by path below `.troupe`. Every line is meant to be read and changed. */
export const STARTER_FILES: Readonly<Record<string, string>> = {
  'config.yaml': `# yaml-language-server: $schema=./schemas/config.schema.json
#
# Which models the agents use. Roles name a level (base, smart, fast); a level that is missing here falls back to base.
models:
  # Answers from a file instead of a model: everything runs at once, without a key. Replace it with a real one below.
  base:
    provider: scripted
    scenario: .troupe/answers.yaml

  # Any server that speaks the OpenAI format: Ollama, vLLM, OpenRouter and many more.
  # base:
  #   provider: openai-compatible
  #   base_url: http://127.0.0.1:11434/v1
  #   model: qwen3
  #   price: { input: 0, output: 0 }        # USD for a million tokens; left out, costs are unknown and max_usd is refused

  # smart:
  #   provider: anthropic
  #   model: claude-sonnet-4-5
  #   api_key_env: ANTHROPIC_API_KEY        # the name of the variable; never write the key itself here

# Coding agents that are programs play an agent where you say so: --actor coder=claude-code, or actor: in a role.
# "troupe doctor" tells which of them are here; one that is on the path needs no settings.
# actors:
#   claude-code: { model: opus }
#   codex: { idle_minutes: 10, wall_minutes: 60 }

# A run that meets one of these pauses and asks; "troupe resume RUN --max-usd 10" goes on.
# limits:
#   max_usd: 5
#   max_tokens: 500000
#   max_duration: 3600                      # seconds
#   max_iterations: 20                      # entries into one state, whatever the workflow says

# Run when a run settles or asks; TROUPE_RUN, TROUPE_STATUS, TROUPE_OUTCOME and TROUPE_QUESTION are set.
# notify: echo "$TROUPE_RUN is $TROUPE_STATUS ($TROUPE_OUTCOME)" >> runs.log
`,
  'workflows/write_and_review.yaml': `# yaml-language-server: $schema=../schemas/workflow.schema.json
#
# Two agents in one conversation: a writer answers the task, a critic reads it, and the writer continues until the critic
# is content. Run it with:  troupe run write_and_review "Explain what a journal is for"
workflow_name: write_and_review
description: A writer answers, a critic reads, until the critic is content

# What the person gives. Scripts and expressions see it as common_data.task.
input:
  name: task
  type: string
  description: What to write

# The variable that is the result of the run.
output:
  name: answer
  type: string

variables:
  answer: ''

# A conversation. Agents that share one hear each other.
contexts:
  - name: desk
    max_length: 50000

# Who takes part. The names are roles: see ../roles/roles.json.
agents:
  - agent_role: writer
    context: desk
    role: assistant
  - agent_role: critic
    context: desk
    role: user

# The first state is "start", the last one "stop". A state lets an agent speak or runs a script, and leaves by the first
# transition whose condition holds. When none holds, the run fails and says so.
states:
  - name: start
    agent: writer
    input: common_data.task
    action: { function: sendUserMessage }
    transition:
      - target: review
        before: this.common_data.answer = this.last_agent_response

  - name: review
    agent: critic
    input: "'Read the answer above and call give_verdict.'"
    action: { function: sendUserMessage }
    transition:
      # "function.NAME.arguments.X" is what the agent passed to its parsing tool NAME.
      - target: stop
        condition: function.give_verdict.arguments.content === true
      - target: revise
        condition: function.give_verdict.arguments.content === false

  - name: revise
    agent: writer
    input: "'Improve it: ' + function.give_verdict.arguments.remark"
    action: { function: sendUserMessage }
    transition:
      - target: review
        before: this.common_data.answer = this.last_agent_response

  - name: stop
`,
  'roles/roles.json': `{
  "writer": {
    "level": "base",
    "systemMessage": "You write short, exact texts. Answer with the text and nothing around it.",
    "mode": "read"
  },
  "critic": {
    "level": "base",
    "systemMessage": "You read what the writer wrote as a friendly, exacting editor. Always finish by calling give_verdict.",
    "mode": "read",
    "parsingTools": [
      {
        "type": "function",
        "function": {
          "name": "give_verdict",
          "description": "Say whether the text is good enough.",
          "parameters": {
            "type": "object",
            "properties": {
              "content": { "type": "boolean", "description": "Whether you are content with the text." },
              "remark": { "type": "string", "description": "What to improve, or why it is good." }
            },
            "required": ["content", "remark"],
            "additionalProperties": false
          }
        }
      }
    ]
  }
}
`,
  'answers.yaml': `# What the scripted model answers; the first rule that fits counts. It is how you test workflows without a model.
rules:
  - when: { role: writer, state: start }
    reply: A journal remembers.
  - when: { role: writer }
    reply: A journal remembers what was done, so that nothing is done twice and nothing is lost.
  - when: { role: critic, visit: 1 }
    reply:
      say: A good start, but too short to help anybody.
      tools:
        - name: give_verdict
          arguments: { content: false, remark: Say what follows from it. }
  - when: { role: critic }
    reply:
      tools:
        - name: give_verdict
          arguments: { content: true, remark: Short and clear. }
  - when: { role: assistant }
    reply: This is the scripted model. Put a real one into .troupe/config.yaml.
  - when: { role: product_manager, state: plan }
    reply: "1. Do what was asked for. Done when it is there."
  # A quest of two steps:  troupe run quest "Greet people"
  - when: { role: chaoswhisperer }
    reply:
      tools:
        - name: set_requirements
          arguments: { requirements: [There is a greeting and a farewell.], contexts: [], observables: [Both can be read.] }
  - when: { role: pathseeker }
    reply:
      tools:
        - name: plan_steps
          arguments:
            steps:
              - { id: greet, title: Write the greeting, files: [greeting.txt], after: [], acceptance: [It greets.] }
              - { id: part, title: Write the farewell, files: [farewell.txt], after: [greet], acceptance: [It parts.] }
  - when: { role: codeweaver, contains: 'Your step is "greet"' }
    steps:
      - tools: [{ name: write_file, arguments: { path: greeting.txt, content: "Hello.\\n" } }]
      - tools: [{ name: signal_back, arguments: { signal: complete, stepId: greet, summary: The greeting is written. } }]
  - when: { role: codeweaver, contains: 'Your step is "part"' }
    steps:
      - tools: [{ name: write_file, arguments: { path: farewell.txt, content: "Goodbye.\\n" } }]
      - tools: [{ name: signal_back, arguments: { signal: complete, stepId: part, summary: The farewell is written. } }]
  # "\${step}" is the step that the agent was given.
  - when: { role: siegemaster }
    reply: { tools: [{ name: signal_back, arguments: { signal: complete, stepId: "\${step}", summary: It can be read. } }] }
  # Called when Ward fails, that is when your own checks do. It cannot really fix anything; they still run again.
  - when: { role: spiritmender }
    reply: { tools: [{ name: signal_back, arguments: { signal: complete, stepId: "\${step}", summary: Looked into it. } }] }
  - when: { role: lawbringer }
    reply: { tools: [{ name: signal_back, arguments: { signal: complete, stepId: "\${step}", summary: Both are there. } }] }
  # An agent not named above says something short, and approves where a verdict is owed. More: troupe help scenarios
`,
};

/** The setup part of a new `config.yaml`: the command for the lock files that were found. */
export function setupText(setups: readonly FoundSetup[]): string {
  const command = setupCommand(setups);
  return [
    '',
    '# Runs in each new workspace before an agent works there, in the sandbox and with the network. What git ignores, such as',
    '# node_modules, is in no workspace otherwise, and tests fail there.',
    command === null ? '# setup: npm ci' : `setup: ${JSON.stringify(command)}`,
    '',
  ].join('\n');
}

export function setupLine(setups: readonly FoundSetup[], isTrusted: boolean): string {
  const command = setupCommand(setups);
  if (command === null)
    return 'Setup: no lock file found, so workspaces get no packages (see "setup" in .troupe/config.yaml)';
  const found = `Setup: ${command} (${setups.map(({ lock }) => lock).join(', ')}). It runs in the sandbox, with the network`;
  return isTrusted
    ? `${found}; init has written it and trusts it. To take that back: troupe trust --revoke`
    : `${found}; this project has other code or settings too, so agree to all of it with: troupe trust`;
}

export const setupCommand = (setups: readonly FoundSetup[]): string | null =>
  setups.length === 0 ? null : setups.map(({ command }) => command).join(' && ');

/** The project's checks in a new `config.yaml`: the found commands, and how to change them. */
export function checksText(checks: readonly ProjectCheck[]): string {
  const lines = checks.length === 0 ? ['npm run lint', 'npm test'] : checks.map(({ command }) => command);
  const found =
    checks.length === 0
      ? '# Nothing was found that checks this project, so a quest continues without; for example:'
      : `# Found in ${[...new Set(checks.map(({ from }) => from))].join(', ')}; to have others run instead, say:`;
  return [
    '',
    '# Ward: the commands by which the engine itself sees whether the work of a quest is sound. They run in workspaces.',
    found,
    '# ward:',
    ...lines.map((line) => `#   - ${line}`),
    '',
  ].join('\n');
}

/** The same in one line, for the output of `troupe init`. */
export function checksLine(checks: readonly ProjectCheck[]): string {
  if (checks.length === 0) return 'Ward: nothing found that checks this project (see "ward" in .troupe/config.yaml)';
  return `Ward: ${checks.map(({ command }) => command).join(', ')}`;
}
