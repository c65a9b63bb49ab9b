import { DBOS } from '@dbos-inc/dbos-sdk';
import { peakMemoryMb, report, settings } from '../../harness/report.ts';
import { timed } from '../../harness/timed.ts';
import { expectTurns, loopModel } from '../../workload.ts';

/** DBOS on PostgreSQL: every turn is a step, whose result is committed. */
const { turns, databaseUrl } = settings();

const model = loopModel(turns);

async function loop() {
  const history = [];
  for (;;) {
    const content = await DBOS.runStep(() => model.coder(history), { name: 'coder' });
    history.push({ author: 'coder', content });
    const { text, verdict } = await DBOS.runStep(() => model.reviewer(history), { name: 'reviewer' });
    history.push({ author: 'reviewer', content: text });
    if (!verdict.improvement_needed) return history.length;
  }
}

const workflow = DBOS.registerWorkflow(loop, { name: 'loop' });
DBOS.setConfig({ name: 'bench', systemDatabaseUrl: databaseUrl, logLevel: 'error', applicationVersion: '1' });
await DBOS.launch();
const timing = await timed(turns, async () => expectTurns(await workflow(), turns));
await DBOS.shutdown();
report({ ...timing, memoryMb: peakMemoryMb() });
process.exit(0);
