import { buildDefinition } from '../../src/formats/definition.ts';
import { mergeRoles } from '../../src/source/roles/placed-role.ts';
import { loadShipped } from '../../src/formats/load-assets.ts';
import { valueOrFault } from '../../src/source/checked.ts';
import { build, end, to, turn, work } from '../../src/host/testing/build-definition.ts';
import { prefixReuse } from '../../test/requests/prefix-reuse.ts';
import { recordRun, type RunToRecord } from '../../test/requests/record-run.ts';
import { teamScript, textOf } from '../../test/requests/team-script.ts';
import { report, settings } from '../harness/report.ts';

/**
 * What a provider's prompt cache holds of the requests of one scripted piece of work, and how many tokens are sent for it.
 * Alone: node bench/jobs/requests-reuse.ts '{"work":"quest","provider":"anthropic"}'
 */
const { work: wanted, provider } = settings() as { work: keyof typeof WORK; provider: 'anthropic' | 'openai' };

const FILE_CHARACTERS = 4000;
/** Longer than it takes agents that start together to send their requests. */
const LATENCY_MS = 20;
const TASK = 'Write one module for each part of the parser, with tests for empty, short and malformed input.';

const names = Array.from({ length: 40 }, (_, at) => `src/part-${at + 1}.ts`);
const files = Object.fromEntries(names.map((name) => [name, textOf(name, FILE_CHARACTERS)]));
const { workflows, roles } = await loadShipped();
const shipped = (name: string) => valueOrFault(buildDefinition(name, workflows, mergeRoles(roles)), 'INTERNAL');
const team = (reads: number, steps?: number) =>
  teamScript({ files: names, reads, writes: 2000, ...(steps === undefined ? {} : { steps }) });

const WORK = {
  turn: (): RunToRecord => ({ definition: oneTurn(), input: {}, script: team(37), files }),
  review: (): RunToRecord => ({
    definition: shipped('parallel_review'),
    input: { task: TASK, verify: 'npm test' },
    script: team(4),
    files,
  }),
  quest: (): RunToRecord => ({
    definition: shipped('quest'),
    input: { request: TASK, ward: ['npm test'] },
    script: team(4, 6),
    files,
  }),
};

/** 37 files are read, one is written, the tests run, and a report is given: 40 calls. */
function oneTurn() {
  const { coder } = shipped('coder_reviewer').roles;
  return build({
    roles: { coder: coder ?? {} },
    states: [work('code', turn('coder', `'${TASK}'`), [to('stop')]), end('stop')],
  });
}

const model = { provider, model: provider === 'anthropic' ? 'claude-sonnet-5' : 'gpt-5.4' };
const { sent, rest } = await recordRun({ ...WORK[wanted](), model, latencyMs: LATENCY_MS });
if (rest.outcome !== 'ok') throw new Error(`The run came out ${rest.outcome}: ${rest.failure?.message}`);
report({ ...prefixReuse(sent, provider) });
process.exit(0);
