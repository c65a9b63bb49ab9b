import release from '@jitl/quickjs-wasmfile-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  type QuickJSSyncVariant,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core';
import { createIsolate } from '../../src/actors/script/isolate.ts';
import { compileExpression } from '../../src/core/evaluate/evaluate.ts';
import type { IsolateSource } from '../../src/core/model/expression.ts';
import { foldRecords } from '../../src/core/fold/fold.ts';
import { runId } from '../../src/core/model/ids.ts';
import type { Snapshot } from '../../src/core/fold/snapshot.ts';
import { surfaceOf, type SurfaceData } from '../../src/core/evaluate/surface.ts';
import { parseExpression, parseProgram } from '../../src/source/expression/parse-code.ts';
import { createMemoryJournal } from '../../src/journal/memory/memory-journal.ts';
import { median } from '../harness/statistics.ts';
import { report } from '../harness/report.ts';
import { loopModel } from '../workload.ts';
import { loopActor, teamDefinition } from './team.ts';
import { benchHost } from './world.ts';

/** What conditions and scripts cost on a state of 50 KB, beside QuickJS used bare in the same process. */
const CONDITION = 'common_data.review.rounds < common_data.max_rounds && !common_data.review.done';
/** Nothing the core evaluates by itself: a loop. */
const SCRIPT = `let total = 0; for (const item of this.common_data.items) total += item.size; this.common_data.total = total;`;
const ROUNDS = 60;

const snapshot = await bigSnapshot();
const { workflow } = teamDefinition(2);
const quickjs = await newQuickJSWASMModuleFromVariant(release as unknown as QuickJSSyncVariant);
const isolate = createIsolate({ threads: 1 });

const conditionUs = timeCondition();
const scripts = await timeScripts();
await isolate.close();
report({ stateBytes: JSON.stringify(snapshot.data).length, ...conditionUs, ...scripts });

/** A real run's snapshot, its data made large. */
async function bigSnapshot(): Promise<Snapshot> {
  const journal = createMemoryJournal();
  const host = benchHost(journal, loopActor(loopModel(2)));
  const run = await host.start({
    definition: teamDefinition(2),
    input: { task: 'Write.' },
    project: '/',
    run: runId('one'),
  });
  await host.rest(run);
  const items = Array.from({ length: 450 }, (_, index) => ({
    name: `file-${index}.ts`,
    size: index,
    note: 'changed in this round; the tests beside it pass and the reviewer saw it',
  }));
  const data = { items, max_rounds: 3, review: { rounds: 1, done: false }, total: 0 };
  return { ...foldRecords(await journal.read(run)), data };
}

function timeCondition(): { readonly evaluateUs: number; readonly withSurfaceUs: number; readonly compileUs: number } {
  const parse = () => {
    const parsed = parseExpression(CONDITION);
    if (!parsed.ok || parsed.value.kind === 'isolate') throw new Error('The condition is not native.');
    return parsed.value;
  };
  const evaluate = compileExpression(parse());
  const surface = surfaceOf(workflow, snapshot, {});
  const check = (value: unknown): void => {
    if (value !== true) throw new Error('The condition does not hold.');
  };
  return {
    evaluateUs: perCall(200_000, () => check(evaluate(surface))),
    withSurfaceUs: perCall(200_000, () => check(evaluate(surfaceOf(workflow, snapshot, {})))),
    compileUs: perCall(5000, () => check(compileExpression(parse())(surface))),
  };
}

function perCall(times: number, call: () => void): number {
  const samples: number[] = [];
  for (let round = 0; round < 7; round += 1) {
    const start = performance.now();
    for (let index = 0; index < times; index += 1) call();
    samples.push(((performance.now() - start) * 1000) / times);
  }
  return median(samples.slice(1));
}

async function timeScripts(): Promise<{ readonly isolateUs: number; readonly bareUs: number; readonly ratio: number }> {
  const parsed = parseProgram(SCRIPT);
  if (!parsed.ok || parsed.value.kind !== 'isolate') throw new Error('The script is not for the isolate.');
  const source = parsed.value;
  const surface = surfaceOf(workflow, snapshot, {});
  const pairs: { isolateUs: number; bareUs: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const bareUs = await timeOne(() => bareScript(quickjs));
    const isolateUs = await timeOne(() => isolateScript(source, surface));
    pairs.push({ isolateUs, bareUs });
  }
  const warm = pairs.slice(10);
  return {
    isolateUs: median(warm.map((pair) => pair.isolateUs)),
    bareUs: median(warm.map((pair) => pair.bareUs)),
    ratio: median(warm.map((pair) => pair.isolateUs / pair.bareUs)),
  };
}

async function timeOne(run: () => Promise<void> | void): Promise<number> {
  const start = performance.now();
  await run();
  return (performance.now() - start) * 1000;
}

async function isolateScript(source: IsolateSource, surface: SurfaceData): Promise<void> {
  const result = await isolate.run(source, { wants: 'patch', surface });
  if (result.kind !== 'patch' || result.patch.set?.['total'] !== 101_025) throw new Error(JSON.stringify(result));
}

/** A fresh context, the state in as JSON, the script, the state out as JSON. */
function bareScript(module: QuickJSWASMModule): void {
  const context = module.newContext();
  const callee = context.unwrapResult(
    context.evalCode(`(function (json) { const self = { common_data: JSON.parse(json) };
      (function () { ${SCRIPT} }).call(self); return JSON.stringify(self.common_data); })`),
  );
  const input = context.newString(JSON.stringify(snapshot.data));
  const output = context.unwrapResult(context.callFunction(callee, context.undefined, input));
  const data = JSON.parse(context.getString(output)) as { total: number };
  for (const handle of [callee, input, output]) handle.dispose();
  context.dispose();
  if (data.total !== 101_025) throw new Error('The script came out wrong.');
}
