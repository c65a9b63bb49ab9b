import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { buildDefinition } from '../../src/formats/definition.ts';
import { parsePhases } from '../../src/formats/phases/parse/parse-phases.ts';
import { mergeRoles } from '../../src/source/roles/placed-role.ts';
import { loadShipped } from '../../src/formats/load-assets.ts';
import { problemsOf, valueOrFault } from '../../src/source/checked.ts';
import { readDocument } from '../../src/source/read-document.ts';
import { hands, inTurn, PhasesBench, writes } from './phases-bench.ts';

/** Code, line and hint of all that is wrong, with the roles that come with Troupe. */
async function toldOf(text: string) {
  const { document, locate } = valueOrFault(readDocument(text, { file: 'w.yml' }), 'INTERNAL');
  const workflows = valueOrFault(parsePhases(document, { file: 'w.yml', locate }), 'INTERNAL');
  const { roles } = await loadShipped();
  const built = buildDefinition(workflows[0]?.name ?? '', workflows, mergeRoles(roles));
  return problemsOf(built).map(({ code, file, at, hint }) => ({ code, file, line: at?.line, hint }));
}

describe('[L3] an unknown type of agent is reported with its line', () => {
  const TYPES = 'Agent types: execution, fix, orchestrator, planning, research, verification.';
  const MEANT = { code: 'ROLE_UNKNOWN', file: 'w.yml', line: 3, hint: `Did you mean "planning"? ${TYPES}` };

  test.each([
    ['in a phase', 'name: x\nphases:\n  - { id: a, agent_type: planing }\n', MEANT],
    [
      'in a phase with a mode, as in the document',
      'name: x\nphases:\n  - { id: a, agent_type: planing, mode: PLANNING }\n',
      MEANT,
    ],
    ['as a fallback', 'name: x\nphases:\n  - { id: a, agent_type: fix, fallback: [planing] }\n', MEANT],
    ['alone', 'name: x\nagent:\n  type: planing\n', MEANT],
  ])('%s', async (_where, text, problem) => {
    expect(await toldOf(text)).toEqual([problem]);
  });
});

test('[L8] an output that an input of the run leads out of the workspace is refused, however it is delivered', async () => {
  const bench = new PhasesBench((asked) =>
    inTurn(asked, [hands('note', 'x'), writes('outputs/../../../evil.md', 'x'), writes('/tmp/evil.md', 'x')]),
  );
  const rest = await bench.start(
    "name: p\nphases:\n  - { id: a, agent_type: execution, output: { note: 'outputs/${feature_name}.md' } }\n",
    { feature_name: '../../../evil' },
  );
  expect(rest).toMatchObject({ outcome: 'failed', failure: { code: 'PHASE_FAILED' } });
  const ended = await bench.ofKind('task.ended');
  expect(ended.some(({ failure }) => failure?.code === 'OUTPUT_OUTSIDE')).toBe(true);
  const finished = await bench.ofKind('tool.finished');
  expect(finished.length).toBeGreaterThanOrEqual(3);
  expect(finished.every(({ isError }) => isError)).toBe(true);
  expect(readdirSync(join(bench.bench.project, '..')).toSorted()).toEqual(['home', 'project']);
});
