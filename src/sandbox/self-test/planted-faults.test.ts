import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { systemProgram } from '../../lib/process-tree.ts';
import { prepareBubblewrap } from '../bubblewrap/bubblewrap-box.ts';
import { chooseSandbox } from '../find-sandbox.ts';
import type { FoundLevel } from '../found-level.ts';
import { openSandbox } from '../open-sandbox.ts';
import type { LentFolder, Sandbox } from '../port.ts';
import { preparedSandbox } from '../prepared-sandbox.ts';
import { knownSandbox } from '../testing/known-sandbox.ts';
import type { Breaches } from './probe.ts';
import { testLevel } from './test-level.ts';
import { tryProtections } from './try-protections.ts';

const scratch = mkdtempSync(join(tmpdir(), 'planted-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
const { levels } = await knownSandbox(scratch);
const levelOf = (name: FoundLevel['level']): FoundLevel | undefined =>
  levels.find(({ level, failures }) => level === name && failures.length === 0);
const bubblewrap = levelOf('bubblewrap');
const none = levelOf('none') as FoundLevel;
const isRoot = process.getuid?.() === 0;

/** A box in whose arguments some are replaced. */
function reworded(from: string, to: string): (level: FoundLevel) => Sandbox {
  return (level) => {
    const prepare = prepareBubblewrap({ ...level, scratch });
    return preparedSandbox(level, async (...request) => {
      const prepared = await prepare(...request);
      const joined = prepared.start.argv.join('\0');
      expect(joined).toContain(`\0${from.replaceAll(' ', '\0')}\0`);
      const argv = joined.replace(from.replaceAll(' ', '\0'), to.replaceAll(' ', '\0')).split('\0');
      return { ...prepared, start: { ...prepared.start, argv } };
    });
  };
}

/** A box that lends more than it was asked to. */
function lending(more: (asked: readonly LentFolder[]) => readonly LentFolder[]): (level: FoundLevel) => Sandbox {
  return (level) => {
    const sandbox = openSandbox(level, scratch);
    const widen = (folders: readonly LentFolder[]) => [...more(folders), ...folders];
    return { ...sandbox, run: (argv, box) => sandbox.run(argv, { ...box, folders: widen(box.folders) }) };
  };
}

const around = (access: LentFolder['access']) => (asked: readonly LentFolder[]) =>
  asked.filter((folder) => folder.access === 'write').map(({ path }) => ({ path: dirname(path), access }));

/** Bubblewrap's own /proc is missing, so the program sees the one that bubblewrap saw. */
const withOuterProcesses = reworded('--proc /proc', '--bind /proc /proc');

const withNetwork = (level: FoundLevel): Sandbox => {
  const sandbox = openSandbox(level, scratch);
  return { ...sandbox, run: (argv, box) => sandbox.run(argv, { ...box, network: true }) };
};

/** No box at all, only some arguments. */
const unboxed =
  (...args: readonly string[]) =>
  (): Sandbox => {
    const sandbox = openSandbox(none, scratch);
    return { ...sandbox, run: (argv, box) => sandbox.run([...args, ...argv], box) };
  };

type PlantedFault = readonly [string, keyof Breaches, (level: FoundLevel) => Sandbox];

function shownFault(path: string): PlantedFault {
  return [`${path} is shown`, 'reading', lending(() => [{ path, access: 'read' }])];
}

const FAULTS: readonly PlantedFault[] = [
  ['/proc stays writable', 'knobs', reworded('--remount-ro /proc', '--remount-ro /')],
  ['capabilities are given', 'powers', reworded('--cap-drop ALL', '--cap-add ALL')],
  ['user namespaces stay allowed', 'namespaces', reworded('--disable-userns', '--unshare-user')],
  [
    'processes of the machine are shown',
    'processes',
    (level) => withOuterProcesses({ ...level, containment: 'group' }),
  ],
  ['the network stays on', 'network', withNetwork],
  ...['/srv', '/opt', '/data'].filter((path) => existsSync(path)).map(shownFault),
  ['the folder with other projects is shown', 'reading', lending(around('read'))],
  ['the folder with other projects can be written', 'writing', lending(around('write'))],
  ['files of others can change their mode', 'changing', lending(around('write'))],
  ['privileges can be gained', 'powers', unboxed(systemProgram('setpriv'), '--inh-caps=-all')],
  ['the bounding set is full', 'boundingSet', unboxed(systemProgram('setpriv'), '--no-new-privs')],
];

test.for(FAULTS)('[P12] the self-test notices when %s', async ([, breach, planted], context) => {
  const level = bubblewrap ?? context.skip('bubblewrap does not work here');
  const found = await tryProtections(planted(level), scratch);
  expect(found.broken).toBeNull();
  expect(found[breach]).not.toBeNull();
});

test('[P12] the self-test finds no fault where none is planted', async (context) => {
  const level = bubblewrap ?? context.skip('bubblewrap does not work here');
  const found = await tryProtections(openSandbox(level, scratch), scratch);
  expect(Object.values(found).filter((breach) => breach !== null)).toEqual([]);
});

test('[P12] bubblewrap sees only the processes of its namespace, so it needs no others around it', async (context) => {
  const isBound = bubblewrap?.containment === 'namespace-bound';
  const level = (isBound ? bubblewrap : undefined) ?? context.skip('no namespace works here');
  const found = await tryProtections(withOuterProcesses(level), scratch);
  expect(found.broken).toBeNull();
  expect(found.processes).toBeNull();
});

test("[P12] a box that keeps root's user id is refused, and nothing weaker is taken in its place", async (context) => {
  const level = (isRoot ? bubblewrap : undefined) ?? context.skip('not root, or bubblewrap does not work here');
  const tested = await testLevel({ ...level, identity: 'own' }, scratch);
  expect(tested.failures).toEqual(["commands keep root's user id, without its powers"]);
  const found = { levels: [tested, none], scratch };
  expect(() => chooseSandbox(found, null)).toThrow(/bubblewrap does not work here: commands keep root's user id/);
  expect(chooseSandbox(found, 'best').level).toBe('none');
});
