import { test } from 'vitest';
import { Choices } from './choices.ts';
import { differenceOf, BYTES } from './difference.ts';
import { randomActions, randomMachine } from './machine.ts';
import { runInXState } from './as-xstate.ts';
import { runAsWorkflow } from './as-workflow.ts';
import { OURS } from './interpreter.ts';
test('probe', () => {
  let seed = 12345;
  const rnd = () => ((seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff) >> 16) & 255;
  const ends: Record<string, number> = {};
  let len = 0;
  let bad = 0;
  const lists = Array.from({ length: 2000 }, () => Array.from({ length: BYTES }, rnd));
  let t = performance.now();
  for (const l of lists) {
    const c = new Choices(l);
    randomActions(c);
    randomMachine(c);
  }
  console.log('gen', performance.now() - t);
  t = performance.now();
  for (const l of lists) {
    const c = new Choices(l);
    const a = randomActions(c);
    const m = randomMachine(c);
    const r = runInXState(m, a);
    ends[r.end] = (ends[r.end] ?? 0) + 1;
    len += r.path.length;
  }
  console.log('xstate', performance.now() - t);
  t = performance.now();
  for (const l of lists) {
    const c = new Choices(l);
    const a = randomActions(c);
    const m = randomMachine(c);
    runAsWorkflow(m, a, OURS);
  }
  console.log('ours', performance.now() - t);
  t = performance.now();
  for (const l of lists) {
    const d = differenceOf(l);
    if (d && bad++ < 3) console.log(JSON.stringify(d, null, 1).slice(0, 6000));
  }
  console.log('diff', performance.now() - t, ends, len / 2000, 'bad', bad);
});
