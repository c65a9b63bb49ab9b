import { expect, test } from 'vitest';
import { hands, inTurn, PhasesBench } from './phases-bench.ts';

const PHASES = 12;
const MOST_GROWTH = 1.2;

/** Each phase reads the report of the one before. */
const CHAIN = `
name: chain
phases:
${Array.from({ length: PHASES }, (_, index) => phase(index + 1)).join('\n')}`;

function phase(number: number): string {
  const before = number - 1;
  const after = before === 0 ? '' : `\n    depends_on: [p${before}]`;
  const given = before === 0 ? 'words' : `\${p${before}.output.report.sum}`;
  return `  - id: p${number}
    agent_type: planning${after}
    input: { given: "${given}" }
    output: { report: out/p${number}.json }`;
}

test('[L9] the last phase of twelve journals as much as the third', async () => {
  const report = JSON.stringify({ sum: 1, lines: Array.from({ length: 60 }, () => 'a line of the report') });
  const bench = new PhasesBench((asked) => inTurn(asked, [hands('report', report)]));
  const rest = await bench.start(CHAIN);
  expect(rest).toMatchObject({ outcome: 'ok', failure: null });
  const [early, late] = [await bytesOf(bench, 'p3'), await bytesOf(bench, `p${PHASES}`)];
  expect(late / early, `${early} bytes in the third, ${late} in the last`).toBeLessThanOrEqual(MOST_GROWTH);
});

/** The records of the run that does the phase. */
async function bytesOf({ bench, run }: PhasesBench, id: string): Promise<number> {
  const runs = (await bench.journal.runs({})).map((one) => one.run).filter((one) => one.startsWith(`${run}/`));
  for (const one of runs) {
    const records = await bench.journal.read(one);
    const isPhase = records.some(({ fact }) => fact.kind === 'run.started' && fact.workflow === `chain/${id}`);
    if (isPhase) return Buffer.byteLength(JSON.stringify(records));
  }
  throw new Error(`No run does the phase ${id}.`);
}
