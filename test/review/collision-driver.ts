// A process that drives a review through all that a person is asked in it: a command that cannot be run, the winner, another
// winner after a rewind, and the collision of the two. It kills itself at a given place, and goes on from wherever it died.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runId } from '../../src/core/model/ids.ts';
import { reviewStateIn } from '../../src/formats/review/views/review-state-in.ts';
import { createEmbeddedHost } from '../../src/host/embedded/embedded-host.ts';
import type { RunRest } from '../../src/host/port.ts';
import { says } from '../../src/host/testing/test-world.ts';
import type { Part } from './cast.ts';
import { dyingWorld } from './dying-world.ts';
import { makes, writes } from './implementer-mind.ts';
import { yesMan } from './manners.ts';
import { definitionOf, reviewFile, TASK } from './review-file.ts';

const [home = '', project = '', order = '', diesAt = ''] = process.argv.slice(2);

const FILE = 'src/bech32.ts';
const wrote = (name: string): string => `export const encode = '${name}';\n`;

/** Settles a collision only when a person says how. */
const part =
  (name: string): Part =>
  (request) => {
    if (!request.state.startsWith('settle')) return makes(request, writes(FILE, wrote(name)));
    const isTold = request.messages.some(({ content }) => content.includes('Keep both'));
    return isTold ? makes(request, writes(FILE, wrote('both'))) : says('I would rather not.');
  };

const cast = { impl_1: part('one'), impl_2: part('two'), impl_3: part('three'), rev_1: yesMan, rev_2: yesMan };
const { world, journal, close } = await dyingWorld({ home, diesAt, cast });
const host = createEmbeddedHost(world);
const run = runId('killed');

const facts = async () => (await journal.read(run)).map(({ fact }) => fact);
const isBack = async (): Promise<boolean> => (await facts()).some(({ kind }) => kind === 'run.rewound');

async function answerTo(question: string): Promise<string> {
  if (question.includes('cannot be run')) return `test -f ${FILE}`;
  if (question.includes('collides')) return 'Keep both.';
  return (await isBack()) ? 'APPROVE impl_2' : 'APPROVE impl_1';
}

async function goOn(): Promise<RunRest> {
  const rest = await host.rest(run);
  if (rest.status === 'waiting') {
    await host.answer(run, { answer: await answerTo(rest.questions[0]?.text ?? ''), by: 'ann' });
    return await goOn();
  }
  if (await isBack()) return rest;
  const to = (await facts()).findIndex((fact) => fact.kind === 'state.entered' && fact.state === 'ask') + 1;
  await host.rewind(run, { to, files: false, conversation: true, by: 'ann' });
  await host.resume(run);
  return await goOn();
}

if (order === 'start') {
  const definition = await definitionOf(reviewFile({ verify: 'no-such-program', extra: 'pick: person\n' }));
  await host.start({ definition, input: { task: TASK }, project, run });
} else await host.resume(run);
const { outcome, failure } = await goOn();
const { decision, collisions } = reviewStateIn((await host.snapshot(run)).data) ?? {};
const way = (await facts()).flatMap((fact) => (fact.kind === 'state.entered' ? [fact.state] : []));
const made = readFileSync(join(world.workspaces.folderOf(run, 'main'), FILE), 'utf8');
await host.shutdown();
await close();
console.log(JSON.stringify({ outcome, failure, decision, collisions, way, made }));
