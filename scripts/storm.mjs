// Kills processes of runs that ask, write, check and deliver, and counts what was lost: `npm run storm`, or a short one with
// `npm run storm -- --runs 6 --kills 12`. Questions are answered, and killed runs resumed, by other processes.
import { parseArgs } from 'node:util';
import { DELIVERY_MOMENTS, KillStorm } from '../test/storm/kill-storm.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '200' },
    kills: { type: 'string', default: '500' },
    seed: { type: 'string', default: '1' },
    sandbox: { type: 'string', default: 'best' },
  },
});
const [runs, kills] = [Number(values.runs), Number(values.kills)];
const KILLS_A_RUN = 4;

let state = Number(values.seed);
/** The same numbers for the same seed. */
function random() {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
}

/** Anywhere in the time a process takes, or exactly at a moment of its delivery. */
function drawKill(target) {
  const moments = DELIVERY_MOMENTS[target];
  return random() < 0.7 ? { part: random() } : { at: moments[Math.floor(random() * moments.length)] };
}

const storm = await KillStorm.open({ sandbox: values.sandbox });
let begun = 0;
const work = async () => {
  while (begun < runs || storm.found.kills < kills) {
    begun += 1;
    const target = begun % 3 === 0 ? 'branch' : 'apply';
    await storm.run(
      target,
      Array.from({ length: KILLS_A_RUN }, () => drawKill(target)),
    );
  }
};
await Promise.all(Array.from({ length: Math.min(runs, 2) }, work));
await storm.close();
process.stdout.write(`${JSON.stringify(storm.found)}\n`);
const { missing, appliedTwice, callsRepeated } = storm.found;
process.exitCode = missing + appliedTwice + callsRepeated === 0 ? 0 : 1;
