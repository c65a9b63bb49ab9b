import { expect, test } from 'vitest';
import { buildDefinition } from './definition.ts';
import { mergeRoles } from '../source/roles/placed-role.ts';
import { parseStateMachine } from './state-machine/parse-state-machine.ts';
import { readDocument } from '../source/read-document.ts';

const roles = mergeRoles({
  reviewer: { parsingTools: [{ name: 'review_work', description: '', parameters: { type: 'object' } }] },
});

/** Line, code, severity and hint of what `check` says of one state of a reviewer. */
function found(state: string): readonly unknown[] {
  const text = `workflow_name: w
contexts: [{ name: desk }]
agents: [{ agent_role: reviewer, context: desk, role: user }]
states:
  - name: start
    agent: reviewer
    input: "'Review it.'"
${state}
`;
  const source = readDocument(text, { file: 'w.yaml' });
  if (!source.ok) throw new Error(JSON.stringify(source.problems));
  const parsed = parseStateMachine(source.value.document, { file: 'w.yaml', locate: source.value.locate });
  if (!parsed.ok) return parsed.problems.map(({ code, at }) => [code, at?.line]);
  const built = buildDefinition('w', [parsed.value].flat(), roles);
  const problems = built.ok ? built.warnings : built.problems;
  return problems.map(({ code, at, severity, hint }) => [code, at?.line, severity, hint]);
}

const BAD = '{ target: start, condition: function.review_work.arguments.bad === true }';

test('[A4] a way out for text beside ways out for a reply is a warning that says how to settle it', () => {
  const state = `    transition: [${BAD}, { target: stop }]`;
  const hint = 'Write reply: review_work to demand it, or reply: [] if text may lead there.';
  expect(found(state)).toEqual([['REPLY_OPTIONAL', 5, 'warning', hint]]);
  expect(found(state.replace('{ target: stop }', '{ target: stop, condition: "true" }'))).toEqual(found(state));
  expect(found(`    reply: review_work\n${state}`)).toEqual([]);
  expect(found(`    reply: []\n${state}`)).toEqual([]);
});

test('[A4] a state that can only be left with a reply needs nothing more', () => {
  const good = BAD.replace('start', 'stop').replace('true', 'false');
  expect(found(`    transition: [${BAD}, ${good}]`)).toEqual([]);
});

test('[A4] a reply that the agent has no tool for is an error with the likely name', () => {
  const hint = 'Did you mean "review_work"?';
  expect(found('    reply: review_wrk\n    transition: [{ target: stop }]')).toEqual([
    ['REPLY_UNKNOWN', 5, 'error', hint],
  ]);
});

test('[A4] a reply is a name or a list of names, in a state that asks an agent', () => {
  expect(found('    reply: 3\n    transition: [{ target: stop }]')).toEqual([['VALUE_INVALID', 8]]);
  expect(
    found('    reply: review_work\n    action: { function: clearConversation }\n    transition: [{ target: stop }]'),
  ).toEqual(expect.arrayContaining([['AGENT_MISSING', 8]]));
});
