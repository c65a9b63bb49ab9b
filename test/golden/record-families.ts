// Records the golden journals of a review, a quest and stages, with those of the runs below: `node test/golden/record-families.ts`.
// For a new release. They freeze the state that the rules of these families keep; phases are recorded by `record-kinds.ts`.
import { writeFileSync } from 'node:fs';
import type { RunId } from '../../src/core/model/ids.ts';
import type { StoredRecord } from '../../src/core/record/stored-record.ts';
import { goldenRun } from '../requests/golden-runs.ts';
import { recordRun } from '../requests/record-run.ts';
import { FAMILY_GOLDEN, goldenFile, tickingClock, VERSION, writeGolden } from './recording.ts';

/** By the name of the journals: the workflow that is played. */
const FAMILIES = { review: 'parallel_review_dissent', quest: 'quest_followups', stages: 'research' };

for (const [name, workflow] of Object.entries(FAMILIES)) {
  const golden = await goldenRun(workflow);
  const { journal, run, rest, folders } = await recordRun({
    ...golden,
    world: { clock: tickingClock(), engine: VERSION },
  });
  if (rest.outcome !== 'ok') throw new Error(`${workflow} came out ${rest.outcome}: ${rest.failure?.message}`);
  const plain = (text: string): string =>
    [...folders].reduce((said, [folder, other]) => said.replaceAll(folder, other), text).replaceAll(/\d+ [kM]B free/g, '0 kB free');
  const journals: [RunId, readonly StoredRecord[]][] = [];
  for (const { run: one } of (await journal.runs({})).toSorted((first, second) => (first.run < second.run ? -1 : 1))) {
    journals.push([one, await journal.read(one)]);
    await writeGolden(journal, one, { name: one.replace(run, name).replaceAll('/', '-'), plain });
  }
  const shown = FAMILY_GOLDEN[name]?.(journals);
  if (shown !== undefined) writeFileSync(goldenFile(`${name}.shown.json`), `${plain(JSON.stringify(shown, null, 1))}\n`);
}
process.exit(0);
